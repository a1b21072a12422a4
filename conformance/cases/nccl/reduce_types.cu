// Reduce, reduce-scatter and all-gather of every type.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.reduce_types");

struct Observe {
  const Ranks& ranks;
  template <class T>
  void operator()(const char* name, ncclDataType_t type, T) const {
    const std::string key = name;
    Fleet<T> send(2, [](int rank) { return std::vector<double>{1.0 + rank, 3, 5, 2.0 + rank}; });
    Fleet<T> receive(2, [](int) { return std::vector<double>(8, 0); });
    onEveryRank(ranks, [&](int r) {
      return ncclReduce(send.data(r), receive.data(r), 4, type, ncclSum, 1, ranks.comm(r), ranks.stream(r));
    });
    OBSERVE(key + ".reduce", receive.content());
    onEveryRank(ranks, [&](int r) {
      return ncclReduceScatter(send.data(r), receive.data(r), 2, type, ncclMax, ranks.comm(r),
                               ranks.stream(r));
    });
    OBSERVE(key + ".reduce_scatter", receive.content());
    onEveryRank(ranks, [&](int r) {
      return ncclAllGather(send.data(r), receive.data(r), 4, type, ranks.comm(r), ranks.stream(r));
    });
    OBSERVE(key + ".all_gather", receive.content());
  }
};

int main() {
  Ranks ranks(2);
  forEveryType(Observe{ranks});
}
