// One thread per rank, joined by a unique id.
// requires: devices>=2
// links: nccl
#include <thread>

#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.ranks_in_threads");

struct Report {
  ncclResult_t init = ncclInternalError;
  int count = -1;
  int rank = -1;
  int device = -1;
  ncclResult_t call = ncclInternalError;
  float value = 0.0f;
  ncclResult_t destroy = ncclInternalError;
};

static void work(int rank, ncclUniqueId id, Report* report) {
  SETUP(cudaSetDevice(rank));
  ncclComm_t comm;
  report->init = ncclCommInitRank(&comm, 2, id, rank);
  if (report->init != ncclSuccess) return;
  ncclCommCount(comm, &report->count);
  ncclCommUserRank(comm, &report->rank);
  ncclCommCuDevice(comm, &report->device);
  DeviceArray<float> data(std::vector<float>{static_cast<float>(rank) + 0.5f});
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));
  report->call = ncclAllReduce(data.data(), data.data(), 1, ncclFloat32, ncclSum, comm, stream);
  SETUP(cudaStreamSynchronize(stream));
  report->value = data.read()[0];
  report->destroy = ncclCommDestroy(comm);
}

int main() {
  ncclUniqueId id;
  OBSERVE("unique_id", ncclGetUniqueId(&id));
  Report reports[2];
  std::thread first(work, 0, id, &reports[0]);
  std::thread second(work, 1, id, &reports[1]);
  first.join();
  second.join();
  for (int rank = 0; rank < 2; ++rank) {
    const std::string prefix = "rank_" + std::to_string(rank) + ".";
    const Report& report = reports[rank];
    OBSERVE(prefix + "init", report.init);
    OBSERVE(prefix + "count", report.count);
    OBSERVE(prefix + "rank", report.rank);
    OBSERVE(prefix + "device", report.device);
    OBSERVE(prefix + "call", report.call);
    OBSERVE(prefix + "value", report.value);
    OBSERVE(prefix + "destroy", report.destroy);
  }
}
