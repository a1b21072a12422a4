// mp_31's matrix instructions of a squad: every type and shape with factors in shared memory by rows and by
// columns, with and without swizzle, beside sums in registers. Numbers are small integers, so that sums are
// exact. Checks itself.
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_fp8.h>
#include <musa_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

enum Format { kF16, kBf16, kTf32, kE4m3, kE5m2, kS8, kU8 };
int bytesOf(Format format) { return format == kTf32 ? 4 : format <= kBf16 ? 2 : 1; }

void encode(Format format, int number, unsigned char* to) {
  const auto put = [to](auto value) { memcpy(to, &value, sizeof value); };
  switch (format) {
    case kF16:
      return put(__float2half(float(number)));
    case kBf16:
      return put(__float2bfloat16(float(number)));
    case kTf32:
      return put(float(number));
    case kE4m3:
      return put(__mt_fp8_e4m3(float(number)).__x);
    case kE5m2:
      return put(__mt_fp8_e5m2(float(number)).__x);
    default:
      return put(uint8_t(number));
  }
}
int numberOf(Format format, unsigned i) {
  const int number = int(i * 2654435761u >> 20 & 15u);
  return format == kU8 ? number * 17 : format == kS8 ? number * 7 - 50 : number % 7 - 3;
}

constexpr unsigned kSharedBytes = 160 * 1024;

// A factor in shared memory: of `across` rows or columns, `along` elements each.
struct Factor {
  unsigned address, stride, granule;  // granules of 8 << granule bytes
  bool alongIsInner;

  // Granules of a line, of 256 bytes, change places with the line's number.
  unsigned place(Format format, int i, int k) const {
    const unsigned row = alongIsInner ? i : k, column = alongIsInner ? k : i;
    const unsigned at = address + row * stride + column * bytesOf(format);
    if (granule == 0) return at;
    const unsigned bytes = 8u << granule, line = at / 256;
    return line * 256 + ((at % 256 / bytes) ^ line % (256 / bytes)) * bytes + at % bytes;
  }
  int descriptor() const {
    return int(address | (31u - unsigned(__builtin_clz(stride)) - 2u) << 18 | granule << 21);
  }
};

struct Order {
  int a, b, columnsOfA, columnsOfB, negatesA, negatesB, withoutC, k, type;
};

#if __MUSA_ARCH__ == 310
#define MULTIPLY(M, N)                                                                                   \
  __musa_sqmma_m##M##n##N##_mma(sums, &order.a, &order.b, sums, order.columnsOfA, order.columnsOfB,      \
                                order.negatesA, order.negatesB, order.withoutC, 0, order.k, order.type); \
  __musa_tce_commit_group();                                                                             \
  __musa_tce_wait_group(0)
#else
#define MULTIPLY(M, N)
#endif
// Two squads with matrices of their own; the products run while others of the block wait.
#define SQUAD(M, N)                                                                                \
  __global__ void squad_##M##_##N(int* d, const int* c, const unsigned char* image, Order order) { \
    extern __shared__ __align__(4096) unsigned char shared[];                                      \
    constexpr int kSums = M * N / 128;                                                             \
    int sums[kSums];                                                                               \
    for (int i = 0; i < kSums; ++i) sums[i] = c[threadIdx.x * kSums + i];                          \
    for (unsigned i = threadIdx.x; i < kSharedBytes; i += blockDim.x) shared[i] = image[i];        \
    __syncthreads();                                                                               \
    MULTIPLY(M, N);                                                                                \
    for (int i = 0; i < kSums; ++i) d[threadIdx.x * kSums + i] = sums[i];                          \
  }
SQUAD(16, 64)
SQUAD(32, 32)
SQUAD(32, 64)
SQUAD(32, 128)
SQUAD(64, 16)
SQUAD(64, 32)
SQUAD(64, 64)
SQUAD(64, 128)
SQUAD(128, 32)
SQUAD(128, 64)
SQUAD(128, 128)

using Kernel = void (*)(int*, const int*, const unsigned char*, Order);
struct Shape {
  int m, n;
  Kernel kernel;
};
const Shape kShapes[] = {{16, 64, squad_16_64},   {32, 32, squad_32_32},    {32, 64, squad_32_64},
                         {32, 128, squad_32_128}, {64, 16, squad_64_16},    {64, 32, squad_64_32},
                         {64, 64, squad_64_64},   {64, 128, squad_64_128},  {128, 32, squad_128_32},
                         {128, 64, squad_128_64}, {128, 128, squad_128_128}};
struct Type {
  int number;
  Format a, b;
  int along[3];
};
const Type kTypes[] = {
    {0, kU8, kU8, {32, 64, 128}},      {1, kS8, kS8, {32, 64, 128}},      {2, kF16, kF16, {16, 32, 64}},
    {3, kBf16, kBf16, {16, 32, 64}},   {4, kTf32, kTf32, {8, 16, 32}},    {5, kE4m3, kE4m3, {32, 64, 128}},
    {6, kE5m2, kE5m2, {32, 64, 128}},  {8, kF16, kS8, {32, 64, 0}},       {10, kS8, kF16, {32, 64, 0}},
    {11, kE4m3, kE5m2, {32, 64, 128}}, {12, kE5m2, kE4m3, {32, 64, 128}}, {14, kBf16, kS8, {32, 64, 0}},
    {16, kS8, kBf16, {32, 64, 0}}};
