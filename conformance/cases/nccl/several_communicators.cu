// Two communicators of the same devices, in one group and on different streams.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.several_communicators");

int main() {
  Ranks first(2);
  Ranks second(2);
  Fleet<int> a(2, [](int rank) { return std::vector<double>{1.0 + rank}; });
  Fleet<int> b(2, [](int rank) { return std::vector<double>{10.0 + rank}; });
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    SETUP_NCCL(ncclAllReduce(a.data(r), a.data(r), 1, ncclInt32, ncclSum, first.comm(r), first.stream(r)));
    SETUP_NCCL(ncclAllReduce(b.data(r), b.data(r), 1, ncclInt32, ncclProd, second.comm(r), second.stream(r)));
  }
  OBSERVE("both_in_a_group", ncclGroupEnd());
  first.synchronize();
  second.synchronize();
  OBSERVE("first", a.content());
  OBSERVE("second", b.content());
  // Several collectives and messages of one communicator in one group, on two streams.
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    SETUP_NCCL(ncclAllReduce(a.data(r), a.data(r), 1, ncclInt32, ncclMax, first.comm(r), first.stream(r)));
    SETUP_NCCL(ncclBroadcast(b.data(r), b.data(r), 1, ncclInt32, 1, first.comm(r), second.stream(r)));
  }
  OBSERVE("two_streams", ncclGroupEnd());
  first.synchronize();
  second.synchronize();
  OBSERVE("two_streams_first", a.content());
  OBSERVE("two_streams_second", b.content());
  onEveryRank(first, [&](int r) {
    return ncclAllReduce(a.data(r), b.data(r), 1, ncclInt32, ncclSum, first.comm(r), nullptr);
  });
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    SETUP(cudaDeviceSynchronize());
  }
  OBSERVE("null_stream", b.content());
}
