// Names of the vendor's compiler that CUDA does not have: lanes and masks in whole and partial warps of
// blocks with several dimensions, bit fields, conversions, accesses. Checks itself.
#include <cmath>
#include <cstdio>
#include <cstring>

#if __MUSACC_VER_MAJOR__ * 10000 + __MUSACC_VER_MINOR__ * 100 + __MUSACC_VER_PATCHLEVEL__ != MUSART_VERSION
#error "the compiler's version is that of its SDK"
#endif

static int failures = 0;

static void expect(const char* what, int at, long long have, long long want) {
  if (have == want) return;
  if (++failures < 20) std::printf("%s at %d: %lld, not %lld\n", what, at, have, want);
}

struct Lane {
  unsigned id, eq, lt, le, gt, ge;
};

__global__ void lanes(Lane* out) {
  const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[me] = {__get_laneid(),      __get_lanemask_eq(), __get_lanemask_lt(),
             __get_lanemask_le(), __get_lanemask_gt(), __get_lanemask_ge()};
}

static void checkLanes(dim3 block, int warp) {
  Lane* out = nullptr;
  musaMallocManaged(&out, 1024 * sizeof(Lane));
  lanes<<<1, block>>>(out);
  expect("lanes", 0, musaDeviceSynchronize(), musaSuccess);
  for (unsigned i = 0; i < block.x * block.y * block.z; ++i) {
    const unsigned bit = i % 32;
    unsigned below = 0;
    for (unsigned j = 0; j < bit; ++j) below |= 1u << j;
    expect("laneid", i, out[i].id, i % warp);
    expect("lanemask_eq", i, out[i].eq, 1u << bit);
    expect("lanemask_lt", i, out[i].lt, below);
    expect("lanemask_le", i, out[i].le, below | 1u << bit);
    expect("lanemask_gt", i, out[i].gt, 0xffffffffu & ~(below | 1u << bit));
    expect("lanemask_ge", i, out[i].ge, 0xffffffffu & ~below);
  }
  musaFree(out);
}

// As torch_musa calls it, for a whole warp of mp_22; and for parts of a warp, by PTX's rule.
__global__ void exchange(int* out, int mask, int c) {
  out[threadIdx.x] = __musa_shfl_xor_sync_i32(static_cast<int>(3 * threadIdx.x + 1), mask, c);
}

static void checkExchange(int warp) {
  int* out = nullptr;
  musaMallocManaged(&out, 128 * sizeof(int));
  for (const int width : {warp, 16, 8}) {
    const int c = (~(width - 1) & 127) << 7 | (width - 1);
    for (const int mask : {1, 5, 16, warp - 1}) {
      exchange<<<1, 128>>>(out, mask, c);
      expect("exchange", mask, musaDeviceSynchronize(), musaSuccess);
      for (int i = 0; i < 128; ++i) {
        const int lane = i % warp, last = (lane & ~(width - 1)) | (width - 1);
        const int from = (lane ^ mask) <= last ? i - lane + (lane ^ mask) : i;
        expect("exchange", i, out[i], 3 * from + 1);
      }
    }
  }
  musaFree(out);
}

__global__ void barrier(int* out) {
  __shared__ int values[256];
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = static_cast<int>(threadIdx.x) + round;
    __syncthreads_lm();
    out[threadIdx.x] += values[(threadIdx.x + 100) % 256];
    __syncthreads_lm();
  }
}

__global__ void ends(int* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x % 3 == 0) __musa_exit();
  __syncthreads();
  out[threadIdx.x] = 2;
}

__global__ void bits(unsigned* out, unsigned x) {
  out[0] = __bfe_u32(x, 8, 12);
  out[1] = __bfe_u32(x, 28, 12);
  out[2] = __bfe_u32(x, 0, 32);
  out[3] = __bfe_u32(x, 32, 4);
  out[4] = __bfe_u32(x, 4, 0);
  out[5] = __bfe_u32(x, 256 + 8, 256 + 4);
}

__global__ void converted(const float* in, int* out, int count) {
  for (int i = 0; i < count; ++i) {
    out[4 * i] = __float2char_rn_sat(in[i]);
    out[4 * i + 1] = __float2char_rz_sat(in[i]);
    out[4 * i + 2] = __musa_f2uc_rn_sat(in[i]);
    out[4 * i + 3] = __musa_f2uc_rz_sat(in[i]);
  }
}

