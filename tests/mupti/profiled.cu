// A program that profiles itself through CUPTI, as PyTorch's and TensorFlow's profilers do, and checks what it is told.
#include <cuda_runtime.h>
#include <cupti.h>
#include <generated_cuda_runtime_api_meta.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#define CHECK(condition)                                                \
  if (!(condition)) {                                                   \
    std::printf("line %d: %s\n", __LINE__, #condition);                 \
    std::exit(1);                                                       \
  }
#define CUDA(call) CHECK((call) == cudaSuccess)
#define CUPTI(call) CHECK((call) == CUPTI_SUCCESS)

__global__ void twice(int* data) {
  __shared__ int copy[64];
  copy[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = 2 * copy[threadIdx.x];
}

namespace {

constexpr size_t kBytes = 4096;  // small: several buffers are needed
int requested = 0, completed = 0;
std::vector<std::vector<uint8_t>> filled;

void requestBuffer(uint8_t** buffer, size_t* size, size_t* maxNumRecords) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, kBytes));
  *size = kBytes;
  *maxNumRecords = 0;
  ++requested;
}

void completeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t size, size_t validSize) {
  CHECK(size == kBytes && validSize <= size);
  filled.emplace_back(buffer, buffer + validSize);
  std::free(buffer);
  ++completed;
}

struct Called {
  std::map<std::string, int> enters, exits;
  int contexts = 0, streams = 0, synchronized = 0;
  std::string symbol;
  unsigned gridX = 0;
  size_t copied = 0;
};

void calledBack(void* userdata, CUpti_CallbackDomain domain, CUpti_CallbackId cbid, const void* data) {
  auto& called = *static_cast<Called*>(userdata);
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    if (cbid == CUPTI_CBID_RESOURCE_CONTEXT_CREATED) ++called.contexts;
    if (cbid == CUPTI_CBID_RESOURCE_STREAM_CREATED) ++called.streams;
    return;
  }
  if (domain == CUPTI_CB_DOMAIN_SYNCHRONIZE) {
    ++called.synchronized;
    return;
  }
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite == CUPTI_API_ENTER) {
    ++called.enters[call.functionName];
    *call.correlationData = 42 + cbid;
    int device = -1;
    CUDA(cudaGetDevice(&device));  // which is not told
  } else {
    ++called.exits[call.functionName];
    CHECK(*call.correlationData == 42 + cbid);
    CHECK(*static_cast<cudaError_t*>(call.functionReturnValue) == cudaSuccess);
  }
  if (cbid == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000) {
    CHECK(call.symbolName != nullptr && call.context != nullptr && call.correlationId != 0);
    called.symbol = call.symbolName;
    called.gridX = static_cast<const cudaLaunchKernel_v7000_params*>(call.functionParams)->gridDim.x;
  }
  if (cbid == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020)
    called.copied = static_cast<const cudaMemcpy_v3020_params*>(call.functionParams)->count;
}

template <class Record>
std::vector<const Record*> recordsOf(CUpti_ActivityKind kind) {
  std::vector<const Record*> found;
  for (auto& buffer : filled) {
    CUpti_Activity* record = nullptr;
    CUptiResult result = CUPTI_SUCCESS;
    while ((result = cuptiActivityGetNextRecord(buffer.data(), buffer.size(), &record)) == CUPTI_SUCCESS) {
      if (record->kind == kind) found.push_back(reinterpret_cast<const Record*>(record));
    }
    CHECK(result == CUPTI_ERROR_MAX_LIMIT_REACHED);
  }
  return found;
}

