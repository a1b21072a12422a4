// The reduction kernels of one instruction set, MUSASHIM_MCCL_ISA; see CMakeLists.txt.
#include "mccl/kernels/element.h"
#include "mccl/kernels/fp8.h"
#include "mccl/kernels/kernel_table.h"

namespace musashim::mccl {
namespace {

struct Sum {
  template <class T>
  static T combine(T a, T b) {
    return Arithmetic<T>::add(a, b);
  }
};
struct Prod {
  template <class T>
  static T combine(T a, T b) {
    return Arithmetic<T>::multiply(a, b);
  }
};
struct Max {
  template <class T>
  static T combine(T a, T b) {
    return Arithmetic<T>::max(a, b);
  }
};
struct Min {
  template <class T>
  static T combine(T a, T b) {
    return Arithmetic<T>::min(a, b);
  }
};

template <class T>
const T* source(const ReduceInputs& inputs, int rank, size_t first) {
  return static_cast<const T*>(inputs.sources[rank]) + first;
}

template <class T>
T factorOf(const ReduceInputs& inputs, int rank) {
  T factor;
  __builtin_memcpy(&factor, &inputs.factors[rank], sizeof factor);
  return factor;
}

// What a source contributes.
struct AsItIs {
  template <class T>
  static T factor(const ReduceInputs&, int) {
    return {};
  }
  template <class T>
  static T of(T value, T) {
    return value;
  }
};
struct TimesFactor {
  template <class T>
  static T factor(const ReduceInputs& inputs, int rank) {
    return factorOf<T>(inputs, rank);
  }
  template <class T>
  static T of(T value, T factor) {
    return Arithmetic<T>::multiply(value, factor);
  }
};

// Sources [rank, rank + kSources), on top of what `sum` holds if `kGoesOn`.
template <int kSources, bool kGoesOn, class T, class Op, class Share>
void combine(T* sum, const ReduceInputs& inputs, int rank, size_t first, size_t count) {
  const T* sources[kSources];
  T factors[kSources];
  for (int i = 0; i < kSources; ++i) {
    sources[i] = source<T>(inputs, rank + i, first);
    factors[i] = Share::template factor<T>(inputs, rank + i);
  }
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; ++i) {
    T value = Share::of(sources[0][i], factors[0]);
    if constexpr (kGoesOn) value = Op::combine(sum[i], value);
#pragma clang loop unroll(full)
    for (int next = 1; next < kSources; ++next)
      value = Op::combine(value, Share::of(sources[next][i], factors[next]));
    sum[i] = value;
  }
}

// Four at a time: processors read from memory ahead for all of them at once, which takes half the time that
// one after the other does.
template <class T, class Op, class Share = AsItIs>
void reduce(void* out, const ReduceInputs& inputs, size_t first, size_t count) {
  T* sum = static_cast<T*>(out);
  int rank = 0;
  const auto begin = [&]<int kSources> {
    combine<kSources, false, T, Op, Share>(sum, inputs, 0, first, count);
    rank = kSources;
  };
  if (inputs.ranks >= 4) {
    begin.template operator()<4>();
  } else if (inputs.ranks >= 2) {
    begin.template operator()<2>();
  } else {
    begin.template operator()<1>();
  }
  for (; rank + 4 <= inputs.ranks; rank += 4) combine<4, true, T, Op, Share>(sum, inputs, rank, first, count);
  for (; rank < inputs.ranks; ++rank) combine<1, true, T, Op, Share>(sum, inputs, rank, first, count);
}

template <class T>
void sumThenDivide(void* out, const ReduceInputs& inputs, size_t first, size_t count) {
  reduce<T, Sum>(out, inputs, first, count);
  T* __restrict sum = static_cast<T*>(out);
  const auto ranks = static_cast<unsigned long long>(inputs.ranks);
  for (size_t i = 0; i < count; ++i) {
    // By magnitude, so that a rank count which T cannot hold divides right as well.
    const bool negative = isSigned<T>() && sum[i] < 0;
    const auto wide = static_cast<unsigned long long>(sum[i]);
    const unsigned long long quotient = (negative ? 0 - wide : wide) / ranks;
    sum[i] = static_cast<T>(negative ? 0 - quotient : quotient);
  }
}

template <bool kE5, Fp8Operation kOperation>
void fp8Reduce(void* out, const ReduceInputs& inputs, size_t first, size_t count) {
  const uint8_t* __restrict table = fp8Table(kE5, kOperation);
  auto* __restrict sum = static_cast<uint8_t*>(out);
  __builtin_memcpy(sum, source<uint8_t>(inputs, 0, first), count);
  for (int rank = 1; rank < inputs.ranks; ++rank) {
    const auto* __restrict next = source<uint8_t>(inputs, rank, first);
    for (size_t i = 0; i < count; ++i) sum[i] = table[256 * sum[i] + next[i]];
  }
}

template <bool kE5>
void fp8PreMulSum(void* out, const ReduceInputs& inputs, size_t first, size_t count) {
  const uint8_t* __restrict add = fp8Table(kE5, Fp8Operation::kSum);
  auto* __restrict sum = static_cast<uint8_t*>(out);
  for (int rank = 0; rank < inputs.ranks; ++rank) {
    // Multiplication commutes: the factor's row of the table.
    const uint8_t* __restrict row =
        fp8Table(kE5, Fp8Operation::kProd) + 256 * factorOf<uint8_t>(inputs, rank);
    const auto* __restrict next = source<uint8_t>(inputs, rank, first);
    if (rank == 0) {
      for (size_t i = 0; i < count; ++i) sum[i] = row[next[i]];
    } else {
      for (size_t i = 0; i < count; ++i) sum[i] = add[256 * sum[i] + row[next[i]]];
    }
  }
}

// Whole lines past the caches, the rest as usual.
void copyPastCache(void* to, const void* from, size_t bytes) {
#if defined(__AVX__)
  using Vector = long long __attribute__((vector_size(32)));
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  size_t head = -reinterpret_cast<uintptr_t>(out) & 31;
  if (head > bytes) head = bytes;
  __builtin_memcpy(out, in, head);
  size_t at = head;
  for (; at + 128 <= bytes; at += 128) {
    for (size_t i = 0; i < 128; i += 32) {
      Vector value;  // `in` may be aligned in another way than `out`
      __builtin_memcpy(&value, in + at + i, sizeof value);
      __builtin_nontemporal_store(value, reinterpret_cast<Vector*>(out + at + i));
    }
  }
  __builtin_memcpy(out + at, in + at, bytes - at);
#else
  __builtin_memcpy(to, from, bytes);
#endif
}

template <class T>
constexpr KernelRow kIntegerRow = {{reduce<T, Sum>, reduce<T, Prod>, reduce<T, Max>, reduce<T, Min>,
                                    reduce<T, Sum, TimesFactor>, sumThenDivide<T>}};
template <class T>
constexpr KernelRow kFloatRow = {
    {reduce<T, Sum>, reduce<T, Prod>, reduce<T, Max>, reduce<T, Min>, reduce<T, Sum, TimesFactor>, nullptr}};
template <bool kE5>
constexpr KernelRow kFp8Row = {{fp8Reduce<kE5, Fp8Operation::kSum>, fp8Reduce<kE5, Fp8Operation::kProd>,
                                fp8Reduce<kE5, Fp8Operation::kMax>, fp8Reduce<kE5, Fp8Operation::kMin>,
                                fp8PreMulSum<kE5>, nullptr}};

}  // namespace

const KernelTable MUSASHIM_MCCL_ISA = {{
                                           kIntegerRow<int8_t>,
                                           kIntegerRow<uint8_t>,
                                           kIntegerRow<int32_t>,
                                           kIntegerRow<uint32_t>,
                                           kIntegerRow<int64_t>,
                                           kIntegerRow<uint64_t>,
                                           kFloatRow<_Float16>,
                                           kFloatRow<float>,
                                           kFloatRow<double>,
                                           kFloatRow<BFloat16>,
                                           kFp8Row<false>,
                                           kFp8Row<true>,
                                       },
                                       copyPastCache};

}  // namespace musashim::mccl
