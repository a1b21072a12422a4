// Communicators made from communicators by split.
// requires: devices>=4
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.split");

int main() {
  Ranks ranks(4);
  ncclComm_t parts[4] = {};
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 4; ++r) SETUP_NCCL(ncclCommSplit(ranks.comm(r), r % 2, -r, &parts[r], nullptr));
  OBSERVE("by_parity", ncclGroupEnd());
  for (int r = 0; r < 4; ++r) {
    const std::string name = std::to_string(r);
    int count = -1, rank = -1, device = -1;
    SETUP_NCCL(ncclCommCount(parts[r], &count));
    SETUP_NCCL(ncclCommUserRank(parts[r], &rank));
    SETUP_NCCL(ncclCommCuDevice(parts[r], &device));
    OBSERVE("count_" + name, count);
    OBSERVE("rank_" + name, rank);
    OBSERVE("device_" + name, device);
  }
  Fleet<int> data(4, [](int rank) { return std::vector<double>{1.0 + rank}; });
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 4; ++r) {
    SETUP_NCCL(ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclSum, parts[r], ranks.stream(r)));
  }
  OBSERVE("two_sums", ncclGroupEnd());
  ranks.synchronize();
  OBSERVE("sums", data.content());

  ncclComm_t some[4] = {};
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 4; ++r) {
    SETUP_NCCL(ncclCommSplit(ranks.comm(r), r == 2 ? NCCL_SPLIT_NOCOLOR : 5, 0, &some[r], nullptr));
  }
  OBSERVE("without_colour", ncclGroupEnd());
  OBSERVE("no_communicator", some[2] == nullptr);
  int count = -1, rank = -1;
  SETUP_NCCL(ncclCommCount(some[3], &count));
  SETUP_NCCL(ncclCommUserRank(some[3], &rank));
  OBSERVE("count_of_the_rest", count);
  OBSERVE("rank_of_the_last", rank);

  // The parent goes on, and the children outlive each other.
  for (int r = 0; r < 4; ++r) SETUP_NCCL(ncclCommDestroy(parts[r]));
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclMax, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("parent_still_works", data.content());
  for (int r = 0; r < 4; ++r) {
    if (some[r]) SETUP_NCCL(ncclCommDestroy(some[r]));
  }
  ncclComm_t none = nullptr;
  OBSERVE("null_parent", ncclCommSplit(nullptr, 0, 0, &none, nullptr));
  OBSERVE("null_result", ncclCommSplit(ranks.comm(0), 0, 0, nullptr, nullptr));
}
