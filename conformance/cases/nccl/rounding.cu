// Results that have to be rounded, on two ranks, where the order makes no difference.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.rounding");

template <class T>
static void observeType(const Ranks& ranks, const std::string& name, ncclDataType_t type, double unit) {
  // 1 plus fractions of the last place: ties, and both sides of them.
  const std::vector<double> first{1, 1, 1 + unit, 1 + unit, 3, 7, 0.1, 1e-3};
  const std::vector<double> second{unit / 2, unit * 0.75, unit / 2, unit * 0.25, 1.0 / 3, 1.1, 0.2, 1e-4};
  const ncclRedOp_t operations[] = {ncclSum, ncclProd, ncclAvg};
  const char* const words[] = {"sum", "prod", "avg"};
  for (int op = 0; op < 3; ++op) {
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
  observeType<float>(ranks, "float32", ncclFloat32, 1.1920928955078125e-07);
  observeType<double>(ranks, "float64", ncclFloat64, 2.220446049250313e-16);
  observeType<__half>(ranks, "float16", ncclFloat16, 0.0009765625);
  observeType<__nv_bfloat16>(ranks, "bfloat16", ncclBfloat16, 0.0078125);
  observeType<__nv_fp8_e4m3>(ranks, "float8e4m3", ncclFloat8e4m3, 0.125);
  observeType<__nv_fp8_e5m2>(ranks, "float8e5m2", ncclFloat8e5m2, 0.25);
}
