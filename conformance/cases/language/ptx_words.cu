// Rarer integer instructions of inline PTX: words as vectors, byte permutations by mode, saturation, long
// carries.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_words");

constexpr int kWords = 24;

__device__ unsigned word(int i) {
  constexpr unsigned kValues[] = {0u,          1u,          0xffffffffu, 0x80000000u,
                                  0x7fffffffu, 0x80818283u, 0x12345678u, 0x00ff7f80u,
                                  31u,         32u,         0xdeadbeefu, 0xff00ff00u};
  return kValues[i % 12] ^ (i >= 12 ? 0x01010100u * unsigned(i) : 0u);
}

#define FUNCTION(NAME, ...)                                      \
  __device__ unsigned NAME(unsigned a, unsigned b, unsigned c) { \
    (void)a, (void)b, (void)c;                                   \
    unsigned r;                                                  \
    __VA_ARGS__;                                                 \
    return r;                                                    \
  }

FUNCTION(addBytes, asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)))
FUNCTION(subHalves, asm("vsub2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)))
FUNCTION(addSaturated, asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)))
FUNCTION(subSaturated, asm("vsub2.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)))
FUNCTION(minBytes, asm("vmin4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)))
FUNCTION(maxHalves, asm("vmax2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)))
FUNCTION(distances, asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0)))
FUNCTION(shiftedLeft, asm("vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(shiftedRight, asm("vshr.u32.u32.u32.wrap.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(forward, asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(backward, asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(byteEverywhere, asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(halfEverywhere, asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(multiplyAdd24, asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(dotMixed, asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(dotMixedOther, asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(minPairs, asm("min.s16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(saturatedByte, asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a)))
FUNCTION(saturatedUnsignedByte, asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(a)))
FUNCTION(saturatedInt, asm("cvt.sat.s32.u32 %0, %1;" : "=r"(r) : "r"(a)))
FUNCTION(packed, asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(packedHalves, asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))

template <int kTable>
__device__ unsigned logic(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"((kTable & 0xcc) | 0xaa));
  return r;
}

__device__ unsigned nth(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b % 32), "r"(static_cast<int>(c % 9) - 4));
  return r;
}

__device__ unsigned tensorFloat(unsigned a, unsigned b, unsigned) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;"
      : "=r"(r)
      : "f"(static_cast<float>(static_cast<int>(a)) * 1.37f + static_cast<float>(b % 97)));
  return r & 0xffffe000u;
}

__device__ unsigned saturatedReal(unsigned a, unsigned b, unsigned) {
  const float x = static_cast<float>(static_cast<int>(a)) / static_cast<float>((b & 0xffffu) + 1);
  unsigned r, s;
  asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(x));
  asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(s) : "f"(x));
  return r | s << 8;
}

// 128 bits and more.
__device__ unsigned longProduct(unsigned a, unsigned b, unsigned c) {
  const unsigned long long x = (unsigned long long)a << 32 | b, y = (unsigned long long)c << 32 | a,
                           z = ~x * 3;
  unsigned long long low, middle, high;
  asm("{ mad.lo.cc.u64 %0, %3, %4, %5; madc.hi.cc.u64 %1, %3, %4, %5; addc.u64 %2, 0, 0; }"
      : "=l"(low), "=l"(middle), "=l"(high)
      : "l"(x), "l"(y), "l"(z));
  return static_cast<unsigned>(low ^ low >> 32 ^ middle * 5 ^ (middle * 5) >> 32 ^ high * 77);
}

template <unsigned (*kFunction)(unsigned, unsigned, unsigned)>
__global__ void triples(unsigned* out) {
  const int i = static_cast<int>(threadIdx.x), j = static_cast<int>(blockIdx.x);
  for (int k = 0; k < 6; ++k)
    out[(blockIdx.x * 6 + unsigned(k)) * blockDim.x + threadIdx.x] =
        kFunction(word(i), word(j), word(i + 3 * j + k));
}

template <unsigned (*kFunction)(unsigned, unsigned, unsigned)>
static void observe(const char* name) {
  const DeviceArray<unsigned> out(kWords * kWords * 6);
  triples<kFunction><<<kWords, kWords>>>(out.data());
  OBSERVE(name, joined(out.read()));
}

int main() {
  observe<addBytes>("add_bytes");
  observe<subHalves>("sub_halves");
  observe<addSaturated>("add_saturated");
  observe<subSaturated>("sub_saturated");
  observe<minBytes>("min_bytes");
  observe<maxHalves>("max_halves");
  observe<distances>("distances");
  observe<shiftedLeft>("shifted_left");
  observe<shiftedRight>("shifted_right");
  observe<forward>("permuted_forward");
  observe<backward>("permuted_backward");
  observe<byteEverywhere>("byte_everywhere");
  observe<halfEverywhere>("half_everywhere");
  observe<multiplyAdd24>("multiply_add_24");
  observe<dotMixed>("dot_of_mixed_bytes");
  observe<dotMixedOther>("dot_of_mixed_bytes_other");
  observe<minPairs>("min_pairs");
  observe<saturatedByte>("saturated_byte");
  observe<saturatedUnsignedByte>("saturated_unsigned_byte");
  observe<saturatedInt>("saturated_int");
  observe<packed>("packed");
  observe<packedHalves>("packed_halves");
  observe<logic<0xf0>>("logic_of_a_constant");
  observe<nth>("nth_bit");
  observe<tensorFloat>("tensor_float");
  observe<saturatedReal>("saturated_real");
  observe<longProduct>("long_product");
}
