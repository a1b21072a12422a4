// wmma.load, wmma.mma and wmma.store of inline PTX on floating point, in every shape of devices before sm_90.
// What a lane holds is not said; what arrives in memory is.
#include "../../framework/buffers.h"
#include "../../framework/matrix_operands.h"

CONFORMANCE_CASE("language.ptx_wmma");

__global__ void f16f32f32m16n16k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                   unsigned strideB, unsigned strideC) {
  unsigned left[8], right[8];
  float before[8];
  float after[8];
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3]), "=r"(left[4]), "=r"(left[5]),
                 "=r"(left[6]), "=r"(left[7])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3]), "=r"(right[4]),
                 "=r"(right[5]), "=r"(right[6]), "=r"(right[7])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3]), "=f"(before[4]),
                 "=f"(before[5]), "=f"(before[6]), "=f"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, "
      "%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, "
      "%31};"
      : "=f"(after[0]), "=f"(after[1]), "=f"(after[2]), "=f"(after[3]), "=f"(after[4]), "=f"(after[5]),
        "=f"(after[6]), "=f"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(left[4]), "r"(left[5]), "r"(left[6]),
        "r"(left[7]), "r"(right[0]), "r"(right[1]), "r"(right[2]), "r"(right[3]), "r"(right[4]),
        "r"(right[5]), "r"(right[6]), "r"(right[7]), "f"(before[0]), "f"(before[1]), "f"(before[2]),
        "f"(before[3]), "f"(before[4]), "f"(before[5]), "f"(before[6]), "f"(before[7]));
  asm volatile(
      "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
      :
      : "l"(d), "f"(after[0]), "f"(after[1]), "f"(after[2]), "f"(after[3]), "f"(after[4]), "f"(after[5]),
        "f"(after[6]), "f"(after[7]), "r"(strideC)
      : "memory");
}
__global__ void f16f16f16m16n16k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                   unsigned strideB, unsigned strideC) {
  unsigned left[8], right[8];
  unsigned before[4];
  unsigned after[4];
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3]), "=r"(left[4]), "=r"(left[5]),
                 "=r"(left[6]), "=r"(left[7])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3]), "=r"(right[4]),
                 "=r"(right[5]), "=r"(right[6]), "=r"(right[7])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.global.f16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(before[0]), "=r"(before[1]), "=r"(before[2]), "=r"(before[3])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.col.row.m16n16k16.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"
      : "=r"(after[0]), "=r"(after[1]), "=r"(after[2]), "=r"(after[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(left[4]), "r"(left[5]), "r"(left[6]),
        "r"(left[7]), "r"(right[0]), "r"(right[1]), "r"(right[2]), "r"(right[3]), "r"(right[4]),
        "r"(right[5]), "r"(right[6]), "r"(right[7]), "r"(before[0]), "r"(before[1]), "r"(before[2]),
        "r"(before[3]));
  asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.global.f16 [%0], {%1, %2, %3, %4}, %5;"
               :
               : "l"(d), "r"(after[0]), "r"(after[1]), "r"(after[2]), "r"(after[3]), "r"(strideC)
               : "memory");
}
__global__ void f16f16f32m16n16k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                   unsigned strideB, unsigned strideC) {
  unsigned left[8], right[8];
  float before[8];
  unsigned after[4];
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3]), "=r"(left[4]), "=r"(left[5]),
                 "=r"(left[6]), "=r"(left[7])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3]), "=r"(right[4]),
                 "=r"(right[5]), "=r"(right[6]), "=r"(right[7])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3]), "=f"(before[4]),
                 "=f"(before[5]), "=f"(before[6]), "=f"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.row.row.m16n16k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};"
      : "=r"(after[0]), "=r"(after[1]), "=r"(after[2]), "=r"(after[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(left[4]), "r"(left[5]), "r"(left[6]),
        "r"(left[7]), "r"(right[0]), "r"(right[1]), "r"(right[2]), "r"(right[3]), "r"(right[4]),
        "r"(right[5]), "r"(right[6]), "r"(right[7]), "f"(before[0]), "f"(before[1]), "f"(before[2]),
        "f"(before[3]), "f"(before[4]), "f"(before[5]), "f"(before[6]), "f"(before[7]));
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%0], {%1, %2, %3, %4}, %5;"
               :
               : "l"(d), "r"(after[0]), "r"(after[1]), "r"(after[2]), "r"(after[3]), "r"(strideC)
               : "memory");
}
__global__ void bf16f32f32m16n16k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                    unsigned strideB, unsigned strideC) {
  unsigned left[4], right[4];
  float before[8];
  float after[8];
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.global.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.global.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3]), "=f"(before[4]),
                 "=f"(before[5]), "=f"(before[6]), "=f"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.col.col.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, "
      "%10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(after[0]), "=f"(after[1]), "=f"(after[2]), "=f"(after[3]), "=f"(after[4]), "=f"(after[5]),
        "=f"(after[6]), "=f"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]), "r"(right[2]),
        "r"(right[3]), "f"(before[0]), "f"(before[1]), "f"(before[2]), "f"(before[3]), "f"(before[4]),
        "f"(before[5]), "f"(before[6]), "f"(before[7]));
  asm volatile(
      "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
      :
      : "l"(d), "f"(after[0]), "f"(after[1]), "f"(after[2]), "f"(after[3]), "f"(after[4]), "f"(after[5]),
        "f"(after[6]), "f"(after[7]), "r"(strideC)
      : "memory");
}
__global__ void f16f32f16m32n8k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                  unsigned strideB, unsigned strideC) {
  unsigned left[8], right[8];
  unsigned before[4];
  float after[8];
  asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3]), "=r"(left[4]), "=r"(left[5]),
                 "=r"(left[6]), "=r"(left[7])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3]), "=r"(right[4]),
                 "=r"(right[5]), "=r"(right[6]), "=r"(right[7])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.global.f16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(before[0]), "=r"(before[1]), "=r"(before[2]), "=r"(before[3])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.row.col.m32n8k16.f32.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, "
      "%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};"
      : "=f"(after[0]), "=f"(after[1]), "=f"(after[2]), "=f"(after[3]), "=f"(after[4]), "=f"(after[5]),
        "=f"(after[6]), "=f"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(left[4]), "r"(left[5]), "r"(left[6]),
        "r"(left[7]), "r"(right[0]), "r"(right[1]), "r"(right[2]), "r"(right[3]), "r"(right[4]),
        "r"(right[5]), "r"(right[6]), "r"(right[7]), "r"(before[0]), "r"(before[1]), "r"(before[2]),
        "r"(before[3]));
  asm volatile("wmma.store.d.sync.aligned.row.m32n8k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
               :
               : "l"(d), "f"(after[0]), "f"(after[1]), "f"(after[2]), "f"(after[3]), "f"(after[4]),
                 "f"(after[5]), "f"(after[6]), "f"(after[7]), "r"(strideC)
               : "memory");
}
__global__ void bf16f32f32m32n8k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                   unsigned strideB, unsigned strideC) {
  unsigned left[8], right[2];
  float before[8];
  float after[8];
  asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.global.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3]), "=r"(left[4]), "=r"(left[5]),
                 "=r"(left[6]), "=r"(left[7])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.global.bf16 {%0, %1}, [%2], %3;"
               : "=r"(right[0]), "=r"(right[1])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.col.m32n8k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3]), "=f"(before[4]),
                 "=f"(before[5]), "=f"(before[6]), "=f"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.col.row.m32n8k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, "
      "%10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(after[0]), "=f"(after[1]), "=f"(after[2]), "=f"(after[3]), "=f"(after[4]), "=f"(after[5]),
        "=f"(after[6]), "=f"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(left[4]), "r"(left[5]), "r"(left[6]),
        "r"(left[7]), "r"(right[0]), "r"(right[1]), "f"(before[0]), "f"(before[1]), "f"(before[2]),
        "f"(before[3]), "f"(before[4]), "f"(before[5]), "f"(before[6]), "f"(before[7]));
  asm volatile("wmma.store.d.sync.aligned.col.m32n8k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
               :
               : "l"(d), "f"(after[0]), "f"(after[1]), "f"(after[2]), "f"(after[3]), "f"(after[4]),
                 "f"(after[5]), "f"(after[6]), "f"(after[7]), "r"(strideC)
               : "memory");
}
__global__ void f16f32f32m8n32k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                  unsigned strideB, unsigned strideC) {
  unsigned left[8], right[8];
  float before[8];
  float after[8];
  asm volatile("wmma.load.a.sync.aligned.row.m8n32k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3]), "=r"(left[4]), "=r"(left[5]),
                 "=r"(left[6]), "=r"(left[7])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.row.m8n32k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3]), "=r"(right[4]),
                 "=r"(right[5]), "=r"(right[6]), "=r"(right[7])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n32k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3]), "=f"(before[4]),
                 "=f"(before[5]), "=f"(before[6]), "=f"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.row.row.m8n32k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, "
      "%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, "
      "%31};"
      : "=f"(after[0]), "=f"(after[1]), "=f"(after[2]), "=f"(after[3]), "=f"(after[4]), "=f"(after[5]),
        "=f"(after[6]), "=f"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(left[4]), "r"(left[5]), "r"(left[6]),
        "r"(left[7]), "r"(right[0]), "r"(right[1]), "r"(right[2]), "r"(right[3]), "r"(right[4]),
        "r"(right[5]), "r"(right[6]), "r"(right[7]), "f"(before[0]), "f"(before[1]), "f"(before[2]),
        "f"(before[3]), "f"(before[4]), "f"(before[5]), "f"(before[6]), "f"(before[7]));
  asm volatile("wmma.store.d.sync.aligned.row.m8n32k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
               :
               : "l"(d), "f"(after[0]), "f"(after[1]), "f"(after[2]), "f"(after[3]), "f"(after[4]),
                 "f"(after[5]), "f"(after[6]), "f"(after[7]), "r"(strideC)
               : "memory");
}
__global__ void bf16f32f32m8n32k16(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                   unsigned strideB, unsigned strideC) {
  unsigned left[2], right[8];
  float before[8];
  float after[8];
  asm volatile("wmma.load.a.sync.aligned.col.m8n32k16.global.bf16 {%0, %1}, [%2], %3;"
               : "=r"(left[0]), "=r"(left[1])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m8n32k16.global.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3]), "=r"(right[4]),
                 "=r"(right[5]), "=r"(right[6]), "=r"(right[7])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n32k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3]), "=f"(before[4]),
                 "=f"(before[5]), "=f"(before[6]), "=f"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.col.col.m8n32k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"
      : "=f"(after[0]), "=f"(after[1]), "=f"(after[2]), "=f"(after[3]), "=f"(after[4]), "=f"(after[5]),
        "=f"(after[6]), "=f"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(right[0]), "r"(right[1]), "r"(right[2]), "r"(right[3]), "r"(right[4]),
        "r"(right[5]), "r"(right[6]), "r"(right[7]), "f"(before[0]), "f"(before[1]), "f"(before[2]),
        "f"(before[3]), "f"(before[4]), "f"(before[5]), "f"(before[6]), "f"(before[7]));
  asm volatile("wmma.store.d.sync.aligned.row.m8n32k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
               :
               : "l"(d), "f"(after[0]), "f"(after[1]), "f"(after[2]), "f"(after[3]), "f"(after[4]),
                 "f"(after[5]), "f"(after[6]), "f"(after[7]), "r"(strideC)
               : "memory");
}
__global__ void tf32f32f32m16n16k8(const void* a, const void* b, const void* c, void* d, unsigned strideA,
                                   unsigned strideB, unsigned strideC) {
  unsigned left[4], right[4];
  float before[8];
  float after[8];
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
               : "l"(a), "r"(strideA)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k8.global.tf32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3])
               : "l"(b), "r"(strideB)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m16n16k8.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3]), "=f"(before[4]),
                 "=f"(before[5]), "=f"(before[6]), "=f"(before[7])
               : "l"(c), "r"(strideC)
               : "memory");
  asm volatile(
      "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, "
      "%10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
      : "=f"(after[0]), "=f"(after[1]), "=f"(after[2]), "=f"(after[3]), "=f"(after[4]), "=f"(after[5]),
        "=f"(after[6]), "=f"(after[7])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]), "r"(right[2]),
        "r"(right[3]), "f"(before[0]), "f"(before[1]), "f"(before[2]), "f"(before[3]), "f"(before[4]),
        "f"(before[5]), "f"(before[6]), "f"(before[7]));
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k8.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
               :
               : "l"(d), "f"(after[0]), "f"(after[1]), "f"(after[2]), "f"(after[3]), "f"(after[4]),
                 "f"(after[5]), "f"(after[6]), "f"(after[7]), "r"(strideC)
               : "memory");
}