void checkWork(uint64_t begin, uint64_t end) {
  const auto kernels = recordsOf<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  const auto calls = recordsOf<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
  CHECK(kernels.size() == 40);
  std::map<uint32_t, const CUpti_ActivityAPI*> byCorrelation;
  for (const auto* call : calls) {
    CHECK(call->start >= begin && call->end <= end && call->start <= call->end);
    CHECK(call->processId == static_cast<uint32_t>(getpid()));
    CHECK(call->threadId == static_cast<uint32_t>(pthread_self()));
    byCorrelation[call->correlationId] = call;
  }
  std::map<uint32_t, std::vector<std::pair<uint64_t, uint64_t>>> byStream;
  std::map<int, int> byPriority;
  for (const auto* kernel : kernels) {
    CHECK(std::strcmp(kernel->name, "_Z5twicePi") == 0);
    CHECK(kernel->gridX == 3 && kernel->gridY == 1 && kernel->blockX == 64 && kernel->staticSharedMemory == 256);
    CHECK(kernel->deviceId == 0 && kernel->contextId != 0);
    const auto* call = byCorrelation.at(kernel->correlationId);
    CHECK(call->cbid == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
    CHECK(kernel->start + 1000 >= call->start && kernel->end <= end);
    byPriority[kernel->priority] += 1;
    byStream[kernel->streamId].emplace_back(kernel->start, kernel->end);
  }
  CHECK(byPriority.size() == 2);
  CHECK(byStream.size() == 2);  // the default one and ours
  for (auto& [stream, times] : byStream) {
    std::sort(times.begin(), times.end());
    for (size_t i = 1; i < times.size(); ++i) CHECK(times[i - 1].second <= times[i].first);
  }
  const auto copies = recordsOf<CUpti_ActivityMemcpy5>(CUPTI_ACTIVITY_KIND_MEMCPY);
  CHECK(copies.size() == 2);
  CHECK(copies[0]->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD && copies[0]->bytes == 256);
  CHECK(copies[0]->srcKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE && copies[0]->dstKind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
  CHECK(copies[1]->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH);
  const auto fills = recordsOf<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  CHECK(fills.size() == 1 && fills[0]->bytes == 128 && fills[0]->value == 1);
}

void checkTheRest() {
  const auto ids = recordsOf<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
  const auto kernels = recordsOf<CUpti_ActivityKernel9>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  int outer = 0, inner = 0;
  for (const auto* id : ids) {
    const bool launches = std::any_of(kernels.begin(), kernels.end(), [&](const auto* kernel) {
      return kernel->correlationId == id->correlationId;
    });
    if (!launches) continue;
    outer += id->externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 && id->externalId == 7;
    inner += id->externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1 && id->externalId == 9;
  }
  CHECK(outer == 20 && inner == 20);
  const auto waits = recordsOf<CUpti_ActivitySynchronization>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  std::map<int, int> types;
  for (const auto* wait : waits) ++types[wait->type];
  CHECK(types[CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE] == 1);
  CHECK(types[CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE] == 1);
  CHECK(types[CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT] == 1);
  CHECK(types[CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE] == 1);
  const auto events = recordsOf<CUpti_ActivityCudaEvent2>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
  CHECK(events.size() == 1 && events[0]->deviceId == 0 && events[0]->cudaEventSyncId != 0);
  for (const auto* wait : waits) {
    if (wait->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT)
      CHECK(wait->cudaEventId == events[0]->eventId);
  }
  const auto markers = recordsOf<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
  CHECK(markers.size() == 3);
  CHECK(markers[0]->flags == CUPTI_ACTIVITY_FLAG_MARKER_START && std::strcmp(markers[0]->name, "training") == 0);
  CHECK(markers[1]->flags == CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS && std::strcmp(markers[1]->name, "half") == 0);
  CHECK(markers[2]->flags == CUPTI_ACTIVITY_FLAG_MARKER_END && markers[2]->id == markers[0]->id);
}

void checkObjects(const int* data, cudaStream_t stream) {
  cudaDeviceProp is;
  CUDA(cudaGetDeviceProperties(&is, 0));
  int count = 0;
  CUDA(cudaGetDeviceCount(&count));
  const auto devices = recordsOf<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
  CHECK(static_cast<int>(devices.size()) == count);
  const CUpti_ActivityDevice5& device = *devices[0];
  CHECK(device.id == 0 && std::strcmp(device.name, is.name) == 0 && device.globalMemorySize == is.totalGlobalMem);
  CHECK(device.numMultiprocessors == static_cast<uint32_t>(is.multiProcessorCount) && device.isCudaVisible == 1);
  CHECK(device.maxThreadsPerBlock == static_cast<uint32_t>(is.maxThreadsPerBlock) && device.numThreadsPerWarp == 32);
  CHECK(std::memcmp(&device.uuid, &is.uuid, sizeof device.uuid) == 0);
  // By CUDA's names the CUDA face's, by MUSA's the device's: both name who is asked.
  CHECK(device.computeCapabilityMajor == static_cast<uint32_t>(is.major) && device.computeCapabilityMinor == static_cast<uint32_t>(is.minor));
  int supported = 0;
  CHECK(cuptiComputeCapabilitySupported(is.major, is.minor, &supported) == CUPTI_SUCCESS && supported == 1);
  CHECK(cuptiComputeCapabilitySupported(is.major + 4, 7, &supported) == CUPTI_SUCCESS && supported == 0);
  CHECK(device.maxGridDimX == static_cast<uint32_t>(is.maxGridSize[0]) && device.maxGridDimZ == static_cast<uint32_t>(is.maxGridSize[2]));
  uint64_t bandwidth = 0;
  size_t bytes = sizeof bandwidth;
  CUPTI(cuptiDeviceGetAttribute(0, CUPTI_DEVICE_ATTR_GLOBAL_MEMORY_BANDWIDTH, &bytes, &bandwidth));
  CHECK(bandwidth == device.globalMemoryBandwidth && bandwidth > 10000000);
  bytes = 4;
  CHECK(cuptiDeviceGetAttribute(0, CUPTI_DEVICE_ATTR_GLOBAL_MEMORY_BANDWIDTH, &bytes, &bandwidth) ==
        CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
  CHECK(cuptiDeviceGetAttribute(count, CUPTI_DEVICE_ATTR_DEVICE_CLASS, &bytes, &bandwidth) == CUPTI_ERROR_INVALID_DEVICE);
  CHECK(cuptiDeviceGetAttribute(0, CUPTI_DEVICE_ATTR_MAX_L2_UNITS, &bytes, &bandwidth) == CUPTI_ERROR_NOT_SUPPORTED);

  const auto kernels = recordsOf<CUpti_ActivityKernel9>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  const auto contexts = recordsOf<CUpti_ActivityContext2>(CUPTI_ACTIVITY_KIND_CONTEXT);
  CHECK(contexts.size() == 1 && contexts[0]->contextId == kernels[0]->contextId && contexts[0]->deviceId == 0);
  CHECK(std::any_of(kernels.begin(), kernels.end(), [&](const auto* one) { return one->streamId == contexts[0]->nullStreamId; }));
  const auto streams = recordsOf<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM);
  uint32_t id = 0;
  CUPTI(cuptiGetStreamIdEx(nullptr, stream, 0, &id));
  CHECK(streams.size() == 1 && streams[0]->streamId != id && streams[0]->contextId == contexts[0]->contextId);
  CHECK(streams[0]->flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING);

  const auto memories = recordsOf<CUpti_ActivityMemory3>(CUPTI_ACTIVITY_KIND_MEMORY2);
  const auto calls = recordsOf<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
  for (const auto* memory : memories) {
    CHECK(std::any_of(calls.begin(), calls.end(), [&](const auto* call) { return call->correlationId == memory->correlationId; }));
    CHECK(memory->deviceId == 0 && memory->contextId == contexts[0]->contextId);
  }
  CHECK(memories.size() == 7);
  const auto is_ = [&](size_t at, int operation, int kind, size_t size, bool async) {
    const CUpti_ActivityMemory3& one = *memories[at];
    return one.memoryOperationType == operation && one.memoryKind == kind && one.bytes == size && one.isAsync == async;
  };
  constexpr int kMade = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION, kGone = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  CHECK(is_(0, kMade, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 1000, false));
  CHECK(is_(1, kMade, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 2000, true));
  CHECK(is_(2, kMade, CUPTI_ACTIVITY_MEMORY_KIND_PINNED, 3000, false));
  CHECK(is_(3, kGone, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 2000, true) && memories[3]->address == memories[1]->address);
  CHECK(is_(4, kGone, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 1000, false) && memories[4]->address == memories[0]->address);
  CHECK(is_(5, kGone, CUPTI_ACTIVITY_MEMORY_KIND_PINNED, 3000, false));
  // What was there before anybody wanted records.
  CHECK(is_(6, kGone, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 64 * sizeof(int), false));
  CHECK(memories[6]->address == reinterpret_cast<uint64_t>(data));
  CHECK(memories[1]->streamId == id && memories[0]->streamId == UINT32_MAX);
}

void allocate(cudaStream_t stream) {
  void *one = nullptr, *two = nullptr, *three = nullptr;
  CUDA(cudaMalloc(&one, 1000));
  CUDA(cudaMallocAsync(&two, 2000, stream));
  CUDA(cudaMallocHost(&three, 3000));
  CHECK(cudaMalloc(nullptr, 8) != cudaSuccess && cudaGetLastError() != cudaSuccess);  // leaves no record
  CUDA(cudaFreeAsync(two, stream));
  CUDA(cudaFree(one));
  CUDA(cudaFreeHost(three));
  CUDA(cudaFree(nullptr));
}

const CUpti_ActivityKind kKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,     CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET,            CUPTI_ACTIVITY_KIND_RUNTIME,    CUPTI_ACTIVITY_KIND_DRIVER,
    CUPTI_ACTIVITY_KIND_OVERHEAD,          CUPTI_ACTIVITY_KIND_MARKER,     CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
    CUPTI_ACTIVITY_KIND_CUDA_EVENT,        CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
    CUPTI_ACTIVITY_KIND_DEVICE,            CUPTI_ACTIVITY_KIND_CONTEXT,    CUPTI_ACTIVITY_KIND_STREAM,
    CUPTI_ACTIVITY_KIND_MEMORY2};

void launch(int* data, cudaStream_t stream) {
  for (int i = 0; i < 10; ++i) twice<<<3, 64, 0, stream>>>(data);
}

void checkErrors() {
  CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_INVALID) == CUPTI_ERROR_INVALID_KIND);
  CHECK(cuptiGetLastError() == CUPTI_ERROR_INVALID_KIND && cuptiGetLastError() == CUPTI_SUCCESS);
  CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_PC_SAMPLING) == CUPTI_ERROR_INVALID_KIND);
  CHECK(cuptiActivityRegisterCallbacks(nullptr, completeBuffer) == CUPTI_ERROR_INVALID_PARAMETER);
  uint64_t last = 0;
  CHECK(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &last) == CUPTI_ERROR_QUEUE_EMPTY);
  CHECK(cuptiActivityEnableLatencyTimestamps(1) == CUPTI_ERROR_NOT_SUPPORTED);
  const char* text = nullptr;
  CUPTI(cuptiGetResultString(CUPTI_ERROR_INVALID_KIND, &text));
  CHECK(std::strstr(text, "PTI_ERROR_INVALID_KIND") != nullptr);
  CUPTI(cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, &text));
  CHECK(std::strstr(text, "LaunchKernel") != nullptr);
  uint32_t version = 0;
  CUPTI(cuptiGetVersion(&version));
  CHECK(version >= 18);
}

}  // namespace

