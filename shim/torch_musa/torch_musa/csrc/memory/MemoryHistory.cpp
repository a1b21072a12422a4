// What the allocator holds and did, as torch.cuda.memory_snapshot() and torch.cuda.memory._snapshot() tell
// it.
#include <torch/csrc/profiler/python/combined_traceback.h>
#include <torch/csrc/utils/pybind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "torch_musa/csrc/core/Allocator.h"
#include "torch_musa/csrc/core/Device.h"

namespace torch_musa {
namespace {

using c10::DeviceIndex;
using c10::musa::Stack;
using c10::musa::Stacks;

// Stacks are turned into frames all at once, which is much faster than one by one.
class Frames {
 public:
  void of(const py::dict& entry, const Stack& stack) {
    entry["frames"] = py::list();
    if (stack == nullptr) return;
    entries_.push_back(entry);
    stacks_.push_back(stack);
  }
  void fill() {
    std::vector<torch::CapturedTraceback*> tracebacks;
    for (const Stack& stack : stacks_)
      tracebacks.push_back(static_cast<torch::CapturedTraceback*>(stack.get()));
    const auto frames = torch::py_symbolize(tracebacks);
    for (std::size_t i = 0; i < frames.size(); ++i) entries_[i]["frames"] = frames[i];
  }

 private:
  std::vector<py::dict> entries_;
  std::vector<Stack> stacks_;
};

// The stream's number in the history is that of PyTorch, in the snapshot the runtime's, as with CUDA.
std::uintptr_t native(int device, c10::StreamId stream) {
  const c10::Device place(c10::musa::kDevice, static_cast<DeviceIndex>(device));
  return reinterpret_cast<std::uintptr_t>(
      c10::musa::nativeStream(c10::Stream(c10::Stream::UNSAFE, place, stream)));
}

py::list segments(int device) {
  Frames frames;
  py::list segments;
  for (const auto& segment : c10::musa::memorySegments(static_cast<DeviceIndex>(device))) {
    py::list blocks;
    std::size_t address = segment.address;
    for (const auto& block : segment.blocks) {
      py::dict one;
      one["address"] = address;
      one["size"] = block.size;
      one["requested_size"] = block.requested_size;
      one["state"] = block.allocated ? "active_allocated" : block.active ? "active_pending_free" : "inactive";
      frames.of(one, block.stack);
      blocks.append(one);
      address += block.size;
    }
    py::dict one;
    one["device"] = device;
    one["address"] = segment.address;
    one["total_size"] = segment.total_size;
    one["allocated_size"] = segment.allocated_size;
    one["active_size"] = segment.active_size;
    one["stream"] = reinterpret_cast<std::uintptr_t>(segment.stream);
    one["segment_type"] = segment.is_large ? "large" : "small";
    one["segment_pool_id"] = py::make_tuple(segment.pool.first, segment.pool.second);
    one["blocks"] = blocks;
    segments.append(one);
  }
  frames.fill();
  return segments;
}

py::list history(int device) {
  Frames frames;
  py::list result;
  for (const auto& happening : c10::musa::memoryHistory(static_cast<DeviceIndex>(device))) {
    py::dict one;
    const bool outOfMemory = std::string(happening.action) == "oom";
    one["action"] = happening.action;
    one[outOfMemory ? "device_free" : "addr"] = happening.address;
    one["size"] = happening.size;
    one["stream"] = native(device, happening.stream);
    one["time_us"] = happening.microseconds;
    one["segment_pool_id"] = py::make_tuple(happening.pool.first, happening.pool.second);
    frames.of(one, happening.stack);
    result.append(one);
  }
  frames.fill();
  return result;
}

}  // namespace

void bindMemoryHistory(py::module& m) {
  m.def("memory_snapshot", &segments);
  m.def("memory_history", &history);
  m.def("clear_memory_history",
        [](int device) { c10::musa::clearMemoryHistory(static_cast<DeviceIndex>(device)); });
  m.def("record_memory_history", [](bool events, int stacks, bool native, std::size_t limit) {
    torch::installCapturedTracebackPython();
    torch::freeDeadCapturedTracebackFrames();
    c10::musa::setHistorySettings({events, static_cast<Stacks>(stacks), native, limit});
  });
}

}  // namespace torch_musa