struct Shape {
  unsigned m, n, k;
};
using Kernel = void (*)(const void*, const void*, const void*, void*, unsigned, unsigned, unsigned);

static std::vector<unsigned> drawn(OperandSource& source, NumberFormat format, size_t numbers, Numbers kind) {
  std::vector<unsigned> words(numbers * static_cast<size_t>(format.width()) / 32);
  for (unsigned& word : words) word = source.word(format, kind);
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
  for (const Numbers kind : {Numbers::kSmall, Numbers::kReal}) {
    OperandSource source(shape.m * 3 + shape.k);
    const DeviceArray<unsigned> a(drawn(source, format, strideA * 32, kind)),
        b(drawn(source, format, strideB * 32, kind)), c(drawn(source, sums, strideC * 32, kind));
    const DeviceArray<D> d(strideC * 32, 0x55);
    kernel<<<1, 32>>>(a.data(), b.data(), c.data(), d.data(), strideA, strideB, strideC);
    OBSERVE(std::string(name) + (kind == Numbers::kSmall ? "_small" : "_real"), joined(d.read()));
  }
}

int main() {
  observe<float>(f16f32f32m16n16k16, "f16_f32_f32_m16n16k16", kHalf, kFloat, {16, 16, 16}, "row", "col",
                 "row");
  observe<unsigned short>(f16f16f16m16n16k16, "f16_f16_f16_m16n16k16", kHalf, kHalf, {16, 16, 16}, "col",
                          "row", "col");
  observe<unsigned short>(f16f16f32m16n16k16, "f16_f16_f32_m16n16k16", kHalf, kFloat, {16, 16, 16}, "row",
                          "row", "row");
  observe<float>(bf16f32f32m16n16k16, "bf16_f32_f32_m16n16k16", kBfloat, kFloat, {16, 16, 16}, "col", "col",
                 "row");
  observe<float>(f16f32f16m32n8k16, "f16_f32_f16_m32n8k16", kHalf, kHalf, {32, 8, 16}, "row", "col", "row");
  observe<float>(bf16f32f32m32n8k16, "bf16_f32_f32_m32n8k16", kBfloat, kFloat, {32, 8, 16}, "col", "row",
                 "col");
  observe<float>(f16f32f32m8n32k16, "f16_f32_f32_m8n32k16", kHalf, kFloat, {8, 32, 16}, "row", "row", "row");
  observe<float>(bf16f32f32m8n32k16, "bf16_f32_f32_m8n32k16", kBfloat, kFloat, {8, 32, 16}, "col", "col",
                 "row");
  observe<float>(tf32f32f32m16n16k8, "tf32_f32_f32_m16n16k8", kTensor, kFloat, {16, 16, 8}, "row", "col",
                 "row");
}
