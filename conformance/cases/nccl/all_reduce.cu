// All-reduce of every type with every operation, small numbers.
// requires: devices>=2
// links: nccl
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.all_reduce");

constexpr int kCount = 5;

template <class T>
static T converted(int value) {
  return static_cast<T>(value);
}
template <>
__half converted<__half>(int value) {
  return __float2half(static_cast<float>(value));
}
template <>
__nv_bfloat16 converted<__nv_bfloat16>(int value) {
  return __float2bfloat16(static_cast<float>(value));
}

static double plain(double value) { return value; }
static double plain(__half value) { return static_cast<double>(__half2float(value)); }
static double plain(__nv_bfloat16 value) { return static_cast<double>(__bfloat162float(value)); }

template <class T>
static std::vector<unsigned char> inputOf(int rank) {
  std::vector<unsigned char> bytes(kCount * sizeof(T));
  T* values = reinterpret_cast<T*>(bytes.data());
  for (int i = 0; i < kCount; ++i) values[i] = converted<T>(1 + i + 3 * rank);
  return bytes;
}

template <class T>
static void observeType(const Ranks& ranks, const std::string& name, ncclDataType_t type) {
  const ncclRedOp_t operations[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
  const char* const words[] = {"sum", "prod", "max", "min", "avg"};
  for (int op = 0; op < 5; ++op) {
    RankBuffer a(0, inputOf<T>(0));
    RankBuffer b(1, inputOf<T>(1));
    RankBuffer* const buffers[] = {&a, &b};
    SETUP_NCCL(ncclGroupStart());
    for (int rank = 0; rank < 2; ++rank) {
      SETUP_NCCL(ncclAllReduce(buffers[rank]->data(), buffers[rank]->data(), kCount, type, operations[op],
                               ranks.comm(rank), ranks.stream(rank)));
    }
    SETUP_NCCL(ncclGroupEnd());
    ranks.synchronize();
    const std::vector<unsigned char> first = a.read();
    std::vector<double> numbers;
    for (int i = 0; i < kCount; ++i) numbers.push_back(plain(reinterpret_cast<const T*>(first.data())[i]));
    OBSERVE(name + "." + words[op], joined(numbers) + (first == b.read() ? "" : " ranks differ"));
  }
}

int main() {
  Ranks ranks(2);
  observeType<signed char>(ranks, "int8", ncclInt8);
  observeType<unsigned char>(ranks, "uint8", ncclUint8);
  observeType<int>(ranks, "int32", ncclInt32);
  observeType<unsigned>(ranks, "uint32", ncclUint32);
  observeType<long long>(ranks, "int64", ncclInt64);
  observeType<unsigned long long>(ranks, "uint64", ncclUint64);
  observeType<__half>(ranks, "float16", ncclFloat16);
  observeType<float>(ranks, "float32", ncclFloat32);
  observeType<double>(ranks, "float64", ncclFloat64);
  observeType<__nv_bfloat16>(ranks, "bfloat16", ncclBfloat16);
}
