// What kernels made of Triton's IR call: types that C++ has not, arithmetic where C++'s differs from Triton's, products of matrices.
// One thread runs a program, so tensors are arrays of a thread's and loops over them become vector instructions.
#pragma once

namespace triton_musa {

template <class To, class From>
__device__ inline To bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

// Floats of 16 bits and the range of float's: arithmetic is float's, rounded to nearest even.
struct bf16 {
  uint16_t code;
  bf16() = default;
  __device__ bf16(float value) {
    const uint32_t word = bits<uint32_t>(value);
    const uint32_t rounded = (word + 0x7fff + ((word >> 16) & 1)) >> 16;
    code = static_cast<uint16_t>(value != value ? 0x7fff : rounded);
  }
  __device__ operator float() const { return bits<float>(static_cast<uint32_t>(code) << 16); }
};

// Floats of 8 bits by their exponent's width and bias. kFinite: no infinities, the greatest code is the only NaN ("FN").
// kUnsignedZero: the code of minus zero is the only NaN ("FNUZ").
template <int kExponent, int kBias, bool kFinite, bool kUnsignedZero>
struct f8 {
  uint8_t code;
  static constexpr int kMantissa = 7 - kExponent;
  static constexpr int kNan = kUnsignedZero ? 0x80 : 0x7f;
  // The code of the greatest number.
  static constexpr int kGreatest = kUnsignedZero ? 0x7f : kFinite ? 0x7e : (((1 << kExponent) - 1) << kMantissa) - 1;

