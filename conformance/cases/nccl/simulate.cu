// The estimate of a group's time: nothing is done.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.simulate");

int main() {
  Ranks ranks(2);
  Fleet<int> data(2, [](int rank) { return std::vector<double>{1.0 + rank}; });
  ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    SETUP_NCCL(
        ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclSum, ranks.comm(r), ranks.stream(r)));
  }
  OBSERVE("end", ncclGroupSimulateEnd(&info));
  OBSERVE("takes_time", info.estimatedTime > 0);
  ranks.synchronize();
  OBSERVE("nothing_done", data.content());
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclSum, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("works_afterwards", data.content());
  ncclSimInfo_t wrong = NCCL_SIM_INFO_INITIALIZER;
  wrong.magic = 5;
  SETUP_NCCL(ncclGroupStart());
  OBSERVE("wrong_magic", ncclGroupSimulateEnd(&wrong));
}
