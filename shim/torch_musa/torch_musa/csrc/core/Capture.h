// Streams whose work is being recorded into a graph instead of done.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "torch_musa/csrc/core/Device.h"

namespace c10::musa {

// A pool of memory that graphs share; {0, 0} is the one of all other work. PyTorch's MempoolId_t, which older
// versions lack.
using PoolId = std::pair<unsigned long long, unsigned long long>;

// For the scope this thread may allocate and free, whatever is being captured.
class AllowedInCapture {
 public:
  AllowedInCapture() { C10_MUSA_CHECK(musaThreadExchangeStreamCaptureMode(&mode_)); }
  ~AllowedInCapture() { (void)musaThreadExchangeStreamCaptureMode(&mode_); }
  AllowedInCapture(const AllowedInCapture&) = delete;
  AllowedInCapture& operator=(const AllowedInCapture&) = delete;

 private:
  musaStreamCaptureMode mode_ = musaStreamCaptureModeRelaxed;
};

// Whether any graph is being captured; costs nothing.
bool captureIsActive();
// The capture that the stream takes part in; 0 if none.
unsigned long long captureOf(const Stream& stream);
// The pool that memory for the stream's work comes from: that of the capture, or {0, 0}.
PoolId poolOf(const Stream& stream);
// Kept for as long as the graph that the capture gives.
void keepForCapture(unsigned long long capture, std::shared_ptr<void> kept);

// The token of a new pool.
PoolId newPool();
// Starts to record the stream's work, with memory from the pool, which has one user more then; gives the
// capture's number.
unsigned long long beginCapture(musaStream_t stream, PoolId pool, musaStreamCaptureMode mode);
// Ends it; what was kept for the graph.
std::vector<std::shared_ptr<void>> endCapture(musaStream_t stream, unsigned long long capture,
                                              musaGraph_t* graph);
// One user less; memory of a pool without users is given back.
void leavePool(DeviceIndex device, PoolId pool);

}  // namespace c10::musa