int main() {
  checkErrors();
  Called called;
  CUpti_SubscriberHandle subscriber, second;
  CUPTI(cuptiSubscribe(&subscriber, calledBack, &called));
  CHECK(cuptiSubscribe(&second, calledBack, &called) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
  CUPTI(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE));
  CUPTI(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_SYNCHRONIZE));
  CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
  CUPTI(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020));
  uint32_t enabled = 0;
  CUPTI(cuptiGetCallbackState(&enabled, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020));
  CHECK(enabled == 1);

  int* data = nullptr;
  int host[64] = {1, 2, 3};
  cudaStream_t stream;
  cudaEvent_t event;
  CUDA(cudaMalloc(&data, sizeof host));
  int least = 0, greatest = 0;
  CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  CUDA(cudaEventCreate(&event));
  launch(data, stream);  // before anybody wants records
  CUDA(cudaDeviceSynchronize());

  CUPTI(cuptiActivityRegisterCallbacks(requestBuffer, completeBuffer));
  for (const CUpti_ActivityKind kind : kKinds) CUPTI(cuptiActivityEnable(kind));
  CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_KERNEL) == CUPTI_ERROR_NOT_COMPATIBLE);
  uint64_t begin = 0, end = 0;
  CUPTI(cuptiGetTimestamp(&begin));
  // By the vendor's names times are those of another clock.
