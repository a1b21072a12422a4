// mp_22's matrix instructions and mp_31's of a warp, by the vendor's names: every type, shape and order of
// the factors. Where elements are is written here as mutlass's traits have it, as extents and strides.
// Numbers are small integers, so that sums are exact. Checks itself.
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_fp8.h>
#include <musa_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

struct Mode {
  int extent, stride;
};
struct Layout {
  std::vector<Mode> lane, value;

  static int part(const std::vector<Mode>& modes, int i) {
    int at = 0;
    for (const Mode& mode : modes) {
      at += i % mode.extent * mode.stride;
      i /= mode.extent;
    }
    return at;
  }
  int at(int lane_, int value_) const { return part(lane, lane_) + part(value, value_); }
};

enum class Format { kF16, kBf16, kTf32, kE4m3, kE5m2, kS8, kU8 };
int bitsOf(Format format) { return format == Format::kTf32 ? 32 : format <= Format::kBf16 ? 16 : 8; }

// Bits of a small integer.
uint32_t encode(Format format, int number) {
  const auto bitsAs = [](auto value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
  };
  switch (format) {
    case Format::kF16:
      return bitsAs(__float2half(float(number)));
    case Format::kBf16:
      return bitsAs(__float2bfloat16(float(number)));
    case Format::kTf32:
      return bitsAs(float(number)) | 0x123u;  // bits that the format has not
    case Format::kE4m3:
      return __mt_fp8_e4m3(float(number)).__x;
    case Format::kE5m2:
      return __mt_fp8_e5m2(float(number)).__x;
    default:
      return uint8_t(number);
  }
}

struct Product {
  int m, n, k, lanes;
  Format a, b;
  Layout layoutA, layoutB, sums;
  bool integers() const { return a >= Format::kS8; }
};

int numberOf(Format format, unsigned i) {
  const int number = int(i * 2654435761u >> 20 & 15u);
  return format == Format::kU8 ? number * 17 : format == Format::kS8 ? number * 15 - 100 : number % 7 - 3;
}

// Words of each lane; `multiply` launches the kernel.
template <typename Multiply>
int run(const char* name, const Product& p, int groups, Multiply multiply) {
  const int lanes = p.lanes * groups, wordsA = p.m * p.k * bitsOf(p.a) / 32 / p.lanes;
  const int wordsB = p.n * p.k * bitsOf(p.b) / 32 / p.lanes, wordsD = p.m * p.n / p.lanes;
  std::vector<uint32_t> a(lanes * wordsA), b(lanes * wordsB);
  std::vector<int> c(lanes * wordsD), d(lanes * wordsD), want(lanes * wordsD);
  for (int group = 0; group < groups; ++group) {
    std::vector<int> left(p.m * p.k), right(p.n * p.k);
    for (size_t i = 0; i < left.size(); ++i) left[i] = numberOf(p.a, unsigned(i + 7 * group));
    for (size_t i = 0; i < right.size(); ++i) right[i] = numberOf(p.b, unsigned(i * 3 + 1000 + group));
    const auto fill = [&](std::vector<uint32_t>& words, const Layout& layout, Format format,
                          const std::vector<int>& numbers, int count) {
      const int each = 32 / bitsOf(format);
      for (int lane = 0; lane < p.lanes; ++lane) {
        for (int value = 0; value < count * each; ++value)
          words[(group * p.lanes + lane) * count + value / each] |=
              encode(format, numbers[layout.at(lane, value)]) << value % each * (32 / each) % 32;
      }
    };
    fill(a, p.layoutA, p.a, left, wordsA);
    fill(b, p.layoutB, p.b, right, wordsB);
    for (int lane = 0; lane < p.lanes; ++lane) {
      for (int value = 0; value < wordsD; ++value) {
        const int at = p.sums.at(lane, value), row = at % p.m, column = at / p.m;
        int sum = row * 5 - column * 3;
        const int place = (group * p.lanes + lane) * wordsD + value;
        const auto asBits = [&](int number) {
          if (p.integers()) return number;
          int bits;
          const float real = float(number);
          memcpy(&bits, &real, 4);
          return bits;
        };
        c[place] = asBits(sum);
        for (int k = 0; k < p.k; ++k) sum += left[row + p.m * k] * right[column + p.n * k];
        want[place] = asBits(sum);
      }
    }
  }
  int *da, *db, *dc, *dd;
  musaMalloc(&da, a.size() * 4);
  musaMalloc(&db, b.size() * 4);
  musaMalloc(&dc, c.size() * 4);
  musaMalloc(&dd, d.size() * 4);
  musaMemcpy(da, a.data(), a.size() * 4, musaMemcpyHostToDevice);
  musaMemcpy(db, b.data(), b.size() * 4, musaMemcpyHostToDevice);
  musaMemcpy(dc, c.data(), c.size() * 4, musaMemcpyHostToDevice);
  multiply(dd, da, db, dc, lanes);
  const musaError_t error = musaMemcpy(d.data(), dd, d.size() * 4, musaMemcpyDeviceToHost);
  musaFree(da);
  musaFree(db);
  musaFree(dc);
  musaFree(dd);
  if (error == musaSuccess && d == want) return 0;
  int bad = 0;
  for (size_t i = 0; i < d.size(); ++i) bad += d[i] != want[i];
  printf("%s: %s, %d of %zu differ\n", name, musaGetErrorString(error), bad, d.size());
  return 1;
}