  f8() = default;
  __device__ operator float() const {
    const int magnitude = code & 0x7f;
    const int exponent = magnitude >> kMantissa;
    const int fraction = magnitude & ((1 << kMantissa) - 1);
    const float normal = bits<float>(((exponent - kBias + 127) << 23) | (fraction << (23 - kMantissa)));
    const float tiny = static_cast<float>(fraction) * bits<float>((1 - kBias - kMantissa + 127) << 23);
    float value = exponent == 0 ? tiny : normal;
    if (!kFinite && !kUnsignedZero && exponent == (1 << kExponent) - 1) {
      value = fraction == 0 ? __builtin_inff() : __builtin_nanf("");
    }
    if (kUnsignedZero ? code == 0x80 : kFinite && magnitude == 0x7f) value = __builtin_nanf("");
    return code & 0x80 ? -value : value;
  }
  // Rounded to nearest even; beyond the greatest number: that number (kSaturate), or infinity or NaN.
  __device__ static f8 from(float value, bool saturate) {
    const uint32_t word = bits<uint32_t>(value);
    const int sign = (word >> 24) & 0x80;
    const float magnitude = __builtin_fabsf(value);
    const uint32_t plain = word & 0x7fffffff;
    // Codes of normal numbers: exponent and fraction as one integer, rounded at the last bit kept.
    constexpr int kDrop = 23 - kMantissa;
    const uint32_t rounded = (plain + (1u << (kDrop - 1)) - 1 + ((plain >> kDrop) & 1)) >> kDrop;
    const int normal = static_cast<int>(rounded) - ((127 - kBias) << kMantissa);
    // Codes of those below: the addition rounds.
    const float least = bits<float>((1 - kBias - kMantissa + 127) << 23);
    const float step = bits<float>((1 - kBias - kMantissa + 127 + 23) << 23);
    const int tiny = static_cast<int>(bits<uint32_t>(magnitude + step) - bits<uint32_t>(step));
    const float smallest = least * (1 << kMantissa);
    int result = magnitude < smallest ? tiny : normal;
    if (result > kGreatest) result = saturate ? kGreatest : kFinite || kUnsignedZero ? kNan : kGreatest + 1;
    if (plain == 0x7f800000 && !saturate) result = kFinite || kUnsignedZero ? kNan : kGreatest + 1;
    if (plain > 0x7f800000) result = kNan;
    f8 out;
    out.code = static_cast<uint8_t>(kUnsignedZero && (result == 0 || result == 0x80) ? result : result | sign);
    return out;
  }
  __device__ f8(float value) : code(from(value, true).code) {}
};
using f8e5m2 = f8<5, 15, false, false>;
using f8e4m3fn = f8<4, 7, true, false>;
using f8e5m2fnuz = f8<5, 16, false, true>;
using f8e4m3fnuz = f8<4, 8, false, true>;

// A float of 4 bits, and a power of two of 8 bits: what scaled products are made of.
__device__ inline float e2m1(int code) {
  const int magnitude = code & 7;
  const float value = magnitude < 2 ? magnitude * 0.5f : bits<float>((((magnitude >> 1) + 126) << 23) | ((magnitude & 1) << 22));
  return code & 8 ? -value : value;
}
__device__ inline float e8m0(int code) {
  if (code == 0xff) return __builtin_nanf("");
  return code == 0 ? bits<float>(0x00400000) : bits<float>(code << 23);
}

// Rounding towards zero, as fp_to_fp may ask for.
template <class To>
__device__ inline To toward_zero(float value) {
  To near = static_cast<To>(value);
  if (value == value && __builtin_fabsf(static_cast<float>(near)) > __builtin_fabsf(value)) {
    near = bits<To>(static_cast<decltype(bits<int16_t>(near))>(bits<int16_t>(near) - 1));
  }
  return near;
}

// Integers: division by zero and shifts beyond the width are undefined in Triton; here they end in a number, not in a signal.
template <class T>
__device__ inline T divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if (static_cast<T>(-1) < 0 && b == static_cast<T>(-1)) return static_cast<T>(0 - static_cast<uint64_t>(a));
  return a / b;
}
template <class T>
__device__ inline T remainder(T a, T b) {
  if (b == 0) return a;
  if (static_cast<T>(-1) < 0 && b == static_cast<T>(-1)) return 0;
  return a % b;
}
template <class T, class N>
__device__ inline T shift_left(T a, N by) {
  return static_cast<uint64_t>(by) < sizeof(T) * 8 ? static_cast<T>(static_cast<uint64_t>(a) << by) : T(0);
}
template <class T, class N>
__device__ inline T shift_right(T a, N by) {
  if (static_cast<uint64_t>(by) >= sizeof(T) * 8) return a < 0 ? static_cast<T>(-1) : T(0);
  return static_cast<T>(a >> by);
}
__device__ inline uint32_t multiply_high(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32);
}
__device__ inline uint64_t multiply_high(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
}
__device__ inline int64_t multiply_high(int64_t a, int64_t b) {
  return static_cast<int64_t>((static_cast<__int128>(a) * b) >> 64);
}
__device__ inline int32_t multiply_high(int32_t a, int32_t b) {
  return static_cast<int32_t>((static_cast<int64_t>(a) * b) >> 32);
}

// Floats to integers as the devices convert: NaN is 0, what is beyond the range is its end.
template <class To, class From>
__device__ inline To to_integer(From value) {
  constexpr bool kSigned = static_cast<To>(-1) < 0;
  constexpr int kWidth = sizeof(To) * 8;
  if (kWidth < 32) return static_cast<To>(to_integer<int32_t>(value));
  constexpr From kEnd = kWidth == 32 ? (kSigned ? From(2147483648.0) : From(4294967296.0))
                                     : (kSigned ? From(9223372036854775808.0) : From(18446744073709551616.0));
  constexpr To kGreatest = static_cast<To>(kSigned ? ~(uint64_t(1) << (kWidth - 1)) & (~uint64_t(0) >> (64 - kWidth)) : ~uint64_t(0));
  constexpr To kLeast = kSigned ? static_cast<To>(-kGreatest - 1) : To(0);
  if (!(value == value)) return 0;
  if (value >= kEnd) return kGreatest;
  if (kSigned ? value < -kEnd : value <= From(0)) return kLeast;
  return static_cast<To>(value);
}

