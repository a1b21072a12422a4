// All-reduce of every type with every operation on four ranks; numbers whose results are exact.
// requires: devices>=4
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.four_ranks_types");

struct Observe {
  const Ranks& ranks;
  template <class T>
  void operator()(const char* name, ncclDataType_t type, T) const {
    const ncclRedOp_t operations[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
    const char* const words[] = {"sum", "prod", "max", "min", "avg"};
    for (int op = 0; op < 5; ++op) {
      Fleet<T> data(4,
                    [](int rank) { return std::vector<double>{1, 2.0 + 2 * (rank % 2), 1.0 + rank % 2, 4}; });
      onEveryRank(ranks, [&](int r) {
        return ncclAllReduce(data.data(r), data.data(r), 4, type, operations[op], ranks.comm(r),
                             ranks.stream(r));
      });
      OBSERVE(std::string(name) + "." + words[op], data.content());
    }
  }
};

int main() {
  Ranks ranks(4);
  forEveryType(Observe{ranks});
}
