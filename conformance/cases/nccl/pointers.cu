// Which buffers a collective takes: null, host memory, nothing to do.
// requires: devices>=1
// links: nccl
#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.pointers");

int main() {
  Ranks ranks(1);
  const ncclComm_t comm = ranks.comm(0);
  const cudaStream_t stream = ranks.stream(0);
  int* data = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&data), 64));
  const int numbers[4] = {5, 6, 7, 8};
  SETUP(cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice));

  OBSERVE("one_rank", ncclAllReduce(data, data + 4, 4, ncclInt32, ncclSum, comm, stream));
  SETUP(cudaStreamSynchronize(stream));
  int read[4] = {};
  SETUP(cudaMemcpy(read, data + 4, sizeof read, cudaMemcpyDeviceToHost));
  OBSERVE("one_rank_values", joined(std::vector<int>(read, read + 4)));
  OBSERVE("one_rank_average", ncclAllReduce(data, data, 4, ncclInt32, ncclAvg, comm, stream));
  OBSERVE("zero_count", ncclAllReduce(data, data, 0, ncclInt32, ncclSum, comm, stream));
  OBSERVE("zero_count_null", ncclAllReduce(nullptr, nullptr, 0, ncclInt32, ncclSum, comm, stream));
  int count = 0;
  int rank = -1;
  int device = -1;
  OBSERVE("count", ncclCommCount(comm, &count));
  OBSERVE("count_value", count);
  OBSERVE("rank", ncclCommUserRank(comm, &rank));
  OBSERVE("rank_value", rank);
  OBSERVE("device", ncclCommCuDevice(comm, &device));
  OBSERVE("device_value", device);
  int version = 0;
  OBSERVE("version", ncclGetVersion(&version));
  OBSERVE("version_positive", version > 2000);
  OBSERVE("synchronise", cudaStreamSynchronize(stream));
}