template <int kA, int kB, int kD, typename Multiply>
__device__ void onRegisters(int* d, const int* a, const int* b, const int* c, Multiply multiply) {
  const unsigned thread = threadIdx.x;
  int ra[kA], rb[kB], rc[kD];
  for (int i = 0; i < kA; ++i) ra[i] = a[thread * kA + i];
  for (int i = 0; i < kB; ++i) rb[i] = b[thread * kB + i];
  for (int i = 0; i < kD; ++i) rc[i] = c[thread * kD + i];
  multiply(rc, ra, rb, rc);  // in place, as GEMMs have it
  for (int i = 0; i < kD; ++i) d[thread * kD + i] = rc[i];
}

#define KERNEL(name, arch, kA, kB, kD, ...)                                                                  \
  __global__ void name(int* d, const int* a, const int* b, const int* c, int shape, int type) {              \
    ON_##arch(                                                                                               \
        onRegisters<kA, kB, kD>(                                                                             \
            d, a, b, c, [=] __device__(int* d, const int* a, const int* b, const int* c) { __VA_ARGS__; });) \
  }
#if __MUSA_ARCH__ == 220
#define ON_220(...) __VA_ARGS__
#else
#define ON_220(...)
#endif
#if __MUSA_ARCH__ == 310
#define ON_310(...) __VA_ARGS__
#else
#define ON_310(...)
#endif

