// Nothing to do: counts of zero, null buffers with them, one rank alone.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.zero_counts");

int main() {
  Ranks ranks(2);
  const ncclComm_t comm = ranks.comm(0);
  const cudaStream_t stream = ranks.stream(0);
  // One rank of two alone: with nothing to do, it need not wait for the other.
  SETUP(cudaSetDevice(0));
  OBSERVE("all_reduce", ncclAllReduce(nullptr, nullptr, 0, ncclInt32, ncclSum, comm, stream));
  OBSERVE("broadcast", ncclBroadcast(nullptr, nullptr, 0, ncclInt32, 0, comm, stream));
  OBSERVE("reduce", ncclReduce(nullptr, nullptr, 0, ncclInt32, ncclSum, 1, comm, stream));
  OBSERVE("all_gather", ncclAllGather(nullptr, nullptr, 0, ncclInt32, comm, stream));
  OBSERVE("reduce_scatter", ncclReduceScatter(nullptr, nullptr, 0, ncclInt32, ncclSum, comm, stream));
  OBSERVE("synchronize", cudaStreamSynchronize(stream));
  OBSERVE("bad_root", ncclBroadcast(nullptr, nullptr, 0, ncclInt32, 7, comm, stream));
  OBSERVE("bad_type",
          ncclAllReduce(nullptr, nullptr, 0, static_cast<ncclDataType_t>(77), ncclSum, comm, stream));

  Fleet<int> data(2, [](int rank) { return std::vector<double>{1.0 + rank, 5}; });
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    SETUP_NCCL(ncclSend(data.data(r), 0, ncclInt32, 1 - r, ranks.comm(r), ranks.stream(r)));
    SETUP_NCCL(ncclRecv(data.data(r), 0, ncclInt32, 1 - r, ranks.comm(r), ranks.stream(r)));
  }
  OBSERVE("exchange", ncclGroupEnd());
  ranks.synchronize();
  OBSERVE("untouched", data.content());

  Ranks alone(1);
  Fleet<int> in(1, [](int) { return std::vector<double>{3, 4}; });
  Fleet<int> out(1, [](int) { return std::vector<double>{0, 0}; });
  onEveryRank(alone, [&](int) {
    return ncclAllReduce(in.data(0), out.data(0), 2, ncclInt32, ncclProd, alone.comm(0), alone.stream(0));
  });
  OBSERVE("one_rank_all_reduce", out.content());
  int factor = 3;
  ncclRedOp_t operation;
  SETUP_NCCL(
      ncclRedOpCreatePreMulSum(&operation, &factor, ncclInt32, ncclScalarHostImmediate, alone.comm(0)));
  onEveryRank(alone, [&](int) {
    return ncclAllReduce(in.data(0), out.data(0), 2, ncclInt32, operation, alone.comm(0), alone.stream(0));
  });
  OBSERVE("one_rank_scaled", out.content());
  onEveryRank(alone, [&](int) {
    return ncclReduceScatter(in.data(0), out.data(0), 2, ncclInt32, ncclAvg, alone.comm(0), alone.stream(0));
  });
  OBSERVE("one_rank_average", out.content());
}
