// Streams whose work is being recorded into a graph instead of done.
#pragma once

#include <memory>
#include <string>
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

// A graph of what was captured (torch.musa.MUSAGraph).
class Graph {
 public:
  // `keeps`: what was captured stays, and is made executable by instantiate() or the first replay().
  explicit Graph(bool keeps) : keeps_(keeps) {}
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // On the current stream, which must not be the default one.
  void begin(PoolId pool, musaStreamCaptureMode mode);
  void end();
  void instantiate();
  void replay();
  void reset();
  PoolId pool() const;
  // Before the capture: what was captured stays until it is drawn.
  void enableDebugMode() { debugs_ = true; }
  // Writes it to a file in DOT, Graphviz's language.
  void debugDump(const std::string& path);
  // Only of one that `keeps`.
  musaGraph_t raw() const;
  musaGraphExec_t rawExecutable() const;

  static PoolId newPool();

 private:
  std::vector<std::shared_ptr<void>> kept_;  // what its nodes run
  musaStream_t stream_ = nullptr;
  DeviceIndex device_ = 0;
  unsigned long long capture_ = 0;
  PoolId pool_{0, 0};
  const bool keeps_;
  bool debugs_ = false;
  musaGraph_t graph_ = nullptr;  // while it is kept
  musaGraphExec_t executable_ = nullptr;
};

}  // namespace c10::musa