// The greater and the lesser: of NaN and a number the number, or NaN. Without branches, which vectors have not.
template <class T>
__device__ inline T greater(T a, T b) {
  return (b != b) | (a > b) | ((a == b) & (__builtin_signbit(a) == 0)) ? a : b;
}
template <class T>
__device__ inline T lesser(T a, T b) {
  return (b != b) | (a < b) | ((a == b) & (__builtin_signbit(a) != 0)) ? a : b;
}
template <class T>
__device__ inline T greater_or_nan(T a, T b) {
  return (a != a) | (a > b) | ((a == b) & (__builtin_signbit(a) == 0)) ? a : b;
}
template <class T>
__device__ inline T lesser_or_nan(T a, T b) {
  return (a != a) | (a < b) | ((a == b) & (__builtin_signbit(a) != 0)) ? a : b;
}

// As matrix units take floats with the precision "tf32": 10 bits of fraction.
__device__ inline float tf32(float value) {
  const uint32_t word = bits<uint32_t>(value);
  return (word & 0x7f800000) == 0x7f800000 ? value : bits<float>((word + 0x1000) & 0xffffe000);
}

// c += a * b, all row after row.
template <int M, int N, int K, class T>
__device__ inline void multiply(const T* a, const T* b, T* c) {
  constexpr int kColumns = sizeof(T) == 8 ? 8 : 16;
  constexpr int kRows = 4;
  if constexpr (M % kRows == 0 && N % kColumns == 0) {
    for (int i = 0; i < M; i += kRows) {
      for (int j = 0; j < N; j += kColumns) {
        T sum[kRows][kColumns];
        for (int y = 0; y < kRows; ++y) {
          for (int x = 0; x < kColumns; ++x) sum[y][x] = c[(i + y) * N + j + x];
        }
        for (int k = 0; k < K; ++k) {
          for (int y = 0; y < kRows; ++y) {
            const T left = a[(i + y) * K + k];
            for (int x = 0; x < kColumns; ++x) sum[y][x] += left * b[k * N + j + x];
          }
        }
        for (int y = 0; y < kRows; ++y) {
          for (int x = 0; x < kColumns; ++x) c[(i + y) * N + j + x] = sum[y][x];
        }
      }
    }
  } else {
    for (int i = 0; i < M; ++i) {
      for (int k = 0; k < K; ++k) {
        const T left = a[i * K + k];
        for (int j = 0; j < N; ++j) c[i * N + j] += left * b[k * N + j];
      }
    }
  }
}

// Atomics: T's bits change by one comparison and exchange where the processor has no instruction for it.
template <int kBytes>
struct word_of;
template <>
struct word_of<1> {
  using type = uint8_t;
};
template <>
struct word_of<2> {
  using type = uint16_t;
};
template <>
struct word_of<4> {
  using type = uint32_t;
};
template <>
struct word_of<8> {
  using type = uint64_t;
};
template <class T, class Change>
__device__ inline T update(T* place, Change change) {
  using Word = typename word_of<sizeof(T)>::type;
  Word* const word = reinterpret_cast<Word*>(place);
  Word before = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &before, bits<Word>(static_cast<T>(change(bits<T>(before)))), false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
  }
  return bits<T>(before);
}
template <class T>
__device__ inline T compare_exchange(T* place, T expected, T desired) {
  using Word = typename word_of<sizeof(T)>::type;
  Word before = bits<Word>(expected);
  __atomic_compare_exchange_n(reinterpret_cast<Word*>(place), &before, bits<Word>(desired), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return bits<T>(before);
}
template <class T>
__device__ inline T exchange(T* place, T value) {
  using Word = typename word_of<sizeof(T)>::type;
  return bits<T>(__atomic_exchange_n(reinterpret_cast<Word*>(place), bits<Word>(value), __ATOMIC_ACQ_REL));
}

}  // namespace triton_musa