__global__ void tf32(const float* in, float* out, int count) {
  for (int i = 0; i < count; ++i) {
    __musa_loop_transparent_outermost();
    out[2 * i] = __musa_float_to_tf32(in[i]);
    out[2 * i + 1] = __musa_exp2_f(in[i]);
  }
}

__global__ void accesses(int* p, double* d, float2* v) {
  volatile_store(volatile_load(p) + 1, p + 1);
  volatile_store(3, d);  // an int into a double
  volatile_store(volatile_load(v), v + 1);
  *__musa_ptr_gen_to_global(p + 2) = 9;
}

template <class T, int N>
static T* managed(const T (&values)[N]) {
  T* out = nullptr;
  musaMallocManaged(&out, 64 * sizeof(T));
  std::memcpy(out, values, sizeof values);
  return out;
}

static void checkValues() {
  unsigned* words = managed({0u});
  bits<<<1, 1>>>(words, 0xabcd1234u);
  musaDeviceSynchronize();
  const unsigned fields[] = {0xd12, 0xa, 0xabcd1234u, 0, 0, 2};
  for (int i = 0; i < 6; ++i) expect("bfe", i, words[i], fields[i]);

  const float numbers[] = {300.f,  -300.f, -2.5f, -2.9f,     2.5f, 3.5f,   -1.f,
                           127.5f, 255.5f, 1e30f, -INFINITY, NAN,  254.5f, -0.4f};
  const int rounded[][4] = {{127, 127, 255, 255}, {-128, -128, 0, 0},   {-2, -2, 0, 0},
                            {-3, -2, 0, 0},       {2, 2, 2, 2},         {4, 3, 4, 3},
                            {-1, -1, 0, 0},       {127, 127, 128, 127}, {127, 127, 255, 255},
                            {127, 127, 255, 255}, {-128, -128, 0, 0},   {0, 0, 0, 0},
                            {127, 127, 254, 254}, {0, 0, 0, 0}};
  constexpr int kNumbers = sizeof numbers / sizeof *numbers;
  float* in = managed(numbers);
  int* out = managed({0});
  converted<<<1, 1>>>(in, out, kNumbers);
  musaDeviceSynchronize();
  for (int i = 0; i < 4 * kNumbers; ++i) expect("converted", i, out[i], rounded[i / 4][i % 4]);

  // Halfway between neighbours of 10 bits, away from zero; larger than any; what is none.
  const float inexact[] = {
      1.f + 0x1p-11f, -1.f - 0x1p-11f, 1.f + 0x1p-12f, 3.f, 0x1.fffffep127f, INFINITY, -4.f};
  const float exact[] = {1.f + 0x1p-10f, -1.f - 0x1p-10f, 1.f, 3.f, INFINITY, INFINITY, -4.f};
  float* input = managed(inexact);
  float* result = managed({0.f});
  tf32<<<1, 1>>>(input, result, 7);
  musaDeviceSynchronize();
  for (int i = 0; i < 7; ++i) expect("tf32", i, result[2 * i] == exact[i], 1);
  expect("exp2", 3, result[7] == 8.f, 1);
  expect("exp2", 6, result[13] == 0.0625f, 1);

  int* p = managed({41, 0, 0});
  double* d = managed({0.});
  float2* v = managed({float2{1.5f, -2.f}, float2{}});
  accesses<<<1, 1>>>(p, d, v);
  expect("accesses", 0, musaDeviceSynchronize(), musaSuccess);
  expect("volatile_store", 1, p[1], 42);
  expect("volatile_store", 2, *d == 3., 1);
  expect("volatile_store", 3, v[1].x == 1.5f && v[1].y == -2.f, 1);
  expect("ptr_gen_to_global", 2, p[2], 9);
}

int main() {
  musaDeviceProp properties;
  musaGetDeviceProperties(&properties, 0);
  const int warp = properties.warpSize;
  checkLanes(dim3(256), warp);
  checkLanes(dim3(8, 6, 4), warp);
  checkLanes(dim3(77), warp);
  checkExchange(warp);
  checkValues();
  int* out = nullptr;
  musaMallocManaged(&out, 256 * sizeof(int));
  std::memset(out, 0, 256 * sizeof(int));
  barrier<<<1, 256>>>(out);
  expect("barrier", 0, musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < 256; ++i) expect("barrier", i, out[i], 3 * ((i + 100) % 256) + 3);
  ends<<<1, 128>>>(out);
  expect("ends", 0, musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < 128; ++i) expect("ends", i, out[i], i % 3 == 0 ? 1 : 2);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
