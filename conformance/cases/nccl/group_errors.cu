// What goes wrong inside groups, and where it is said.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.group_errors");

int main() {
  Ranks ranks(2);
  Fleet<int> data(2, [](int rank) { return std::vector<double>{1.0 + rank}; });

  OBSERVE("start", ncclGroupStart());
  OBSERVE("bad_type_inside", ncclAllReduce(data.data(0), data.data(0), 1, static_cast<ncclDataType_t>(50),
                                           ncclSum, ranks.comm(0), ranks.stream(0)));
  OBSERVE("end_after_bad_type", ncclGroupEnd());
  OBSERVE("end_again", ncclGroupEnd());

  SETUP_NCCL(ncclGroupStart());
  SETUP_NCCL(ncclGroupStart());
  OBSERVE("bad_root_inside",
          ncclBroadcast(data.data(0), data.data(0), 1, ncclInt32, 9, ranks.comm(0), ranks.stream(0)));
  OBSERVE("inner_end", ncclGroupEnd());
  OBSERVE("outer_end", ncclGroupEnd());

  // The communicators are none the worse for it.
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclSum, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("works_afterwards", data.content());

  ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
  OBSERVE("simulate_without_start", ncclGroupSimulateEnd(&info));
}
