// wmma.load, wmma.mma and wmma.store of inline PTX on integers of 8, 4 and 1 bits, and on doubles. What a
// lane holds is not said; what arrives in memory is.
#include "../../framework/buffers.h"
#include "../../framework/matrix_operands.h"

CONFORMANCE_CASE("language.ptx_wmma_integers");

__global__ void s8s32s32m16n16k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                  unsigned strideB, unsigned strideC) {
  unsigned left[2], right[2];
  int before[8];
  int after[8];
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%0, %1}, [%2], %3;"
               : "=r"(left[0]), "=r"(left[1])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.global.s8 {%0, %1}, [%2], %3;"
               : "=r"(right[0]), "=r"(right[1])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.global.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(before[0]), "=r"(before[1]), "=r"(before[2]), "=r"(before[3]), "=r"(before[4]),
                 "=r"(before[5]), "=r"(before[6]), "=r"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(after[0]), "=r"(after[1]), "=r"(after[2]), "=r"(after[3]), "=r"(after[4]), "=r"(after[5]),
        "=r"(after[6]), "=r"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(right[0]), "r"(right[1]), "r"(before[0]), "r"(before[1]),
        "r"(before[2]), "r"(before[3]), "r"(before[4]), "r"(before[5]), "r"(before[6]), "r"(before[7]));
  asm volatile(
      "wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
      :
      : "l"(d), "r"(after[0]), "r"(after[1]), "r"(after[2]), "r"(after[3]), "r"(after[4]), "r"(after[5]),
        "r"(after[6]), "r"(after[7]), "r"(strideC)
      : "memory");
}
__global__ void u8s32s32m16n16k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                  unsigned strideB, unsigned strideC) {
  unsigned left[2], right[2];
  int before[8];
  int after[8];
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.global.u8 {%0, %1}, [%2], %3;"
               : "=r"(left[0]), "=r"(left[1])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.global.u8 {%0, %1}, [%2], %3;"
               : "=r"(right[0]), "=r"(right[1])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.global.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(before[0]), "=r"(before[1]), "=r"(before[2]), "=r"(before[3]), "=r"(before[4]),
                 "=r"(before[5]), "=r"(before[6]), "=r"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.col.row.m16n16k16.s32.u8.u8.s32.satfinite {%0, %1, %2, %3, %4, %5, %6, %7}, "
      "{%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=r"(after[0]), "=r"(after[1]), "=r"(after[2]), "=r"(after[3]), "=r"(after[4]), "=r"(after[5]),
        "=r"(after[6]), "=r"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(right[0]), "r"(right[1]), "r"(before[0]), "r"(before[1]),
        "r"(before[2]), "r"(before[3]), "r"(before[4]), "r"(before[5]), "r"(before[6]), "r"(before[7]));
  asm volatile(
      "wmma.store.d.sync.aligned.col.m16n16k16.global.s32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
      :
      : "l"(d), "r"(after[0]), "r"(after[1]), "r"(after[2]), "r"(after[3]), "r"(after[4]), "r"(after[5]),
        "r"(after[6]), "r"(after[7]), "r"(strideC)
      : "memory");
}
__global__ void s8s32s32m32n8k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                 unsigned strideB, unsigned strideC) {
  unsigned left[4], right[1];
  int before[8];
  int after[8];
  asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.global.s8 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.global.s8 {%0}, [%1], %2;"
               : "=r"(right[0])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.global.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(before[0]), "=r"(before[1]), "=r"(before[2]), "=r"(before[3]), "=r"(before[4]),
                 "=r"(before[5]), "=r"(before[6]), "=r"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.row.row.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, "
      "%11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(after[0]), "=r"(after[1]), "=r"(after[2]), "=r"(after[3]), "=r"(after[4]), "=r"(after[5]),
        "=r"(after[6]), "=r"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(before[0]), "r"(before[1]),
        "r"(before[2]), "r"(before[3]), "r"(before[4]), "r"(before[5]), "r"(before[6]), "r"(before[7]));
  asm volatile("wmma.store.d.sync.aligned.row.m32n8k16.global.s32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
               :
               : "l"(d), "r"(after[0]), "r"(after[1]), "r"(after[2]), "r"(after[3]), "r"(after[4]),
                 "r"(after[5]), "r"(after[6]), "r"(after[7]), "r"(strideC)
               : "memory");
}
__global__ void s8s32s32m8n32k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                 unsigned strideB, unsigned strideC) {
  unsigned left[1], right[4];
  int before[8];
  int after[8];
  asm volatile("wmma.load.a.sync.aligned.col.m8n32k16.global.s8 {%0}, [%1], %2;"
               : "=r"(left[0])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m8n32k16.global.s8 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n32k16.global.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(before[0]), "=r"(before[1]), "=r"(before[2]), "=r"(before[3]), "=r"(before[4]),
                 "=r"(before[5]), "=r"(before[6]), "=r"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.col.col.m8n32k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, "
      "%10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};"
      : "=r"(after[0]), "=r"(after[1]), "=r"(after[2]), "=r"(after[3]), "=r"(after[4]), "=r"(after[5]),
        "=r"(after[6]), "=r"(after[7])
      : "r"(left[0]), "r"(right[0]), "r"(right[1]), "r"(right[2]), "r"(right[3]), "r"(before[0]),
        "r"(before[1]), "r"(before[2]), "r"(before[3]), "r"(before[4]), "r"(before[5]), "r"(before[6]),
        "r"(before[7]));
  asm volatile("wmma.store.d.sync.aligned.row.m8n32k16.global.s32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
               :
               : "l"(d), "r"(after[0]), "r"(after[1]), "r"(after[2]), "r"(after[3]), "r"(after[4]),
                 "r"(after[5]), "r"(after[6]), "r"(after[7]), "r"(strideC)
               : "memory");
}

