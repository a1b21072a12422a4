// Sums of which one lane has the result, and ways that a warp's index decides about.
#include <musa_runtime.h>

#include <cstdio>

__device__ float sumInFirstLane(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void sumOfWarps(const float* in, float* out) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = sumInFirstLane(in[index]);
  if (threadIdx.x % 32 == 0) out[index / 32] = sum;
}

// Two lanes of a vector write, the one behind the other's place.
__global__ void sumsOfEight(const float* in, float* out) {
  float sum = in[threadIdx.x];
  for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 8 == 3) out[threadIdx.x / 8 ^ 1] = sum + threadIdx.x;
}

// What the first lane does not need, others do.
__global__ void sumsOfLanes(const float* in, float* out) {
  float sum = sumInFirstLane(in[threadIdx.x]);
  out[threadIdx.x] = sum + __shfl_xor_sync(0xffffffffu, sum, 3);
}

// Each row of threads, and each warp in it, goes its own way; last, a part of a warp does.
__global__ void byWarp(const float* in, float* out) {
  const unsigned index = threadIdx.y * blockDim.x + threadIdx.x;
  float value = in[index];
  if (threadIdx.y == 1) value = sumInFirstLane(value) + 1;
  if (threadIdx.x / 32 == 1) value = sumInFirstLane(value) + 2;
  if (threadIdx.x >= 64) value = sumInFirstLane(value) + 3;
  if ((threadIdx.x & 0xffffffe0u) == 32 && blockDim.x > 16) value = sumInFirstLane(value) + 4;
  const unsigned some = __ballot_sync(0xffffffffu, threadIdx.x < 40);
  if (threadIdx.x < 40) value += __shfl_sync(some, value, 0);
  out[index] = value;
}

namespace host {

// Of threads that follow each other in a block, `first` is the first of their warp.
void addLanes(float* warp) {
  for (int offset = 16; offset > 0; offset /= 2) {
    for (int lane = 0; lane < 32; ++lane) warp[lane] += warp[lane + offset < 32 ? lane + offset : lane];
  }
}

// All of a warp, or none, does so: `does(x, y)`.
template <typename Does>
void step(float* values, dim3 block, float more, Does does) {
  for (unsigned first = 0; first < block.x * block.y; first += 32) {
    if (!does(first % block.x, first / block.x)) continue;
    addLanes(values + first);
    for (unsigned lane = 0; lane < 32; ++lane) values[first + lane] += more;
  }
}

void byWarp(float* values, dim3 block) {
  step(values, block, 1, [](unsigned, unsigned y) { return y == 1; });
  step(values, block, 2, [](unsigned x, unsigned) { return x / 32 == 1; });
  step(values, block, 3, [](unsigned x, unsigned) { return x >= 64; });
  step(values, block, 4, [](unsigned x, unsigned) { return x / 32 == 1; });
  for (unsigned i = 0; i < block.x * block.y; ++i) {
    const float first = values[i / 32 * 32];
    if (i % 32 != 0 && i % block.x < 40) values[i] += first;
  }
  for (unsigned i = 0; i < block.x * block.y; i += 32) {
    if (i % block.x < 40) values[i] *= 2;
  }
}

}  // namespace host

constexpr int kMost = 512;

template <typename Launch, typename Expected>
bool isRight(const char* what, float* in, float* out, int count, Launch launch, Expected expected) {
  for (int i = 0; i < kMost; ++i) in[i] = static_cast<float>(i * 37 % 101 - 50), out[i] = -1;
  launch();
  if (musaDeviceSynchronize() != musaSuccess) return false;
  float values[kMost];
  for (int i = 0; i < kMost; ++i) values[i] = in[i];
  expected(values);
  for (int i = 0; i < count; ++i) {
    if (out[i] != values[i]) return std::printf("%s: [%d] %f, not %f\n", what, i, out[i], values[i]), false;
  }
  return true;
}

int main() {
  float *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kMost * sizeof *in);
  musaMallocManaged(&out, kMost * sizeof *out);
  bool right = isRight("sumOfWarps", in, out, 16, [&] { sumOfWarps<<<2, 256>>>(in, out); }, [](float* values) {
    for (int warp = 0; warp < 16; ++warp) {
      host::addLanes(values + warp * 32);
      values[warp] = values[warp * 32];
    }
  });
  right &= isRight("sumsOfEight", in, out, 16, [&] { sumsOfEight<<<1, 128>>>(in, out); }, [](float* values) {
    float sums[16];
    for (int part = 0; part < 16; ++part) {
      sums[part ^ 1] = static_cast<float>(8 * part + 3);
      for (int lane = 0; lane < 8; ++lane) sums[part ^ 1] += values[8 * part + lane];
    }
    for (int part = 0; part < 16; ++part) values[part] = sums[part];
  });
  right &= isRight("sumsOfLanes", in, out, 64, [&] { sumsOfLanes<<<1, 64>>>(in, out); }, [](float* values) {
    for (float* warp : {values, values + 32}) {
      host::addLanes(warp);
      float sums[32];
      for (int lane = 0; lane < 32; ++lane) sums[lane] = warp[lane] + warp[lane ^ 3];
      for (int lane = 0; lane < 32; ++lane) warp[lane] = sums[lane];
    }
  });
  for (const dim3 block : {dim3(128), dim3(32, 4), dim3(64, 3), dim3(96, 2)}) {
    const int count = block.x * block.y;
    right &= isRight("byWarp", in, out, count, [&] { byWarp<<<1, block>>>(in, out); },
                     [&](float* values) { host::byWarp(values, block); });
  }
  return right ? 0 : 1;
}
