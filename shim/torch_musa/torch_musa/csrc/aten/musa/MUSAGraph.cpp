#include "torch_musa/csrc/aten/musa/MUSAGraph.h"

#include "torch_musa/csrc/core/Capture.h"

namespace at::musa {

using c10::musa::DeviceScope;
using c10::musa::PoolId;

MUSAGraph::~MUSAGraph() {
  try {
    reset();
  } catch (const std::exception& error) {
    TORCH_WARN("a graph could not be given back: ", error.what());
  }
}

void MUSAGraph::capture_begin(MempoolId_t pool, musaStreamCaptureMode mode) {
  TORCH_CHECK(graph_exec_ == nullptr && graph_ == nullptr && capture_ == 0,
              "This MUSAGraph instance already owns a captured graph. To capture a new graph, create a new "
              "instance.");
  const c10::Stream stream = c10::musa::currentStream(-1);
  TORCH_CHECK(stream.id() != 0,
              "MUSA graphs must be captured on a non-default stream. (However, after capture, it's ok to "
              "replay them on "
              "the default stream.)");
  pool_ = pool == MempoolId_t{0, 0} ? c10::musa::newPool() : pool;
  device_ = stream.device_index();
  stream_ = c10::musa::nativeStream(stream);
  capture_ = c10::musa::beginCapture(stream_, pool_, mode);
}

void MUSAGraph::capture_end() {
  TORCH_CHECK(capture_ != 0, "this MUSAGraph is not capturing");
  musaGraph_t graph = nullptr;
  kept_ = c10::musa::endCapture(stream_, std::exchange(capture_, 0), &graph);
  TORCH_CHECK(graph != nullptr, "Invalid capture.");
  graph_ = graph;
  if (!keep_graph_) makeExecutable();
}

void MUSAGraph::makeExecutable() {
  C10_MUSA_CHECK(musaGraphInstantiate(&graph_exec_, graph_, 0));
  has_graph_exec_ = true;
}

void MUSAGraph::dropExecutable() {
  C10_MUSA_CHECK(musaDeviceSynchronize());  // it may still be running
  has_graph_exec_ = false;
  if (graph_exec_ != nullptr) C10_MUSA_CHECK(musaGraphExecDestroy(std::exchange(graph_exec_, nullptr)));
}

void MUSAGraph::instantiate() {
  TORCH_CHECK(graph_ != nullptr, "capture_end() must have been called before calling instantiate");
  TORCH_CHECK(keep_graph_, "instantiate() is intended to be called by the user only when keep_graph=true");
  const DeviceScope scope(device_);
  dropExecutable();
  makeExecutable();
}

void MUSAGraph::debug_dump(const std::string& path) {
  if (graph_ == nullptr || (!debug_ && !keep_graph_)) {
    TORCH_WARN("MUSA graphs debug not enabled: call enable_debug_mode() before the capture");
    return;
  }
  C10_MUSA_CHECK(musaGraphDebugDotPrint(graph_, path.c_str(), musaGraphDebugDotFlagsVerbose));
  debug_ = false;
}

musaGraph_t MUSAGraph::raw_cuda_graph() const {
  TORCH_CHECK(keep_graph_,
              "You cannot access the raw musaGraph_t instance unless MUSAGraph was initialized with "
              "keep_graph=true");
  TORCH_CHECK(graph_ != nullptr,
              "You cannot access the raw musaGraph_t instance until capture_end() has been called");
  return graph_;
}

musaGraphExec_t MUSAGraph::raw_cuda_graph_exec() const {
  TORCH_CHECK(graph_exec_ != nullptr,
              "You cannot access the raw musaGraphExec_t instance until instantiate() has been called");
  return graph_exec_;
}

void MUSAGraph::replay() {
  if (keep_graph_ && graph_exec_ == nullptr && graph_ != nullptr) instantiate();
  TORCH_CHECK(graph_exec_ != nullptr, "Called MUSAGraph::replay without a preceding successful capture.");
  const DeviceScope scope(device_);
  C10_MUSA_CHECK(musaGraphLaunch(graph_exec_, c10::musa::nativeStream(c10::musa::currentStream(device_))));
}

void MUSAGraph::reset() {
  if (graph_ != nullptr) {
    // What it runs is kept here, so it must have ended; an extension may have dropped what is executable.
    const DeviceScope scope(device_);
    dropExecutable();
    C10_MUSA_CHECK(musaGraphDestroy(std::exchange(graph_, nullptr)));
  }
  kept_.clear();
  if (pool_ != MempoolId_t{0, 0}) c10::musa::leavePool(device_, std::exchange(pool_, MempoolId_t{0, 0}));
}

PoolId MUSAGraph::pool() const {
  TORCH_CHECK(pool_ != (MempoolId_t{0, 0}),
              "Called MUSAGraph::pool() without a preceding successful capture.");
  return pool_;
}

}  // namespace at::musa
