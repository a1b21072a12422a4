/* Names that the vendor's compiler offers in device code and CUDA does not: lanes and their masks, bit
 * fields, conversions that saturate, accesses that the compiler leaves as they are.
 *
 * The names are those that Moore Threads' published code calls (muAlg, torch_musa, tilelang-musa). Where CUDA
 * or PTX has the operation, it means the same.
 */
#ifndef MUSASHIM_CRT_VENDOR_BUILTINS_H
#define MUSASHIM_CRT_VENDOR_BUILTINS_H

#include "conversions.h"
#include "load_store.h"
#include "sync.h"
#include "warp.h"

MUSASHIM_D __attribute__((noreturn)) void __musa_exit(void) { __musa_exit_thread(); }

/* -- Lanes. A mask stands for 32 lanes, also where a warp has 128 (muAlg takes `__get_laneid() & 31` of it)
 * -- */
MUSASHIM_D unsigned int __get_laneid(void) {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % unsigned(warpSize);
}
MUSASHIM_D unsigned int __get_lanemask_eq(void) { return 1u << (__get_laneid() & 31u); }
MUSASHIM_D unsigned int __get_lanemask_lt(void) { return __get_lanemask_eq() - 1u; }
MUSASHIM_D unsigned int __get_lanemask_le(void) { return __get_lanemask_eq() | __get_lanemask_lt(); }
MUSASHIM_D unsigned int __get_lanemask_gt(void) { return ~__get_lanemask_le(); }
MUSASHIM_D unsigned int __get_lanemask_ge(void) { return ~__get_lanemask_lt(); }

/* PTX's shfl.sync.bfly over all lanes, with its operand c in fields of 7 bits: the last lane that may be
 * read, and above it the bits of a lane's number that stay (torch_musa passes 127: a whole warp of mp_22). */
MUSASHIM_D int __musa_shfl_xor_sync_i32(int value, int lane_mask, int c) {
  const unsigned int lanes = unsigned(warpSize) - 1u, kept = unsigned(c) >> 7 & lanes;
  const unsigned int lane = __get_laneid(), last = (lane & kept) | (unsigned(c) & lanes & ~kept);
  const int other = __shfl_xor_sync(0xffffffffu, value, lane_mask);
  return (lane ^ (unsigned(lane_mask) & lanes)) <= last ? other : value;
}

/* Orders shared ("local") memory for the block; the order of global memory comes with it here. */
MUSASHIM_D void __syncthreads_lm(void) { __syncthreads(); }

/* -- Bits -- */
/* PTX's bfe.u32: `count` bits from `start` on; both are taken modulo 256, and what is behind bit 31 reads as
 * 0. */
MUSASHIM_D unsigned int __bfe_u32(unsigned int x, unsigned int start, unsigned int count) {
  start &= 255u;
  count &= 255u;
  return start > 31u ? 0u : x >> start & (count > 31u ? 0xffffffffu : (1u << count) - 1u);
}

/* -- Conversions. A NaN becomes 0 -- */
MUSASHIM_HD signed char __musa_saturate_char(int x) {
  return (signed char)(x < -128 ? -128 : x > 127 ? 127 : x);
}
MUSASHIM_HD unsigned char __musa_saturate_uchar(unsigned int x) {
  return (unsigned char)(x > 255u ? 255u : x);
}
MUSASHIM_D signed char __float2char_rn_sat(float x) { return __musa_saturate_char(__float2int_rn(x)); }
MUSASHIM_D signed char __float2char_rz_sat(float x) { return __musa_saturate_char(__float2int_rz(x)); }
MUSASHIM_D unsigned char __musa_f2uc_rn_sat(float x) { return __musa_saturate_uchar(__float2uint_rn(x)); }
MUSASHIM_D unsigned char __musa_f2uc_rz_sat(float x) { return __musa_saturate_uchar(__float2uint_rz(x)); }

/* TF32: 10 bits of mantissa, to nearest, ties away from zero (PTX's cvt.rna.tf32.f32, in a float). */
MUSASHIM_D float __musa_float_to_tf32(float x) {
  const unsigned int bits = __float_as_uint(x);
  return (bits & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((bits + 0x1000u) & 0xffffe000u);
}
MUSASHIM_D float __musa_exp2_f(float x) { return exp2f(x); }

/* -- Memory. Templates, so that a program's own functions of these names win -- */
template <class T>
MUSASHIM_D T volatile_load(const volatile T* address) {
  return __musa_volatile_load((const T*)address);
}
template <class Value, class T>
MUSASHIM_D void volatile_store(Value value, volatile T* address) {
  __musa_volatile_store((T*)address, T(value));
}
/* Generic addresses are global ones here. */
template <class T>
MUSASHIM_D T* __musa_ptr_gen_to_global(T* address) {
  return address;
}

/* A hint for the loop that the call is in, which the compiler here does not need. */
MUSASHIM_D void __musa_loop_transparent_outermost(void) {}

#endif