// s4 and single bits have one shape each.
__global__ void nibbles(const void* a, const void* b, const int* c, int* d) {
  unsigned left, right;
  int before[2], after[2];
  asm volatile("wmma.load.a.sync.aligned.row.m8n8k32.s4 {%0}, [%1], 32;" : "=r"(left) : "l"(a) : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m8n8k32.s4 {%0}, [%1], 32;" : "=r"(right) : "l"(b) : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n8k32.s32 {%0, %1}, [%2], 8;"
               : "=r"(before[0]), "=r"(before[1])
               : "l"(c)
               : "memory");
  asm volatile("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(after[0]), "=r"(after[1])
               : "r"(left), "r"(right), "r"(before[0]), "r"(before[1]));
  asm volatile("wmma.store.d.sync.aligned.row.m8n8k32.s32 [%0], {%1, %2}, 8;"
               :
               : "l"(d), "r"(after[0]), "r"(after[1])
               : "memory");
}
__global__ void singleBits(const void* a, const void* b, const int* c, int* d) {
  unsigned left, right;
  int before[2], after[2];
  asm volatile("wmma.load.a.sync.aligned.row.m8n8k128.b1 {%0}, [%1];" : "=r"(left) : "l"(a) : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m8n8k128.b1 {%0}, [%1];" : "=r"(right) : "l"(b) : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n8k128.s32 {%0, %1}, [%2];"
               : "=r"(before[0]), "=r"(before[1])
               : "l"(c)
               : "memory");
  asm volatile("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(after[0]), "=r"(after[1])
               : "r"(left), "r"(right), "r"(before[0]), "r"(before[1]));
  asm volatile("wmma.store.d.sync.aligned.row.m8n8k128.s32 [%0], {%1, %2};"
               :
               : "l"(d), "r"(after[0]), "r"(after[1])
               : "memory");
}
__global__ void doubles(const double* a, const double* b, const double* c, double* d) {
  double left, right, before[2], after[2];
  asm volatile("wmma.load.a.sync.aligned.row.m8n8k4.f64 {%0}, [%1];" : "=d"(left) : "l"(a) : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m8n8k4.f64 {%0}, [%1];" : "=d"(right) : "l"(b) : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n8k4.f64 {%0, %1}, [%2];"
               : "=d"(before[0]), "=d"(before[1])
               : "l"(c)
               : "memory");
  asm volatile("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.rn {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(after[0]), "=d"(after[1])
               : "d"(left), "d"(right), "d"(before[0]), "d"(before[1]));
  asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%0], {%1, %2};"
               :
               : "l"(d), "d"(after[0]), "d"(after[1])
               : "memory");
}

