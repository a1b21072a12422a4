// The class of torch.musa.MUSAGraph, by the vendor's names: extensions reach its members from a class derived
// from it. Includes nothing of this package, as some have csrc/ alone in their path.
#pragma once

#include <c10/core/Device.h>
#include <musa_runtime_api.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace at::musa {

// A graph of what was captured.
class MUSAGraph {
 public:
  // A pool of memory that graphs share. PyTorch's MempoolId_t, which older versions lack.
  using MempoolId_t = std::pair<unsigned long long, unsigned long long>;

  // `keep_graph`: what was captured is given out, and is made executable by instantiate() or the first
  // replay().
  explicit MUSAGraph(bool keep_graph = false) : keep_graph_(keep_graph) {}
  ~MUSAGraph();
  MUSAGraph(const MUSAGraph&) = delete;
  MUSAGraph& operator=(const MUSAGraph&) = delete;

  // On the current stream, which must not be the default one. {0, 0} is a pool of its own.
  void capture_begin(MempoolId_t pool = {0, 0}, musaStreamCaptureMode mode = musaStreamCaptureModeGlobal);
  void capture_end();
  void instantiate();
  void replay();
  void reset();
  MempoolId_t pool() const;
  // Before the capture: what was captured can be drawn, once.
  void enable_debug_mode() { debug_ = true; }
  // Writes it to a file in DOT, Graphviz's language.
  void debug_dump(const std::string& path);
  // Only of one with `keep_graph`.
  musaGraph_t raw_cuda_graph() const;
  musaGraphExec_t raw_cuda_graph_exec() const;

 protected:
  // What was captured, from which graph_exec_ can be made again; until reset().
  musaGraph_t graph_ = nullptr;
  musaGraphExec_t graph_exec_ = nullptr;
  bool has_graph_exec_ = false;

 private:
  void makeExecutable();
  void dropExecutable();

  std::vector<std::shared_ptr<void>> kept_;  // what its nodes run
  musaStream_t stream_ = nullptr;
  c10::DeviceIndex device_ = 0;
  unsigned long long capture_ = 0;
  MempoolId_t pool_{0, 0};
  const bool keep_graph_;
  bool debug_ = false;
};

}  // namespace at::musa
