// mma.sync of inline PTX on integers of 8, 4 and 1 bits, and on doubles: every shape of devices before sm_90.
#include "../../framework/buffers.h"
#include "../../framework/matrix_operands.h"

CONFORMANCE_CASE("language.ptx_mma_integers");

constexpr int kLanes = 32, kProducts = 40;

__device__ void s8s8Square(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void s8s8K16(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void s8s8K32(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void u8u8Square(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void u8u8K16(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void u8u8K32(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void s8u8Square(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void s8u8K16(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void s8u8K32(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void u8s8Square(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void u8s8K16(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void u8s8K32(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void s8s8SquareLimited(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void s8s8Limited(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%10, %11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void u8u8SquareLimited(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void u8u8Limited(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%10, %11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void s4s4Square(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void s4s4K32(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void s4s4K64(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void u4u4Square(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void u4u4K32(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void u4u4K64(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void s4u4Square(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void s4u4K32(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void s4u4K64(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void xorSquare(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void xorK128(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, "
      "%9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void xorK256(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%10, %11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}
__device__ void andSquare(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void andK128(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, "
      "%9, %10};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void andK256(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%10, %11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]),
        "r"(c[3]));
}

// A warp a product; each lane's words are side by side.
template <int kA, int kB, int kC,
          void (*kMultiply)(const unsigned*, const unsigned*, const unsigned*, unsigned*)>
__global__ void products(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned left[kA], right[kB], before[kC], after[kC];
  for (int i = 0; i < kA; ++i) left[i] = a[thread * kA + unsigned(i)];
  for (int i = 0; i < kB; ++i) right[i] = b[thread * kB + unsigned(i)];
  for (int i = 0; i < kC; ++i) before[i] = c[thread * kC + unsigned(i)];
  kMultiply(left, right, before, after);
  for (int i = 0; i < kC; ++i) d[thread * kC + unsigned(i)] = after[i];
}

template <int kA, int kB, int kC,
          void (*kMultiply)(const unsigned*, const unsigned*, const unsigned*, unsigned*)>
static void observe(const char* name) {
  OperandSource source(5);
  std::vector<unsigned> a(kProducts * kLanes * kA), b(kProducts * kLanes * kB), c(kProducts * kLanes * kC);
  for (unsigned& word : a) word = source.bits();
  for (unsigned& word : b) word = source.bits();
  // Near both ends of what a sum can hold, and near 0.
  for (unsigned& word : c) {
    const unsigned ends[] = {0u, 0x7fffff00u, 0x80000000u, 0u};
    word = ends[source.bits() % 4u] + source.bits() % 1000u;
  }
  const DeviceArray<unsigned> deviceA(a), deviceB(b), deviceC(c), d(c.size());
  products<kA, kB, kC, kMultiply>
      <<<kProducts, kLanes>>>(deviceA.data(), deviceB.data(), deviceC.data(), d.data());
  OBSERVE(name, joined(d.read()));
}

__global__ void doubles(const double* a, const double* b, const double* c, double* d) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(d[thread * 2]), "=d"(d[thread * 2 + 1])
               : "d"(a[thread]), "d"(b[thread]), "d"(c[thread * 2]), "d"(c[thread * 2 + 1]));
}

static void observeDoubles() {
  OperandSource source(9);
  const auto draw = [&](size_t count) {
    std::vector<double> values(count);
    for (double& value : values) {
      const int power = static_cast<int>(source.bits() % 9u);
      value = std::ldexp(static_cast<double>(source.bits()) * 3.7e-9 - 1.1, power);
    }
    return values;
  };
  const DeviceArray<double> a(draw(kProducts * kLanes)), b(draw(kProducts * kLanes)),
      c(draw(kProducts * kLanes * 2)), d(kProducts * kLanes * 2);
  doubles<<<kProducts, kLanes>>>(a.data(), b.data(), c.data(), d.data());
  OBSERVE("doubles", joined(d.read()));
}

int main() {
  observe<1, 1, 2, s8s8Square>("s8s8_square");
  observe<2, 1, 4, s8s8K16>("s8s8_k16");
  observe<4, 2, 4, s8s8K32>("s8s8_k32");
  observe<1, 1, 2, u8u8Square>("u8u8_square");
  observe<2, 1, 4, u8u8K16>("u8u8_k16");
  observe<4, 2, 4, u8u8K32>("u8u8_k32");
  observe<1, 1, 2, s8u8Square>("s8u8_square");
  observe<2, 1, 4, s8u8K16>("s8u8_k16");
  observe<4, 2, 4, s8u8K32>("s8u8_k32");
  observe<1, 1, 2, u8s8Square>("u8s8_square");
  observe<2, 1, 4, u8s8K16>("u8s8_k16");
  observe<4, 2, 4, u8s8K32>("u8s8_k32");
  observe<1, 1, 2, s8s8SquareLimited>("s8s8_square_limited");
  observe<4, 2, 4, s8s8Limited>("s8s8_limited");
  observe<1, 1, 2, u8u8SquareLimited>("u8u8_square_limited");
  observe<4, 2, 4, u8u8Limited>("u8u8_limited");
  observe<1, 1, 2, s4s4Square>("s4s4_square");
  observe<2, 1, 4, s4s4K32>("s4s4_k32");
  observe<4, 2, 4, s4s4K64>("s4s4_k64");
  observe<1, 1, 2, u4u4Square>("u4u4_square");
  observe<2, 1, 4, u4u4K32>("u4u4_k32");
  observe<4, 2, 4, u4u4K64>("u4u4_k64");
  observe<1, 1, 2, s4u4Square>("s4u4_square");
  observe<2, 1, 4, s4u4K32>("s4u4_k32");
  observe<4, 2, 4, s4u4K64>("s4u4_k64");
  observe<1, 1, 2, xorSquare>("xor_square");
  observe<2, 1, 4, xorK128>("xor_k128");
  observe<4, 2, 4, xorK256>("xor_k256");
  observe<1, 1, 2, andSquare>("and_square");
  observe<2, 1, 4, andK128>("and_k128");
  observe<4, 2, 4, andK256>("and_k256");
  observeDoubles();
}