constexpr NumberFormat kByte{0, 7, 0}, kWord{0, 31, 0};

struct Shape {
  unsigned m, n, k;
};
using Kernel = void (*)(const void*, const void*, const void*, void*, unsigned, unsigned, unsigned);

static std::vector<unsigned> drawn(OperandSource& source, NumberFormat format, size_t numbers) {
  std::vector<unsigned> words(numbers * static_cast<size_t>(format.width()) / 32);
  for (unsigned& word : words)
    word = format.exponentBits == 0 ? source.bits() : source.word(format, Numbers::kSmall);
  return words;
}

// Rows and columns lie further apart than they are long, on borders of 16 bytes.
static unsigned strideOf(unsigned elements) { return (elements + 15) / 16 * 16 + 16; }

template <class D>
static void observe(Kernel kernel, const char* name, NumberFormat format, NumberFormat sums, Shape shape,
                    const char* layoutA, const char* layoutB, const char* layoutC) {
  const bool rowsA = layoutA[0] == 'r', rowsB = layoutB[0] == 'r', rowsC = layoutC[0] == 'r';
  const unsigned strideA = strideOf(rowsA ? shape.k : shape.m), strideB = strideOf(rowsB ? shape.n : shape.k),
                 strideC = strideOf(rowsC ? shape.n : shape.m);
  OperandSource source(shape.m * 3 + shape.k);
  const DeviceArray<unsigned> a(drawn(source, format, strideA * 32)), b(drawn(source, format, strideB * 32)),
      c(drawn(source, sums, strideC * 32));
  const DeviceArray<D> d(strideC * 32, 0x55);
  kernel<<<1, 32>>>(a.data(), b.data(), c.data(), d.data(), strideA, strideB, strideC);
  OBSERVE(name, joined(d.read()));
}

static void observeIntegers(void (*kernel)(const void*, const void*, const int*, int*), const char* name) {
  OperandSource source(21);
  std::vector<unsigned> words(64);
  for (unsigned& word : words) word = source.bits();
  const DeviceArray<unsigned> a(words);
  for (unsigned& word : words) word = source.bits();
  const DeviceArray<unsigned> b(words);
  std::vector<int> sums(64);
  for (int& sum : sums) sum = static_cast<int>(source.bits());
  const DeviceArray<int> c(sums), d(64);
  kernel<<<1, 32>>>(a.data(), b.data(), c.data(), d.data());
  OBSERVE(name, joined(d.read()));
}

int main() {
  observe<int>(s8s32s32m16n16k16, "s8_s32_s32_m16n16k16", kByte, kWord, {16, 16, 16}, "row", "col", "row");
  observe<int>(u8s32s32m16n16k16, "u8_s32_s32_m16n16k16", kByte, kWord, {16, 16, 16}, "col", "row", "col");
  observe<int>(s8s32s32m32n8k16, "s8_s32_s32_m32n8k16", kByte, kWord, {32, 8, 16}, "row", "row", "row");
  observe<int>(s8s32s32m8n32k16, "s8_s32_s32_m8n32k16", kByte, kWord, {8, 32, 16}, "col", "col", "row");
  observeIntegers(nibbles, "nibbles");
  observeIntegers(singleBits, "single_bits");
  std::vector<double> values(64);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sqrt(static_cast<double>(i) + 0.3) - 4.0;
  const DeviceArray<double> a(values), d(64);
  doubles<<<1, 32>>>(a.data(), a.data() + 32, a.data(), d.data());
  OBSERVE("doubles", joined(d.read()));
}