#ifdef MUSASHIM_CUDA_LIBRARIES
  constexpr clockid_t kClock = CLOCK_REALTIME;
#else
  constexpr clockid_t kClock = CLOCK_MONOTONIC;
#endif
  timespec now{};
  CHECK(clock_gettime(kClock, &now) == 0);
  const uint64_t seconds = static_cast<uint64_t>(now.tv_sec);
  CHECK(begin / 1000000000 + 2 >= seconds && begin / 1000000000 <= seconds + 2);
  nvtxRangePushA("training");
  CUDA(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
  CUDA(cudaMemset(data, 1, 128));
  CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 7));
  launch(data, stream);
  launch(data, nullptr);
  CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, nullptr));
  nvtxMarkA("half");
  CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, 9));
  launch(data, stream);
  launch(data, nullptr);
  uint64_t last = 0;
  CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, &last));
  CHECK(last == 9);
  CUDA(cudaEventRecord(event, stream));
  CUDA(cudaStreamWaitEvent(nullptr, event, 0));
  CUDA(cudaEventSynchronize(event));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  nvtxRangePop();
  allocate(stream);
  cudaStream_t another;
  CUDA(cudaStreamCreateWithFlags(&another, cudaStreamNonBlocking));
  CUDA(cudaStreamDestroy(another));
  const int* const gone = data;
  CUDA(cudaFree(data));
  CUPTI(cuptiGetTimestamp(&end));
  CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  for (const CUpti_ActivityKind kind : kKinds) CUPTI(cuptiActivityDisable(kind));
  CUDA(cudaMalloc(&data, sizeof host));
  launch(data, stream);  // nobody wants records any more
  CUDA(cudaDeviceSynchronize());

  CHECK(requested >= 3 && completed >= 2);
  size_t dropped = 1;
  CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
  CHECK(dropped == 0);
  checkWork(begin, end);
  checkTheRest();
  checkObjects(gone, stream);
  CUPTI(cuptiUnsubscribe(subscriber));
  launch(data, nullptr);
  CUDA(cudaDeviceSynchronize());
  CHECK(called.enters.size() == 2);
  for (const auto& [name, count] : called.enters) CHECK(called.exits[name] == count);
  CHECK(called.symbol == "_Z5twicePi" && called.gridX == 3 && called.copied == sizeof host);
  CHECK(called.contexts == 1 && called.streams >= 1 && called.synchronized == 4);
  int launches = 0;
  for (const auto& [name, count] : called.enters) launches += name.find("LaunchKernel") != std::string::npos ? count : 0;
  CHECK(launches == 60);
  CUPTI(cuptiFinalize());
  std::puts("all as told");
}
