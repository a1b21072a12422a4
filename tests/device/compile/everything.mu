// Uses what the device headers declare, once each where types do not matter: compiled
// in both passes and every language standard, without a warning.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <math_functions.h>
#include <mma.h>
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_fp8.h>

namespace cg = cooperative_groups;

__constant__ float table[4];
__device__ int counter;
__managed__ double shared_with_host = 1.0;
extern __shared__ __align__(16) float dynamic[];

template <typename T>
__device__ unsigned member(T index) {
  return index.x;
}
__device__ unsigned asDim3(dim3 d) { return d.x; }
__device__ unsigned asUint3(uint3 d) { return d.y; }

__global__ void __launch_bounds__(256, 2) indices(unsigned* out, __grid_constant__ const float4 v, dim3 q) {
  __shared__ unsigned fixed[64];
  const dim3 a(threadIdx), b = blockDim, c{blockIdx};
  const uint3 u = gridDim, w(threadIdx);
  const auto copy = threadIdx;
  const int lane = threadIdx.x % warpSize, warps = blockDim.x / warpSize;
  fixed[threadIdx.x] = asDim3(threadIdx) + asUint3(blockDim) + member(blockIdx) + copy.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      fixed[0] + a.x + b.y + c.z + u.x + w.y + lane + warps + unsigned(v.w) + q.z + unsigned(table[1] + dynamic[2]);
  atomicAdd(&counter, int(shared_with_host));
}

__global__ void atomics(int* i, unsigned* u, unsigned long long* ull, long long* ll, size_t* size, float* f, double* d,
                        unsigned short* s) {
  atomicAdd(i, 1), atomicAdd(u, 1), atomicAdd(u, 2u), atomicAdd(ull, 1), atomicAdd(f, 1.0f), atomicAdd(d, 1.0);
  atomicAdd(size, 1), atomicSub(i, 1), atomicSub(u, 1u), atomicExch(i, 1), atomicExch(f, 1.0f), atomicExch(ull, 1);
  atomicMin(i, 1), atomicMin(u, 1u), atomicMin(ull, 1), atomicMin(ll, 1), atomicMax(i, 1), atomicMax(ll, 1);
  atomicInc(u, 7), atomicDec(u, 7), atomicCAS(i, 1, 2), atomicCAS(u, 1, 2), atomicCAS(ull, 1, 2), atomicCAS(s, 1, 2);
  atomicAnd(i, 1), atomicOr(u, 1), atomicXor(ull, 1), atomicAdd_block(i, 1), atomicMax_system(ull, 3);
}

__global__ void warps(int* i, unsigned* u, float* f, double* d, long* l) {
  const unsigned all = 0xffffffff;
  i[0] = __shfl_sync(all, i[1], 0), u[0] = __shfl_up_sync(all, u[1], 1), f[0] = __shfl_down_sync(all, f[1], 1, 16);
  d[0] = __shfl_xor_sync(all, d[1], 1), l[0] = __shfl_sync(all, l[1], 2);
  u[1] = __ballot_sync(all, 1) + __activemask() + __match_any_sync(all, f[1]) + __match_all_sync(all, l[1], i);
  i[2] = __all_sync(all, 1) + __any_sync(all, 0) + __reduce_add_sync(all, i[1]) + __reduce_min_sync(all, i[1]);
  u[2] = __reduce_and_sync(all, u[1]) + __reduce_or_sync(all, u[1]) + __reduce_xor_sync(all, u[1]) +
         __reduce_max_sync(all, u[1]);
  i[3] = __syncthreads_count(i[1]) + __syncthreads_and(i[1]) + __syncthreads_or(i[1]);
  __syncwarp(), __syncwarp(0xff), __threadfence(), __threadfence_block(), __threadfence_system();
}

__global__ void scalars(int* i, unsigned* u, long long* ll, unsigned long long* ull, float* f, double* d, float4* v) {
  i[0] = __mulhi(i[1], 2) + __clz(i[1]) + __ffs(i[1]) + __hadd(i[1], i[2]) + __dp4a(i[1], i[2], i[3]) + __mul24(1, 2);
  u[0] = __umulhi(u[1], 2) + __brev(u[1]) + __byte_perm(u[1], u[2], 0x1234) + __funnelshift_l(1, 2, 3) + __fns(7, 0, 1);
  ll[0] = __mul64hi(ll[1], 2) + __ffsll(ll[1]) + clock64() + clock(), ull[0] = __umul64hi(1, 2) + __brevll(3);
  i[1] = __popc(u[1]) + __popcll(ull[1]) + __clzll(ll[1]) + __float2int_rn(f[1]) + __double2int_rz(d[1]);
  f[0] = __int2float_rn(1) + __int_as_float(i[1]) + __fadd_rn(f[1], f[2]) + __fmul_rz(f[1], f[2]) + __frcp_rn(f[1]);
  f[1] = __expf(f[1]) + __logf(f[1]) + __sinf(f[1]) + __cosf(f[1]) + __tanf(f[1]) + __powf(f[1], 2) + __log2f(f[1]);
  f[2] = rsqrtf(f[1]) + rcbrtf(f[1]) + exp10f(f[1]) + erfcinvf(f[1]) + normcdff(f[1]) + sinpif(f[1]) + __fdividef(1, 2);
  f[3] = __saturatef(f[1]) + fminf(f[1], f[2]) + fmaf(f[1], f[2], f[3]) + sqrtf(f[1]) + j0f(f[1]) + ldexpf(f[1], 2);
  d[0] = rsqrt(d[1]) + norm3d(d[1], d[2], d[3]) + erfcx(d[1]) + cyl_bessel_i0(d[1]) + __fma_rn(d[1], d[2], d[3]);
  d[1] = __dadd_ru(d[1], d[2]) + __drcp_rn(d[1]) + __dsqrt_rd(d[1]) + __longlong_as_double(ll[1]) + MUSART_PI;
  sincosf(f[0], &f[1], &f[2]), sincospi(d[0], &d[1], &d[2]), __sincosf(f[0], &f[1], &f[2]), sincos(f[0], &f[1], &f[2]);
  v[0] = __ldg(v + 1), __stcg(v + 2, v[3]), __stwt(f, __ldcv(f + 1)), i[5] = __ldcs(i + 6);
  i[6] = min(i[1], 2) + max(i[1], i[2]), u[6] = min(u[1], 2) + umax(1, 2), f[6] = max(f[1], 2.0f), d[6] = min(d[1], f[1]);
  v[1] = make_float4(1, 2, 3, 4);
  __nanosleep(10);
  if (i[0] == 12345) __trap();
}

