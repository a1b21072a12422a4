// NaN, zeros with signs, and results that do not fit, in the 8-bit floats.
// requires: devices>=2
// links: nccl
#include <cmath>

#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.special_values_fp8");

template <class T>
static void observeType(const Ranks& ranks, const std::string& name, ncclDataType_t type, double large) {
  const double nan = NAN;
  const std::vector<double> first{nan, 1, nan, 0.0, -0.0, -0.0, large, -large, 1.125};
  const std::vector<double> second{1, nan, nan, -0.0, 0.0, -0.0, large, -large, 16};
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
  observeType<__nv_fp8_e4m3>(ranks, "float8e4m3", ncclFloat8e4m3, 400);
  observeType<__nv_fp8_e5m2>(ranks, "float8e5m2", ncclFloat8e5m2, 50000);
}