bool exists(const Shape& shape, const Type& type) {
  if (type.number == 4)
    return !((shape.m == 32 || shape.m == 64) && shape.n == 128) && !(shape.m == 128 && shape.n == 32);
  if (type.number == 8 || type.number == 14) return !(shape.m == 64 && shape.n == 16);
  if (type.number == 10 || type.number == 16) return !(shape.m == 16 && shape.n == 64);
  return true;
}

unsigned stride(int elements, Format format, unsigned variant) {
  unsigned bytes = 8;
  while (bytes < unsigned(elements) * bytesOf(format)) bytes *= 2;
  return variant % 3 == 0 && bytes < 256 ? bytes * 2 : bytes;
}

int bits(float number) {
  int result;
  memcpy(&result, &number, 4);
  return result;
}

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  if (properties.major == 2) {
    printf("ok, mp_22 has none\n");
    return 0;
  }
  int *d, *c;
  unsigned char* image;
  musaMalloc(&d, 128 * 128 * 4);
  musaMalloc(&c, 128 * 128 * 4);
  musaMalloc(&image, kSharedBytes);
  int failures = 0, products = 0;
  unsigned variant = 0;
  for (const Shape& shape : kShapes) {
    musaFuncSetAttribute((const void*)shape.kernel, musaFuncAttributeMaxDynamicSharedMemorySize,
                         kSharedBytes);
    const int m = shape.m, n = shape.n, count = m * n / 128;
    for (const Type& type : kTypes) {
      if (!exists(shape, type)) continue;
      for (const int k : type.along) {
        if (k == 0) continue;
        // Either the number of this variant decides the order, or the one that fits.
        ++variant;
        const bool rowsOfA = m * bytesOf(type.a) > 256 || (variant & 1) != 0;
        const bool columnsOfB = n * bytesOf(type.b) > 256 || (variant & 2) != 0;
        const Factor left{variant % 5 * 16384 % 65536, stride(rowsOfA ? k : m, type.a, variant), variant % 4,
                          rowsOfA};
        const Factor right{81920 + variant % 3 * 4096, stride(columnsOfB ? k : n, type.b, variant / 3),
                           variant / 4 % 4, columnsOfB};
        const bool integers = type.number < 2;
        const Order order{left.descriptor(),
                          right.descriptor(),
                          !rowsOfA,
                          columnsOfB,
                          integers ? 0 : variant % 7 == 0,
                          integers ? 0 : variant % 11 == 0,
                          variant % 6 == 0,
                          k,
                          type.number};
        std::vector<unsigned char> bytes(kSharedBytes, 0x5a);
        std::vector<int> a(m * k), b(n * k), given(m * n), have(m * n), want(m * n);
        for (int i = 0; i < m * k; ++i) {
          a[i] = numberOf(type.a, unsigned(i) + variant);
          encode(type.a, a[i], &bytes[left.place(type.a, i % m, i / m)]);
        }
        for (int i = 0; i < n * k; ++i) {
          b[i] = numberOf(type.b, unsigned(i) * 5 + variant);
          encode(type.b, b[i], &bytes[right.place(type.b, i % n, i / n)]);
        }
        // mutlass: ((8, 4, 4), (2, N/16, M/16)) : ((M, 1, 4), (8M, 16M, 16)).
        for (int lane = 0; lane < 128; ++lane) {
          for (int value = 0; value < count; ++value) {
            const int row = lane / 8 % 4 + lane / 32 * 4 + value / (n / 8) * 16;
            const int column = lane % 8 + value % 2 * 8 + value / 2 % (n / 16) * 16;
            int sum = 0;
            for (int i = 0; i < k; ++i) sum += a[row + m * i] * b[column + n * i];
            if (order.negatesA != order.negatesB) sum = -sum;
            const int before = row * 2 - column;
            const int place = lane * count + value;
            given[place] = integers ? before : bits(float(before));
            sum += order.withoutC ? 0 : before;
            want[place] = integers ? sum : bits(float(sum));
          }
        }
        musaMemcpy(c, given.data(), given.size() * 4, musaMemcpyHostToDevice);
        musaMemcpy(image, bytes.data(), bytes.size(), musaMemcpyHostToDevice);
        shape.kernel<<<1, 128, kSharedBytes>>>(d, c, image, order);
        const musaError_t error = musaMemcpy(have.data(), d, have.size() * 4, musaMemcpyDeviceToHost);
        ++products;
        if (error == musaSuccess && have == want) continue;
        int bad = 0;
        for (size_t i = 0; i < have.size(); ++i) bad += have[i] != want[i];
        printf("%dx%dx%d of type %d (rows of a %d, columns of b %d, granules %u, %u): %s, %d differ\n", m, n,
               k, type.number, rowsOfA, columnsOfB, left.granule, right.granule, musaGetErrorString(error),
               bad);
        if (++failures > 5) return 1;
      }
    }
  }
  if (failures == 0) printf("ok, %d products\n", products);
  return failures != 0;
}
