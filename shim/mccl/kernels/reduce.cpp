#include "mccl/kernels/reduce.h"

#include <cstring>

#include "mccl/kernels/fp8.h"
#include "mccl/kernels/kernel_table.h"

namespace musashim::mccl {
namespace {

const KernelTable& chooseTable() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2")) {
    return x86V3Kernels;
  }
#endif
  return baselineKernels;
}

const KernelTable& table() {
  static const KernelTable& kTable = chooseTable();
  return kTable;
}

template <class T>
uint64_t raw(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

uint64_t encodeBFloat16(float value) {
  const uint64_t bits = raw(value);
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;  // finite values only
}

}  // namespace

PastCacheCopy pastCacheCopy() { return table().copyPastCache; }

void pastCacheFence() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

ReduceKernel reduceKernel(mcclDataType_t type, Reduction reduction) {
  return table().rows[type].byReduction[static_cast<int>(reduction)];
}

uint64_t encodeElement(mcclDataType_t type, double value) {
  switch (type) {
    case mcclFloat64:
      return raw(value);
    case mcclFloat32:
      return raw(static_cast<float>(value));
    case mcclFloat16:
      return raw(static_cast<_Float16>(static_cast<float>(value)));
    case mcclBfloat16:
      return encodeBFloat16(static_cast<float>(value));
    case mcclFloat8e4m3:
      return fp8FromFloat(static_cast<float>(value), kE4m3);
    case mcclFloat8e5m2:
      return fp8FromFloat(static_cast<float>(value), kE5m2);
    default:
      return raw(static_cast<int64_t>(value));
  }
}

}  // namespace musashim::mccl