#define OWN(type, kA, kB, size, flag) \
  KERNEL(type##_##size, 220, kA, kB, 8, __musa_##type##_##size##_mma(d, a, b, c, 0, 0, 0, 0, flag, shape))
OWN(fmma, 2, 2, m32n32k16, 1)
OWN(bfmma, 2, 2, m32n32k16, 1)
OWN(tfmma, 2, 2, m32n32k8, 1)
OWN(imma, 2, 2, m32n32k32, 1)
OWN(fmma, 4, 4, m16n16k16, 1)
OWN(bfmma, 4, 4, m16n16k16, 0)
OWN(fmma, 2, 8, m8n32k16, 1)
OWN(bfmma, 2, 8, m8n32k16, 0)

#define WARP(M, N, K, bits)                                                                      \
  KERNEL(warp_##M##_##N##_##K##_##bits, 310, M* K* bits / 1024, N * K * bits / 1024, M * N / 32, \
         __musa_wmma_m##M##n##N##k##K##_mma(d, a, b, c, 0, 0, 0, 0, type == 1, shape, type))
WARP(16, 8, 16, 8)
WARP(8, 16, 16, 8)
WARP(16, 16, 16, 8)
WARP(16, 16, 32, 8)
WARP(16, 16, 64, 8)
WARP(16, 8, 8, 16)
WARP(16, 8, 16, 16)
WARP(8, 16, 16, 16)
WARP(16, 16, 16, 16)
WARP(16, 16, 32, 16)
WARP(16, 8, 4, 32)
WARP(16, 8, 8, 32)

// The traits of mp_22. Shapes 0 to 3 are TT, TN, NT, NN: a's second letter is its layout, T is along k.
const Layout kSums32x32{{{8, 32}, {4, 1}, {2, 256}, {2, 4}}, {{2, 512}, {4, 8}}};
const Layout kRow32x16{{{4, 64}, {16, 1}, {2, 256}}, {{2, 32}, {2, 16}}},
    kCol32x16{{{8, 2}, {16, 32}}, {{2, 1}, {2, 16}}};
const Layout kRow32x8{{{4, 32}, {16, 1}, {2, 128}}, {{2, 16}}}, kCol32x8{{{16, 1}, {8, 32}}, {{2, 16}}};
const Layout kRow32x32{{{4, 128}, {16, 1}, {2, 512}}, {{4, 32}, {2, 16}}},
    kCol32x32{{{4, 4}, {32, 32}}, {{4, 1}, {2, 16}}};
// Of 32 lanes.
const Layout kSums16x16{{{8, 1}, {4, 16}}, {{2, 8}, {4, 64}}}, kSums8x32{{{8, 1}, {4, 8}}, {{8, 32}}};
const Layout kK16x16{{{4, 32}, {8, 1}}, {{2, 16}, {2, 128}, {2, 8}}},
    kMn16x16{{{4, 2}, {8, 16}}, {{2, 1}, {2, 8}, {2, 128}}};
const Layout kK8x16{{{4, 16}, {8, 1}}, {{2, 8}, {2, 64}}}, kMn8x16{{{4, 2}, {8, 8}}, {{2, 1}, {2, 64}}};
const Layout kK32x16{{{4, 64}, {8, 1}}, {{2, 32}, {2, 256}, {4, 8}}},
    kMn32x16{{{4, 2}, {8, 32}}, {{2, 1}, {4, 8}, {2, 256}}};

int failures = 0;

template <typename MakeProduct>
void forShapes(const char* name, void (*kernel)(int*, const int*, const int*, const int*, int, int), int type,
               MakeProduct product) {
  for (int shape = 0; shape < 4; ++shape) {
    const Product p = product(shape);
    failures += run(name, p, p.lanes == 128 ? 2 : 3,
                    [&](int* d, const int* a, const int* b, const int* c, int threads) {
                      kernel<<<1, threads>>>(d, a, b, c, shape, type);
                    });
  }
}
#define FOR_SHAPES(kernel, type, ...) forShapes(#kernel, kernel, type, __VA_ARGS__)

void ofMp22() {
  const auto squad = [](int k, Format format, const Layout& row, const Layout& col) {
    return [=](int shape) {
      return Product{32,        32, k, 128, format, format, shape & 2 ? col : row, shape & 1 ? row : col,
                     kSums32x32};
    };
  };
  FOR_SHAPES(fmma_m32n32k16, 0, squad(16, Format::kF16, kRow32x16, kCol32x16));
  FOR_SHAPES(bfmma_m32n32k16, 0, squad(16, Format::kBf16, kRow32x16, kCol32x16));
  FOR_SHAPES(tfmma_m32n32k8, 0, squad(8, Format::kTf32, kRow32x8, kCol32x8));
  FOR_SHAPES(imma_m32n32k32, 0, squad(32, Format::kS8, kRow32x32, kCol32x32));
  const auto warp = [](int m, int n, Format format, const Layout& sums, const Layout& alongA,
                       const Layout& acrossA, const Layout& alongB, const Layout& acrossB) {
    return [=](int shape) {
      return Product{
          m, n, 16, 32, format, format, shape & 2 ? acrossA : alongA, shape & 1 ? alongB : acrossB, sums};
    };
  };
  FOR_SHAPES(fmma_m16n16k16, 0, warp(16, 16, Format::kF16, kSums16x16, kK16x16, kMn16x16, kK16x16, kMn16x16));
  FOR_SHAPES(bfmma_m16n16k16, 0,
             warp(16, 16, Format::kBf16, kSums16x16, kK16x16, kMn16x16, kK16x16, kMn16x16));
  FOR_SHAPES(fmma_m8n32k16, 0, warp(8, 32, Format::kF16, kSums8x32, kK8x16, kMn8x16, kK32x16, kMn32x16));
  FOR_SHAPES(bfmma_m8n32k16, 0, warp(8, 32, Format::kBf16, kSums8x32, kK8x16, kMn8x16, kK32x16, kMn32x16));
}

void ofMp31() {
  const auto factor = [](int bits, int m, int k, bool along) {
    return along ? Layout{{{4, m * 32 / bits}, {8, 1}},
                          {{32 / bits, m}, {k * bits / 128, 128 * m / bits}, {m / 8, 8}}}
                 : Layout{{{bits / 4, 32 / bits}, {128 / bits, m}},
                          {{32 / bits, 1}, {m / 8, 8}, {k * bits / 128, 128 * m / bits}}};
  };
  const auto warp = [&](int m, int n, int k, Format a, Format b) {
    return [=](int shape) {
      return Product{m,
                     n,
                     k,
                     32,
                     a,
                     b,
                     factor(bitsOf(a), m, k, (shape & 2) == 0),
                     factor(bitsOf(b), n, k, (shape & 1) != 0),
                     {{{8, m}, {4, 1}}, {{n / 8, m * 8}, {m / 4, 4}}}};
    };
  };
#define BYTES(kType, A, B)                                    \
  FOR_SHAPES(warp_16_8_16_8, kType, warp(16, 8, 16, A, B));   \
  FOR_SHAPES(warp_8_16_16_8, kType, warp(8, 16, 16, A, B));   \
  FOR_SHAPES(warp_16_16_16_8, kType, warp(16, 16, 16, A, B)); \
  FOR_SHAPES(warp_16_16_32_8, kType, warp(16, 16, 32, A, B)); \
  FOR_SHAPES(warp_16_16_64_8, kType, warp(16, 16, 64, A, B))
  BYTES(0, Format::kU8, Format::kU8);
  BYTES(1, Format::kS8, Format::kS8);
  BYTES(5, Format::kE4m3, Format::kE4m3);
  BYTES(6, Format::kE5m2, Format::kE5m2);
  BYTES(11, Format::kE4m3, Format::kE5m2);
  BYTES(12, Format::kE5m2, Format::kE4m3);
#define HALVES(kType, A)                                       \
  FOR_SHAPES(warp_16_8_8_16, kType, warp(16, 8, 8, A, A));     \
  FOR_SHAPES(warp_16_8_16_16, kType, warp(16, 8, 16, A, A));   \
  FOR_SHAPES(warp_8_16_16_16, kType, warp(8, 16, 16, A, A));   \
  FOR_SHAPES(warp_16_16_16_16, kType, warp(16, 16, 16, A, A)); \
  FOR_SHAPES(warp_16_16_32_16, kType, warp(16, 16, 32, A, A))
  HALVES(2, Format::kF16);
  HALVES(3, Format::kBf16);
  FOR_SHAPES(warp_16_8_4_32, 4, warp(16, 8, 4, Format::kTf32, Format::kTf32));
  FOR_SHAPES(warp_16_8_8_32, 4, warp(16, 8, 8, Format::kTf32, Format::kTf32));
}

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  properties.major == 2 ? ofMp22() : ofMp31();
  if (failures == 0) printf("ok\n");
  return failures != 0;
}
