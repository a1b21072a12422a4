// Counts kernels by CUPTI's events, as Kineto's sampler does: what a launch says is what is counted, from
// when a group is enabled, and each read begins anew.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(condition)                                \
  if (!(condition)) {                                   \
    std::printf("line %d: %s\n", __LINE__, #condition); \
    std::exit(1);                                       \
  }
#define CUPTI(call) CHECK((call) == CUPTI_SUCCESS)

__global__ void nothing() {}

static uint64_t readOne(CUpti_EventGroup group, CUpti_EventID event) {
  uint64_t value = ~0ull;
  size_t size = sizeof(value);
  CUPTI(cuptiEventGroupReadEvent(group, CUPTI_EVENT_READ_FLAG_NONE, event, &size, &value));
  CHECK(size == sizeof(value));
  return value;
}

static void launch(int blocks, int threads) {
  nothing<<<blocks, threads>>>();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

int main() {
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CUcontext context = nullptr;
  CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS);
  int warp = 0;
  CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0) == cudaSuccess);

  uint32_t domains = 0, count = 0;
  CUpti_EventDomainID domain = 0;
  size_t bytes = sizeof(domain);
  CUPTI(cuptiDeviceGetNumEventDomains(0, &domains));
  CUPTI(cuptiDeviceEnumEventDomains(0, &bytes, &domain));
  CHECK(domains == 1 && bytes == sizeof(domain));
  CUPTI(cuptiEventDomainGetNumEvents(domain, &count));
  std::vector<CUpti_EventID> known(count);
  bytes = count * sizeof(CUpti_EventID);
  CUPTI(cuptiEventDomainEnumEvents(domain, &bytes, known.data()));

  CUpti_EventID warps = 0, threads = 0, blocks = 0, none = 0;
  CUPTI(cuptiEventGetIdFromName(0, "warps_launched", &warps));
  CUPTI(cuptiEventGetIdFromName(0, "threads_launched", &threads));
  CUPTI(cuptiEventGetIdFromName(0, "sm_cta_launched", &blocks));
  CHECK(known == (std::vector<CUpti_EventID>{warps, threads, blocks}));
  CHECK(cuptiEventGetIdFromName(0, "inst_executed", &none) == CUPTI_ERROR_INVALID_EVENT_NAME);
  CHECK(cuptiEventGetIdFromName(99, "warps_launched", &none) == CUPTI_ERROR_INVALID_DEVICE);
  char name[64] = "";
  bytes = sizeof(name);
  CUPTI(cuptiEventGetAttribute(warps, CUPTI_EVENT_ATTR_NAME, &bytes, name));
  CHECK(std::strcmp(name, "warps_launched") == 0 && bytes == sizeof("warps_launched"));
  bytes = 3;
  CUPTI(cuptiEventGetAttribute(warps, CUPTI_EVENT_ATTR_NAME, &bytes, name));
  CHECK(bytes == 3);

  CUPTI(cuptiSetEventCollectionMode(context, CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS));
  CUpti_EventGroupSets* passes = nullptr;
  CHECK(cuptiEventGroupSetsCreate(context, sizeof(none), &none, &passes) == CUPTI_ERROR_INVALID_EVENT_ID);
  CUPTI(cuptiEventGroupSetsCreate(context, bytes = known.size() * sizeof(CUpti_EventID), known.data(),
                                  &passes));
  CHECK(passes->numSets == 1 && passes->sets->numEventGroups == 1);
  CUpti_EventGroup group = passes->sets->eventGroups[0];
  uint32_t all = 1, instances = 0;
  CUPTI(cuptiEventGroupSetAttribute(group, CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, sizeof(all),
                                    &all));
  bytes = sizeof(instances);
  CUPTI(cuptiEventGroupGetAttribute(group, CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT, &bytes, &instances));
  CHECK(instances == 1);

  uint64_t value = 0;
  bytes = sizeof(value);
  CHECK(cuptiEventGroupReadEvent(group, CUPTI_EVENT_READ_FLAG_NONE, warps, &bytes, &value) ==
        CUPTI_ERROR_INVALID_OPERATION);
  launch(7, 64);  // before anybody counts
  CUPTI(cuptiEventGroupSetEnable(passes->sets));
  CHECK(readOne(group, warps) == 0);
  launch(5, warp + 1);
  CHECK(readOne(group, warps) == 10);
  CHECK(readOne(group, warps) == 0);
  launch(2, 32);
  uint64_t values[3] = {};
  CUpti_EventID ids[3] = {};
  size_t valueBytes = sizeof(values), idBytes = sizeof(ids), read = 0;
  CUPTI(cuptiEventGroupReadAllEvents(group, CUPTI_EVENT_READ_FLAG_NONE, &valueBytes, values, &idBytes, ids,
                                     &read));
  CHECK(read == 3);
  for (int i = 0; i < 3; ++i) {
    if (ids[i] == warps) CHECK(values[i] == 2);
    if (ids[i] == threads) CHECK(values[i] == 5u * (warp + 1) + 64);
    if (ids[i] == blocks) CHECK(values[i] == 7);
  }
  CHECK(cuptiEventGroupAddEvent(group, warps) == CUPTI_ERROR_INVALID_OPERATION);  // it counts
  CUPTI(cuptiEventGroupSetDisable(passes->sets));
  launch(1, 1);
  CUPTI(cuptiEventGroupEnable(group));
  CHECK(readOne(group, blocks) == 0);
  CUPTI(cuptiEventGroupSetsDestroy(passes));
  launch(1, 1);

  // What is not counted is not told.
  uint32_t metrics = 7;
  CUpti_MetricID metric = 0;
  CUPTI(cuptiDeviceGetNumMetrics(0, &metrics));
  CHECK(metrics == 0);
  CHECK(cuptiMetricGetIdFromName(0, "achieved_occupancy", &metric) == CUPTI_ERROR_INVALID_METRIC_NAME);
  CUpti_Profiler_Initialize_Params initialize = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE, nullptr};
  CHECK(cuptiProfilerInitialize(&initialize) == CUPTI_ERROR_NOT_SUPPORTED);
  CUpti_Profiler_BeginSession_Params session = {CUpti_Profiler_BeginSession_Params_STRUCT_SIZE, nullptr};
  session.range = CUPTI_AutoRange;
  session.replayMode = CUPTI_KernelReplay;
  CHECK(cuptiProfilerBeginSession(&session) == CUPTI_ERROR_NOT_SUPPORTED);
  std::puts("all as told");
}
