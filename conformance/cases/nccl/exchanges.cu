// All-to-all, gather, scatter, and collectives in place, on four ranks.
// requires: devices>=4
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.exchanges");

static std::vector<double> tens(int rank, int count) {
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(10 * (rank + 1) + i);
  return numbers;
}

int main() {
  Ranks ranks(4);
  Fleet<int> send(4, [](int rank) { return tens(rank, 8); });
  Fleet<int> receive(4, [](int) { return std::vector<double>(8, 0); });
  onEveryRank(ranks, [&](int r) {
    return ncclAlltoAll(send.data(r), receive.data(r), 2, ncclInt32, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("all_to_all", receive.content());
  for (const int root : {0, 3}) {
    const std::string name = std::to_string(root);
    Fleet<int> gathered(4, [](int) { return std::vector<double>(8, 0); });
    onEveryRank(ranks, [&](int r) {
      return ncclGather(send.data(r), gathered.data(r), 2, ncclInt32, root, ranks.comm(r), ranks.stream(r));
    });
    OBSERVE("gather_to_" + name, gathered.content());
    Fleet<int> scattered(4, [](int) { return std::vector<double>(2, 0); });
    onEveryRank(ranks, [&](int r) {
      return ncclScatter(send.data(r), scattered.data(r), 2, ncclInt32, root, ranks.comm(r), ranks.stream(r));
    });
    OBSERVE("scatter_from_" + name, scattered.content());
  }
  Fleet<int> place(4, [](int rank) { return tens(rank, 8); });
  onEveryRank(ranks, [&](int r) {
    return ncclReduceScatter(place.data(r), place.data(r) + 2 * r, 2, ncclInt32, ncclSum, ranks.comm(r),
                             ranks.stream(r));
  });
  OBSERVE("reduce_scatter_in_place", place.content());
  onEveryRank(ranks, [&](int r) {
    return ncclReduce(place.data(r), place.data(r), 8, ncclInt32, ncclMax, 2, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("reduce_in_place", place.content());
  onEveryRank(ranks, [&](int r) {
    return ncclGather(place.data(r) + 2 * r, place.data(r), 2, ncclInt32, 1, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("gather", place.of(1));
}
