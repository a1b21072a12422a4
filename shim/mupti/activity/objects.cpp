#include "mupti/activity/objects.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <string_view>

#include "crt/cuda_driver_answers.h"
#include "mupti/activity/activity.h"
#include "mupti/activity/buffers.h"
#include "mupti/callback/calls.h"
#include "mupti/library/devices.h"
#include "musa_runtime_api.h"

namespace musashim::mupti {
namespace {

struct Told {
  std::mutex mutex;
  bool devices = false;
  std::set<uint32_t> contexts;
};
Told& told() {
  static auto& all = *new Told;
  return all;
}

std::atomic<bool> isCuda{false};

uint32_t attribute(MUdevice device, MUdevice_attribute which) {
  int value = 0;
  (void)(isCuda.load() ? cuDeviceGetAttribute : muDeviceGetAttribute)(&value, which, device);
  return static_cast<uint32_t>(value);
}

void addDevice(MUdevice device) {
  MUpti_ActivityDevice5 record = {};
  record.kind = MUPTI_ACTIVITY_KIND_DEVICE;
  record.flags = MUPTI_ACTIVITY_FLAG_DEVICE_CONCURRENT_KERNELS;
  record.id = static_cast<uint32_t>(device);
  record.globalMemoryBandwidth = memoryBandwidth(device);
  size_t bytes = 0;
  (void)muDeviceTotalMem(&bytes, device);
  record.globalMemorySize = bytes;
  const auto get = [device](MUdevice_attribute which) { return attribute(device, which); };
  record.constantMemorySize = get(MU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  record.l2CacheSize = get(MU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  record.numThreadsPerWarp = get(MU_DEVICE_ATTRIBUTE_WARP_SIZE);
  record.coreClockRate = get(MU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  record.numMemcpyEngines = get(MU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
  record.numMultiprocessors = get(MU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  record.maxWarpsPerMultiprocessor =
      get(MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / std::max(record.numThreadsPerWarp, 1u);
  record.maxBlocksPerMultiprocessor = get(MU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  record.maxSharedMemoryPerMultiprocessor = get(MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  record.maxRegistersPerMultiprocessor = get(MU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  record.maxRegistersPerBlock = get(MU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  record.maxSharedMemoryPerBlock = get(MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  record.maxThreadsPerBlock = get(MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  record.maxBlockDimX = get(MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  record.maxBlockDimY = get(MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  record.maxBlockDimZ = get(MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  record.maxGridDimX = get(MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  record.maxGridDimY = get(MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  record.maxGridDimZ = get(MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  record.computeCapabilityMajor = get(MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  record.computeCapabilityMinor = get(MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  record.eccEnabled = get(MU_DEVICE_ATTRIBUTE_ECC_ENABLED);
  (void)muDeviceGetUuid(&record.uuid, device);
  char name[256] = {};
  (void)muDeviceGetName(name, sizeof name, device);
  record.name = keep(name);
  record.isMusaVisible = 1;
  // As CUPTI has it of a whole device.
  record.gpuInstanceId = record.computeInstanceId = record.numaId = UINT32_MAX;
  buffers().add(record);
}

void addContext(uint32_t id) {
  MUpti_ActivityContext2 record = {};
  record.kind = MUPTI_ACTIVITY_KIND_CONTEXT;
  record.contextId = id;
  record.deviceId = currentDeviceId();
  record.computeApiKind = MUPTI_ACTIVITY_COMPUTE_API_MUSA;
  unsigned long long stream = 0;
  if (muStreamGetId(nullptr, &stream) == MUSA_SUCCESS) record.nullStreamId = static_cast<uint16_t>(stream);
  buffers().add(record);
}

void addStream(MUstream stream, uint32_t correlation) {
  MUpti_ActivityStream record = {};
  record.kind = MUPTI_ACTIVITY_KIND_STREAM;
  record.contextId = currentContextId();
  unsigned long long id = 0;
  int priority = 0;
  unsigned int flags = 0;
  if (muStreamGetId(stream, &id) != MUSA_SUCCESS) return;
  (void)muStreamGetPriority(stream, &priority);
  (void)muStreamGetFlags(stream, &flags);
  record.streamId = static_cast<uint32_t>(id);
  record.priority = static_cast<uint32_t>(priority);
  record.flag = (flags & MU_STREAM_NON_BLOCKING) != 0 ? MUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING
                                                      : MUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT;
  record.correlationId = correlation;
  buffers().add(record);
}

bool makesStream(std::string_view name) {
  constexpr std::array kNames{
      std::string_view("musaStreamCreate"), std::string_view("musaStreamCreateWithFlags"),
      std::string_view("musaStreamCreateWithPriority"), std::string_view("muStreamCreate"),
      std::string_view("muStreamCreateWithPriority")};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

uint32_t currentContextId() {
  uint32_t id = 0;
  MUcontext context = nullptr;
  if (muCtxGetCurrent(&context) == MUSA_SUCCESS && context != nullptr) (void)muptiGetContextId(context, &id);
  return id;
}

uint32_t currentDeviceId() {
  MUdevice device = 0;
  return muCtxGetDevice(&device) == MUSA_SUCCESS ? static_cast<uint32_t>(device) : 0;
}

void noteObjects(const MUshimCall& call, int result) {
  if (isWanted(MUPTI_ACTIVITY_KIND_DEVICE)) {
    const std::lock_guard lock(told().mutex);
    int count = 0;
    // Before muInit() there are none.
    if (!told().devices && muDeviceGetCount(&count) == MUSA_SUCCESS) {
      told().devices = true;
      for (MUdevice device = 0; device < count; ++device) addDevice(device);
    }
  }
  if (isWanted(MUPTI_ACTIVITY_KIND_CONTEXT)) {
    const std::lock_guard lock(told().mutex);
    if (const uint32_t id = currentContextId(); id != 0 && told().contexts.insert(id).second) addContext(id);
  }
  if (result == 0 && isWanted(MUPTI_ACTIVITY_KIND_STREAM) && makesStream(call.name)) {
    if (const auto* made = argument<MUstream*>(call, 0)) addStream(**made, call.correlation);
  }
}

void tellCudaCapability(bool wanted) { isCuda.store(wanted); }

void forgetTold(MUpti_ActivityKind kind) {
  const std::lock_guard lock(told().mutex);
  if (kind == MUPTI_ACTIVITY_KIND_DEVICE) told().devices = false;
  if (kind == MUPTI_ACTIVITY_KIND_CONTEXT) told().contexts.clear();
}

}  // namespace musashim::mupti
