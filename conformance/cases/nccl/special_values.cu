// NaN, infinities, zeros with signs, and results that do not fit, on two ranks.
// requires: devices>=2
// links: nccl
#include <cmath>

#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.special_values");

template <class T>
static void observeType(const Ranks& ranks, const std::string& name, ncclDataType_t type, double large) {
  const double inf = INFINITY, nan = NAN;
  // Pairs: what rank 0 has and what rank 1 has.
  const std::vector<double> first{nan, 1, nan, inf, -inf, inf, 0.0, -0.0, -0.0, large, -large, inf};
  const std::vector<double> second{1, nan, nan, 1, 1, -inf, -0.0, 0.0, -0.0, large, -large, inf};
  const ncclRedOp_t operations[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
  const char* const words[] = {"sum", "prod", "max", "min", "avg"};
  for (int op = 0; op < 5; ++op) {
    Fleet<T> data(2, [&](int rank) { return rank == 0 ? first : second; });
    onEveryRank(ranks, [&](int r) {
      return ncclAllReduce(data.data(r), data.data(r), first.size(), type, operations[op], ranks.comm(r),
                           ranks.stream(r));
    });
    OBSERVE(name + "." + words[op], data.content());
  }
}

int main() {
  Ranks ranks(2);
  observeType<float>(ranks, "float32", ncclFloat32, 3e38);
  observeType<double>(ranks, "float64", ncclFloat64, 1.5e308);
  observeType<__half>(ranks, "float16", ncclFloat16, 60000);
  observeType<__nv_bfloat16>(ranks, "bfloat16", ncclBfloat16, 3e38);
}
