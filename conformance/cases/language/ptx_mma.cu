// mma.sync of inline PTX on floating point: every shape of devices before sm_90, its fragments' layouts, and
// how it rounds. Half precision, bfloat16, TF32 and 8-bit numbers.
#include <string.h>

#include "../../framework/buffers.h"
#include "../../framework/matrix_operands.h"

CONFORMANCE_CASE("language.ptx_mma");

constexpr int kLanes = 32, kProducts = 40;

__device__ void halfK8(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
__device__ void halfK16(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}
__device__ void halfSumsK8(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}
__device__ void halfSumsK16(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
      : "=r"(d[0]), "=r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]));
}
__device__ void bfloatK8(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, "
      "%10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
__device__ void bfloatK16(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}
__device__ void tensorK4(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, "
      "%10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
__device__ void tensorK8(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}
__device__ void quadPairsRowCol(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]),
        "f"(c[5]), "f"(c[6]), "f"(c[7]));
}
__device__ void quadPairsRowRow(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]),
        "f"(c[5]), "f"(c[6]), "f"(c[7]));
}
__device__ void quadPairsColCol(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]),
        "f"(c[5]), "f"(c[6]), "f"(c[7]));
}
__device__ void quadPairsColRow(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]),
        "f"(c[5]), "f"(c[6]), "f"(c[7]));
}
__device__ void quadPairsHalfSums(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, "
      "%11};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void quadPairsFromHalf(const unsigned* a, const unsigned* b, const unsigned* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, "
      "%11}, {%12, %13, %14, %15};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void e4m3(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}
__device__ void e5m2(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}
__device__ void e4m3e5m2(const unsigned* a, const unsigned* b, const float* c, float* d) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]),
        "f"(c[3]));
}

// A warp a product; each lane's words are side by side.
template <int kA, int kB, int kC, int kD, class C, class D,
          void (*kMultiply)(const unsigned*, const unsigned*, const C*, D*)>
__global__ void products(const unsigned* a, const unsigned* b, const C* c, D* d) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned left[kA], right[kB];
  C before[kC];
  D after[kD];
  for (int i = 0; i < kA; ++i) left[i] = a[thread * kA + unsigned(i)];
  for (int i = 0; i < kB; ++i) right[i] = b[thread * kB + unsigned(i)];
  for (int i = 0; i < kC; ++i) before[i] = c[thread * kC + unsigned(i)];
  kMultiply(left, right, before, after);
  for (int i = 0; i < kD; ++i) d[thread * kD + unsigned(i)] = after[i];
}

static void drawSums(OperandSource& source, Numbers numbers, std::vector<float>& sums) {
  for (float& sum : sums) {
    const unsigned bits = source.number(kFloat, numbers);
    memcpy(&sum, &bits, sizeof sum);
  }
}
static void drawSums(OperandSource& source, Numbers numbers, std::vector<unsigned>& sums) {
  for (unsigned& sum : sums) sum = source.word(kHalf, numbers);
}

template <int kA, int kB, int kC, int kD, class C, class D>
static void observeWith(void (*kernel)(const unsigned*, const unsigned*, const C*, D*), const char* name,
                        NumberFormat left, NumberFormat right) {
  const char* const kinds[] = {"small", "real", "wide", "special"};
  for (int kind = 0; kind < 4; ++kind) {
    const auto numbers = static_cast<Numbers>(kind);
    OperandSource source(static_cast<uint64_t>(kind) * 77 + kA);
    std::vector<unsigned> a(kProducts * kLanes * kA), b(kProducts * kLanes * kB);
    std::vector<C> c(kProducts * kLanes * kC);
    for (unsigned& word : a) word = source.word(left, numbers);
    for (unsigned& word : b) word = source.word(right, numbers);
    drawSums(source, numbers, c);
    const DeviceArray<unsigned> deviceA(a), deviceB(b);
    const DeviceArray<C> deviceC(c);
    const DeviceArray<D> d(kProducts * kLanes * kD);
    kernel<<<kProducts, kLanes>>>(deviceA.data(), deviceB.data(), deviceC.data(), d.data());
    OBSERVE(std::string(name) + "_" + kinds[kind], joined(d.read()));
  }
}

template <int kA, int kB, int kC, int kD,
          void (*kMultiply)(const unsigned*, const unsigned*, const float*, float*)>
static void observe(const char* name, NumberFormat left, NumberFormat right) {
  observeWith<kA, kB, kC, kD>(products<kA, kB, kC, kD, float, float, kMultiply>, name, left, right);
}
template <int kA, int kB, int kC, int kD,
          void (*kMultiply)(const unsigned*, const unsigned*, const unsigned*, unsigned*)>
static void observe(const char* name, NumberFormat left, NumberFormat right) {
  observeWith<kA, kB, kC, kD>(products<kA, kB, kC, kD, unsigned, unsigned, kMultiply>, name, left, right);
}
template <int kA, int kB, int kC, int kD,
          void (*kMultiply)(const unsigned*, const unsigned*, const unsigned*, float*)>
static void observe(const char* name, NumberFormat left, NumberFormat right) {
  observeWith<kA, kB, kC, kD>(products<kA, kB, kC, kD, unsigned, float, kMultiply>, name, left, right);
}

int main() {
  observe<2, 1, 4, 4, halfK8>("half_k8", kHalf, kHalf);
  observe<4, 2, 4, 4, halfK16>("half_k16", kHalf, kHalf);
  observe<2, 1, 2, 2, halfSumsK8>("half_sums_k8", kHalf, kHalf);
  observe<4, 2, 2, 2, halfSumsK16>("half_sums_k16", kHalf, kHalf);
  observe<2, 1, 4, 4, bfloatK8>("bfloat_k8", kBfloat, kBfloat);
  observe<4, 2, 4, 4, bfloatK16>("bfloat_k16", kBfloat, kBfloat);
  observe<2, 1, 4, 4, tensorK4>("tensor_k4", kTensor, kTensor);
  observe<4, 2, 4, 4, tensorK8>("tensor_k8", kTensor, kTensor);
  observe<2, 2, 8, 8, quadPairsRowCol>("quad_pairs_row_col", kHalf, kHalf);
  observe<2, 2, 8, 8, quadPairsRowRow>("quad_pairs_row_row", kHalf, kHalf);
  observe<2, 2, 8, 8, quadPairsColCol>("quad_pairs_col_col", kHalf, kHalf);
  observe<2, 2, 8, 8, quadPairsColRow>("quad_pairs_col_row", kHalf, kHalf);
  observe<2, 2, 4, 4, quadPairsHalfSums>("quad_pairs_half_sums", kHalf, kHalf);
  observe<2, 2, 4, 8, quadPairsFromHalf>("quad_pairs_from_half", kHalf, kHalf);
  observe<4, 2, 4, 4, e4m3>("e4m3", kE4m3, kE4m3);
  observe<4, 2, 4, 4, e5m2>("e5m2", kE5m2, kE5m2);
  observe<4, 2, 4, 4, e4m3e5m2>("e4m3e5m2", kE4m3, kE5m2);
}
