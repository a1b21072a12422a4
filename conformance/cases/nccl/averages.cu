// Averages of three ranks, of negative numbers and of numbers that do not divide.
// requires: devices>=3
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.averages");

template <class T>
static void observeType(const Ranks& ranks, const std::string& name, ncclDataType_t type,
                        const std::vector<double>& a, const std::vector<double>& b,
                        const std::vector<double>& c) {
  Fleet<T> data(3, [&](int rank) { return rank == 0 ? a : rank == 1 ? b : c; });
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(data.data(r), data.data(r), a.size(), type, ncclAvg, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE(name, data.content());
}

int main() {
  Ranks ranks(3);
  const std::vector<double> a{-1, -4, -7, 1, 5, -100}, b{-1, -4, 1, 1, 5, -100}, c{-3, -3, -1, 2, 6, -100};
  observeType<signed char>(ranks, "int8", ncclInt8, a, b, c);
  observeType<int>(ranks, "int32", ncclInt32, a, b, c);
  observeType<long long>(ranks, "int64", ncclInt64, a, b, c);
  const std::vector<double> d{1, 4, 7, 200, 255, 0}, e{1, 4, 1, 100, 255, 0}, f{2, 4, 1, 0, 255, 1};
  observeType<unsigned char>(ranks, "uint8", ncclUint8, d, e, f);
  observeType<unsigned>(ranks, "uint32", ncclUint32, d, e, f);
  observeType<unsigned long long>(ranks, "uint64", ncclUint64, d, e, f);
  const std::vector<double> zeros(6, 0);
  // One rank alone has something: no sum whose order matters.
  const std::vector<double> ones{1, 10, 100, 3, 0.5, -7};
  observeType<float>(ranks, "float32", ncclFloat32, ones, zeros, zeros);
  observeType<double>(ranks, "float64", ncclFloat64, ones, zeros, zeros);
  observeType<__half>(ranks, "float16", ncclFloat16, ones, zeros, zeros);
  observeType<__nv_bfloat16>(ranks, "bfloat16", ncclBfloat16, ones, zeros, zeros);
  observeType<__nv_fp8_e4m3>(ranks, "float8e4m3", ncclFloat8e4m3, ones, zeros, zeros);
  observeType<__nv_fp8_e5m2>(ranks, "float8e5m2", ncclFloat8e5m2, ones, zeros, zeros);
}
