// torch_musa._C: what Python asks for.
#include <torch/csrc/utils/pybind.h>
#include <torch/extension.h>

#include <thread>

#include "torch_musa/csrc/aten/musa/Handles.h"
#include "torch_musa/csrc/aten/musa/MUSAGraph.h"
#include "torch_musa/csrc/core/Allocator.h"
#include "torch_musa/csrc/core/Capture.h"
#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Generator.h"
#include "torch_musa/csrc/core/MUSACachingAllocator.h"
#include "torch_musa/csrc/core/Queue.h"
#include "torch_musa/csrc/core/SyncDebug.h"

namespace at::musa {
void registerHooks();
}
namespace torch_musa {
void bindProcessGroup(py::module& module);
void bindTools(py::module& module);
void bindMemoryHistory(py::module& module);
void bindSharedEvents(py::module& module);
}  // namespace torch_musa

namespace {

c10::Stream streamOf(int64_t id, int device) {
  return c10::Stream(c10::Stream::UNSAFE,
                     c10::Device(c10::musa::kDevice, static_cast<c10::DeviceIndex>(device)), id);
}

py::dict properties(int device) {
  musaDeviceProp found{};
  C10_MUSA_CHECK(musaGetDeviceProperties(&found, device));
  py::dict result;
  result["name"] = std::string(found.name);
  result["major"] = found.major;
  result["minor"] = found.minor;
  result["total_memory"] = found.totalGlobalMem;
  result["multi_processor_count"] = found.multiProcessorCount;
  result["warp_size"] = found.warpSize;
  result["max_threads_per_block"] = found.maxThreadsPerBlock;
  result["max_threads_per_multi_processor"] = found.maxThreadsPerMultiProcessor;
  result["shared_memory_per_block"] = found.sharedMemPerBlock;
  result["is_integrated"] = found.integrated;
  result["is_multi_gpu_board"] = found.isMultiGpuBoard;
  result["pci_bus_id"] = found.pciBusID;
  result["pci_device_id"] = found.pciDeviceID;
  result["pci_domain_id"] = found.pciDomainID;
  result["L2_cache_size"] = found.l2CacheSize;
  return result;
}

py::dict memoryStats(int device) {
  const auto stats = c10::musa::deviceAllocator().getDeviceStats(static_cast<c10::DeviceIndex>(device));
  py::dict result;
  const auto add = [&](const std::string& name, const c10::CachingAllocator::StatArray& array) {
    const char* const pools[] = {".all", ".small_pool", ".large_pool"};
    for (std::size_t pool = 0; pool < std::size(pools); ++pool) {
      const auto& stat = array[pool];
      const std::string prefix = name + pools[pool];
      result[(prefix + ".current").c_str()] = stat.current;
      result[(prefix + ".peak").c_str()] = stat.peak;
      result[(prefix + ".allocated").c_str()] = stat.allocated;
      result[(prefix + ".freed").c_str()] = stat.freed;
    }
  };
  add("allocation", stats.allocation);
  add("segment", stats.segment);
  add("active", stats.active);
  add("inactive_split", stats.inactive_split);
  add("inactive_split_bytes", stats.inactive_split_bytes);
  add("allocated_bytes", stats.allocated_bytes);
  add("reserved_bytes", stats.reserved_bytes);
  add("active_bytes", stats.active_bytes);
  add("requested_bytes", stats.requested_bytes);
  result["num_alloc_retries"] = stats.num_alloc_retries;
  result["num_ooms"] = stats.num_ooms;
  result["num_device_alloc"] = stats.num_device_alloc;
  result["num_device_free"] = stats.num_device_free;
  return result;
}

void bindPools(py::module& m) {
  namespace pools = c10::musa::MUSACachingAllocator;
  using c10::DeviceIndex;
  using c10::musa::PoolId;
  m.def("begin_allocate_to_pool", [](DeviceIndex device, PoolId pool) {
    const auto thread = std::this_thread::get_id();
    pools::beginAllocateToPool(device, pool,
                               [thread](musaStream_t) { return std::this_thread::get_id() == thread; });
  });
  m.def("end_allocate_to_pool", &pools::endAllocateToPool);
  m.def("keep_pool", &pools::createOrIncrefPool);
  m.def("release_pool", &pools::releasePool);
  m.def("pool_use_count", &pools::getPoolUseCount);
}

void bindGraphs(py::module& m) {
  using at::musa::MUSAGraph;
  m.def("graph_pool_handle", &c10::musa::newPool);
  m.def("is_current_stream_capturing", [] { return c10::musa::capturing(c10::musa::current_device()); });
  py::class_<MUSAGraph>(m, "Graph")
      .def(py::init<bool>())
      .def("capture_begin",
           [](MUSAGraph& self, c10::musa::PoolId pool, const std::string& mode) {
             const auto native = mode == "global"         ? musaStreamCaptureModeGlobal
                                 : mode == "thread_local" ? musaStreamCaptureModeThreadLocal
                                                          : musaStreamCaptureModeRelaxed;
             TORCH_CHECK(native != musaStreamCaptureModeRelaxed || mode == "relaxed",
                         "Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got ",
                         mode);
             self.capture_begin(pool, native);
           })
      .def("capture_end", &MUSAGraph::capture_end)
      .def("replay", &MUSAGraph::replay, py::call_guard<py::gil_scoped_release>())
      .def("reset", &MUSAGraph::reset, py::call_guard<py::gil_scoped_release>())
      .def("pool", &MUSAGraph::pool)
      .def("instantiate", &MUSAGraph::instantiate, py::call_guard<py::gil_scoped_release>())
      .def("enable_debug_mode", &MUSAGraph::enable_debug_mode)
      .def("debug_dump", &MUSAGraph::debug_dump)
      .def("raw_cuda_graph",
           [](const MUSAGraph& self) { return reinterpret_cast<std::uintptr_t>(self.raw_cuda_graph()); })
      .def("raw_cuda_graph_exec", [](const MUSAGraph& self) {
        return reinterpret_cast<std::uintptr_t>(self.raw_cuda_graph_exec());
      });
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  using c10::DeviceIndex;
  at::musa::registerHooks();
  m.def("device_count", [] { return static_cast<int>(c10::musa::device_count()); });
  m.def("current_device", [] { return static_cast<int>(c10::musa::current_device()); });
  m.def("set_device", [](int device) { c10::musa::set_device(static_cast<DeviceIndex>(device)); });
  m.def("synchronize", [](int device) {
    const py::gil_scoped_release free;
    const c10::musa::DeviceScope scope(static_cast<DeviceIndex>(device));
    C10_MUSA_CHECK(musaDeviceSynchronize());
    c10::musa::throwQueued();
  });
  m.def("properties", &properties);
  m.def("can_access_peer", [](int device, int peer) {
    int can = 0;
    C10_MUSA_CHECK(musaDeviceCanAccessPeer(&can, device, peer));
    return can != 0;
  });
  m.def("runtime_version", [] {
    int version = 0;
    C10_MUSA_CHECK(musaRuntimeGetVersion(&version));
    return version;
  });
  m.def("used", &c10::musa::used);
  m.def("used_before_fork", &c10::musa::usedBeforeFork);
  m.def("memory_stats", &memoryStats);
  m.def("memory_info", [](int device) { return c10::musa::memoryInfo(static_cast<DeviceIndex>(device)); });
  m.def("empty_cache", [] { c10::musa::deviceAllocator().emptyCache(); });
  m.def("reset_peak_stats",
        [](int device) { c10::musa::deviceAllocator().resetPeakStats(static_cast<DeviceIndex>(device)); });
  m.def("reset_accumulated_stats", [](int device) {
    c10::musa::deviceAllocator().resetAccumulatedStats(static_cast<DeviceIndex>(device));
  });
  m.def("set_memory_fraction", [](double fraction, int device) {
    c10::musa::setMemoryFraction(static_cast<DeviceIndex>(device), fraction);
  });
  m.def("memory_fraction",
        [](int device) { return c10::musa::memoryFraction(static_cast<DeviceIndex>(device)); });
  m.def("sync_debug_mode", [] { return static_cast<int>(c10::musa::syncDebugMode()); });
  m.def("set_sync_debug_mode",
        [](int mode) { c10::musa::setSyncDebugMode(static_cast<c10::musa::SyncDebugMode>(mode)); });
  m.def("current_blas_handle",
        [] { return reinterpret_cast<std::uintptr_t>(at::musa::getCurrentMUSABlasHandle()); });
  m.def("seed_all", &at::musa::seedAll);
  m.def("default_generator",
        [](int device) { return at::musa::defaultGenerator(static_cast<DeviceIndex>(device)); });
  m.def("current_stream", [](int device) {
    const c10::Stream stream = c10::musa::currentStream(static_cast<DeviceIndex>(device));
    return std::make_tuple(stream.id(), static_cast<int>(stream.device_index()));
  });
  m.def("set_stream", [](int64_t id, int device) { c10::musa::setCurrentStream(streamOf(id, device)); });
  m.def("native_stream", [](int64_t id, int device) {
    return reinterpret_cast<uintptr_t>(c10::musa::nativeStream(streamOf(id, device)));
  });
  m.def("stream_priority", [](int64_t id, int device) {
    int priority = 0;
    const c10::musa::DeviceScope scope(static_cast<DeviceIndex>(device));
    C10_MUSA_CHECK(musaStreamGetPriority(c10::musa::nativeStream(streamOf(id, device)), &priority));
    return priority;
  });
  m.def("external_stream", [](std::uintptr_t native, int device) {
    const c10::Stream stream =
        c10::musa::externalStream(reinterpret_cast<musaStream_t>(native), static_cast<DeviceIndex>(device));
    return std::make_tuple(stream.id(), static_cast<int>(stream.device_index()));
  });
  bindPools(m);
  bindGraphs(m);
  torch_musa::bindProcessGroup(m);
  torch_musa::bindTools(m);
  torch_musa::bindMemoryHistory(m);
  torch_musa::bindSharedEvents(m);
}
