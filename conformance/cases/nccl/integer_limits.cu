// Wrap-around, negative averages, NaN and infinity in reductions.
// requires: devices>=2
// links: nccl
#include <limits>

#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.integer_limits");

template <class T>
static std::vector<unsigned char> bytesOf(const std::vector<T>& values) {
  const unsigned char* first = reinterpret_cast<const unsigned char*>(values.data());
  return std::vector<unsigned char>(first, first + values.size() * sizeof(T));
}

template <class T>
static std::vector<T> reduced(const Ranks& ranks, ncclDataType_t type, ncclRedOp_t operation,
                              const std::vector<T>& zero, const std::vector<T>& one) {
  RankBuffer a(0, bytesOf(zero));
  RankBuffer b(1, bytesOf(one));
  RankBuffer* const buffers[] = {&a, &b};
  SETUP_NCCL(ncclGroupStart());
  for (int rank = 0; rank < 2; ++rank) {
    SETUP_NCCL(ncclAllReduce(buffers[rank]->data(), buffers[rank]->data(), zero.size(), type, operation,
                             ranks.comm(rank), ranks.stream(rank)));
  }
  SETUP_NCCL(ncclGroupEnd());
  ranks.synchronize();
  const std::vector<unsigned char> bytes = a.read();
  const T* values = reinterpret_cast<const T*>(bytes.data());
  return std::vector<T>(values, values + zero.size());
}

int main() {
  Ranks ranks(2);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  OBSERVE("int32_wraps", joined(reduced<int>(ranks, ncclInt32, ncclSum, {2147483647, -2147483647}, {1, -2})));
  OBSERVE("int32_average",
          joined(reduced<int>(ranks, ncclInt32, ncclAvg, {-3, 3, -1, 7, -8}, {-4, 4, 0, 7, 1})));
  const std::vector<signed char> small =
      reduced<signed char>(ranks, ncclInt8, ncclSum, {127, -128, 100}, {1, -1, 100});
  OBSERVE("int8_wraps", joined(std::vector<int>(small.begin(), small.end())));
  OBSERVE("uint32_min",
          joined(reduced<unsigned>(ranks, ncclUint32, ncclMin, {0xffffffffu, 0u}, {1u, 0x80000000u})));
  OBSERVE("float_sum_nan", joined(reduced<float>(ranks, ncclFloat32, ncclSum, {nan, infinity, infinity},
                                                 {1.0f, 1.0f, -infinity})));
  OBSERVE("float_max_infinity",
          joined(reduced<float>(ranks, ncclFloat32, ncclMax, {-infinity, -1.0f}, {infinity, -infinity})));
}