template <typename T, typename T2>
__device__ void narrow(T* t, T2* t2, float* f) {
  const T a = t[0], b = t[1];
  T c = a + b * a - b / a;
  c += a, c -= b, c *= a, c /= b, ++c, c--;
  t[2] = __hfma(a, b, c), t[3] = __hmax(a, b), t[4] = hsqrt(a), t[5] = -c, t[6] = 1.5, t[7] = 3, t[8] = 7ull;
  t2[0] = __hfma2(t2[1], t2[2], t2[3]) + t2[1] * t2[2], t2[1] = h2exp(t2[2]), t2[3] = T2(a, b);
  f[0] = a < b ? float(a) : float(int(c)), f[1] = a;
  t[9] = __ldg(t + 10), t[11] = __shfl_xor_sync(~0u, a, 1), t2[4] = __shfl_sync(~0u, t2[5], 1);
  atomicAdd(t, a), atomicAdd(t2, t2[6]);
}
template <typename T>
__device__ void narrowest(T* t, float* f) {
  t[0] = T(__hadd(__half(t[1]), __half(t[2]))), t[3] = T(1.5), t[4] = T(2.0f), t[5] = T(7ull), t[6] = T(mt_bfloat16(2));
  f[0] = float(t[0]) + int(t[1]);
}
__global__ void narrowTypes(half* h, half2* h2, mt_bfloat16* b, mt_bfloat162* b2, __mt_fp8_e4m3* e4, __mt_fp8_e5m2* e5,
                            float* f) {
  narrow(h, h2, f), narrow(b, b2, f), narrowest(e4, f), narrowest(e5, f);
  union {
    half number;
    unsigned long long bits;
  } both;
  both.bits = 0, both.number = h[0];
  f[2] = __half2float(h[1]) + __low2float(h2[1]) + __bfloat162float(b[1]) + float(both.bits) + __half2int_rn(h[1]);
  h[2] = __ull2half_rn(3), h[3] = __float2half_rz(f[1]), b[2] = __int2bfloat16_rn(3), b2[1] = __float2bfloat162_rn(1);
}

__global__ void hotFunctions(float* f) {
  f[0] = expf(f[1]) + std::exp(f[2]) + exp(f[3]) + std::pow(f[4], f[5]) + powf(f[6], 2.0f) + std::sin(f[7]) + cosf(f[8]);
  f[1] = std::log(f[1]) + log2(f[2]) + std::log10(f[3]) + exp2f(f[4]) + std::tanh(f[5]) + __expf(f[6]) + exp10f(f[7]);
}

template <typename T, typename Sum>
__device__ void product(const T* a, const T* b, Sum* d) {
  namespace wmma = mtmusa::wmma;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sum;
  wmma::fill_fragment(sum, Sum(0));
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + Sum(1);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
__global__ void matrices(const half* h, const mt_bfloat16* b, const signed char* c, float* f, int* i) {
  product(h, h + 256, f), product(b, b + 256, f + 256), product(c, c + 256, i);
}

__global__ void groups(int* p, float* f) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  const auto half = cg::tiled_partition<16>(tile);
  const cg::thread_group eight = cg::tiled_partition(block, 8);
  const cg::coalesced_group active = cg::coalesced_threads();
  p[0] = cg::reduce(tile, p[1], cg::plus<int>()), f[0] = cg::reduce(half, f[1], cg::greater<float>());
  p[2] = cg::reduce(active, p[3], cg::bit_xor<int>()) + int(eight.size() + cg::thread_rank(active));
  p[4] = cg::inclusive_scan(tile, p[5]) + int(cg::this_grid().num_blocks()) + tile.match_any(p[6]);
  cg::memcpy_async(block, f, f + 64, 64), cg::wait(block), cg::sync(tile);
  static_assert(cg::thread_block_tile<4>::size() == 4, "known when compiling");
}

int main() {
  indices<<<dim3(2, 2), 64, 256>>>(nullptr, make_float4(1, 2, 3, 4), {1, 2});
  groups<<<1, 32>>>(nullptr, nullptr);
  const half h = 2.0f;
  return min(3, 4) + int(max(1.0f, rsqrtf(4.0f))) + int(h * h) + int(float(__mt_fp8_e4m3(h)));
}
