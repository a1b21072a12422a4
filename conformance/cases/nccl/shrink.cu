// Communicators made by leaving ranks out.
// requires: devices>=4
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.shrink");

static void observeShrink(const Ranks& ranks, const std::string& name, std::vector<int> excluded, int flags) {
  ncclComm_t rest[4] = {};
  auto isOut = [&](int r) {
    for (const int out : excluded) {
      if (out == r) return true;
    }
    return false;
  };
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 4; ++r) {
    if (isOut(r)) continue;
    SETUP_NCCL(ncclCommShrink(ranks.comm(r), excluded.data(), static_cast<int>(excluded.size()), &rest[r],
                              nullptr, flags));
  }
  OBSERVE(name, ncclGroupEnd());
  Fleet<int> data(4, [](int rank) { return std::vector<double>{1.0 + rank}; });
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 4; ++r) {
    if (!rest[r]) continue;
    SETUP_NCCL(ncclAllReduce(data.data(r), data.data(r), 1, ncclInt32, ncclSum, rest[r], ranks.stream(r)));
  }
  SETUP_NCCL(ncclGroupEnd());
  ranks.synchronize();
  OBSERVE(name + "_sums", data.content());
  std::string places;
  for (int r = 0; r < 4; ++r) {
    int count = 0, rank = -1;
    if (rest[r]) {
      SETUP_NCCL(ncclCommCount(rest[r], &count));
      SETUP_NCCL(ncclCommUserRank(rest[r], &rank));
    }
    places += std::to_string(rank) + " of " + std::to_string(count) + (r < 3 ? ", " : "");
  }
  OBSERVE(name + "_ranks", places);
  for (int r = 0; r < 4; ++r) {
    if (rest[r]) SETUP_NCCL(ncclCommDestroy(rest[r]));
  }
}

int main() {
  Ranks ranks(4);
  observeShrink(ranks, "without_one", {1}, NCCL_SHRINK_DEFAULT);
  observeShrink(ranks, "without_first", {0}, NCCL_SHRINK_DEFAULT);
  observeShrink(ranks, "without_two", {3, 0}, NCCL_SHRINK_DEFAULT);
  observeShrink(ranks, "with_abort", {2}, NCCL_SHRINK_ABORT);
}
