// Rarer instructions of inline PTX on fields of words: extensions, masks, permutations by mode; minima and
// maxima of numbers by their kinds; threads that end by an instruction.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_fields");

constexpr int kWords = 24;

__device__ unsigned word(int i) {
  constexpr unsigned kValues[] = {0u,          1u,          0xffffffffu, 0x80000000u,
                                  0x7fffffffu, 0x80818283u, 0x12345678u, 0x00ff7f80u,
                                  31u,         32u,         33u,         0xff00ff07u};
  return kValues[i % 12] ^ (i >= 12 ? 0x01010100u * unsigned(i) : 0u);
}

#define FUNCTION(NAME, ...)                                      \
  __device__ unsigned NAME(unsigned a, unsigned b, unsigned c) { \
    (void)a, (void)b, (void)c;                                   \
    unsigned r;                                                  \
    __VA_ARGS__;                                                 \
    return r;                                                    \
  }

FUNCTION(zeroExtendedWrap, asm("szext.wrap.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(zeroExtendedClamp, asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(signExtendedWrap, asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(signExtendedClamp, asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(maskWrap, asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(maskClamp, asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(permuted, asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(edgeLeft, asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(edgeRight, asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(forward, asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(backward, asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(byteEverywhere, asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(halfEverywhere, asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(funnelLeft, asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(field, asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(inserted, asm("bfi.b32 %0, %1, %2, %3, 9;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))

// Numbers of all kinds: zeros, infinities, NaNs, subnormal ones.
__device__ float number(unsigned i) {
  constexpr unsigned kValues[] = {0u,          0x80000000u, 0x3f800000u, 0xbf800000u,
                                  0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00001u,
                                  0x00000001u, 0x80000001u, 0x7f7fffffu, 0xc0490fdbu};
  return __uint_as_float(kValues[i % 12]);
}
FUNCTION(least, float x;
         asm("min.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)), "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(greatest, float x;
         asm("max.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)), "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(leastOrNan, float x;
         asm("min.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)), "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(greatestOrNan, float x;
         asm("max.NaN.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)), "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(leastSigned, float x; asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)),
                                   "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(greatestSigned, float x; asm("max.xorsign.abs.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)),
                                      "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(leastSignedOrNan, float x;
         asm("min.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)),
             "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(greatestSignedOrNan, float x;
         asm("max.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)),
             "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))
FUNCTION(withSign, float x; asm("copysign.f32 %0, %1, %2;" : "=f"(x) : "f"(number(a ^ a >> 7)),
                                "f"(number(b ^ b >> 5 ^ c >> 3)));
         r = __float_as_uint(x))

// Two numbers of 16 bits in a word.
__device__ unsigned halves(unsigned i) {
  constexpr unsigned kValues[] = {0x00008000u, 0x3c00bc00u, 0x7c00fc00u, 0x7e003c01u,
                                  0x0001fe00u, 0x80010000u, 0x7bff4248u, 0xc2480001u,
                                  0x3f80bf80u, 0x7f80ff80u, 0x7fc04000u};
  return kValues[i % 11];
}
FUNCTION(leastHalves,
         asm("min.f16x2 %0, %1, %2;" : "=r"(r) : "r"(halves(a ^ a >> 7)), "r"(halves(b ^ b >> 5 ^ c >> 3))))
FUNCTION(greatestHalvesOrNan, asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"(halves(a ^ a >> 7)),
                                  "r"(halves(b ^ b >> 5 ^ c >> 3))))
FUNCTION(leastSignedHalves, asm("min.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(r) : "r"(halves(a ^ a >> 7)),
                                "r"(halves(b ^ b >> 5 ^ c >> 3))))
FUNCTION(greatestSignedHalvesOrNan,
         asm("max.NaN.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(r) : "r"(halves(a ^ a >> 7)),
             "r"(halves(b ^ b >> 5 ^ c >> 3))))
FUNCTION(leastBfloatOrNan, asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(halves(a ^ a >> 7)),
                               "r"(halves(b ^ b >> 5 ^ c >> 3))))
FUNCTION(greatestSignedBfloat, asm("max.xorsign.abs.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(halves(a ^ a >> 7)),
                                   "r"(halves(b ^ b >> 5 ^ c >> 3))))

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

// Threads that end at an instruction, also in a function that is called.
__device__ void endIf(bool ends) {
  if (ends) asm volatile("exit;");
}
__global__ void ending(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  out[me] = 1;
  if (me % 3 == 0) asm volatile("exit;");
  out[me] = 2;
  endIf(me % 5 == 0);
  __syncthreads();
  const int other = out[(me / 15 * 15 + 1) % 96];
  __syncthreads();
  out[me] = 3 + other;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %0, 40; @p exit; }" ::"r"(me));
  out[me] += 10;
}

int main() {
  observe<zeroExtendedWrap>("zero_extended_wrap");
  observe<zeroExtendedClamp>("zero_extended_clamp");
  observe<signExtendedWrap>("sign_extended_wrap");
  observe<signExtendedClamp>("sign_extended_clamp");
  observe<maskWrap>("mask_wrap");
  observe<maskClamp>("mask_clamp");
  observe<permuted>("permuted");
  observe<edgeLeft>("edge_left");
  observe<edgeRight>("edge_right");
  observe<forward>("forward");
  observe<backward>("backward");
  observe<byteEverywhere>("byte_everywhere");
  observe<halfEverywhere>("half_everywhere");
  observe<funnelLeft>("funnel_left");
  observe<field>("field");
  observe<inserted>("inserted");
  observe<least>("least");
  observe<greatest>("greatest");
  observe<leastOrNan>("least_or_nan");
  observe<greatestOrNan>("greatest_or_nan");
  observe<leastSigned>("least_signed");
  observe<greatestSigned>("greatest_signed");
  observe<leastSignedOrNan>("least_signed_or_nan");
  observe<greatestSignedOrNan>("greatest_signed_or_nan");
  observe<withSign>("with_sign");
  observe<leastHalves>("least_halves");
  observe<greatestHalvesOrNan>("greatest_halves_or_nan");
  observe<leastSignedHalves>("least_signed_halves");
  observe<greatestSignedHalvesOrNan>("greatest_signed_halves_or_nan");
  observe<leastBfloatOrNan>("least_bfloat_or_nan");
  observe<greatestSignedBfloat>("greatest_signed_bfloat");
  const DeviceArray<int> out(96);
  ending<<<1, 96>>>(out.data());
  OBSERVE("ending", joined(out.read()));
}
