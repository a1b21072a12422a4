// Sums of tiles in shared memory.
#include <dlfcn.h>
#include <musa_runtime.h>

#include <cstdio>

constexpr int kTile = 16;

// An index is needed in a loop and behind it, and LLVM computes its parts before the loop, if there is any.
__global__ void sums(int n, int tiles, const float* in, float* out) {
  __shared__ float part[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < tiles / kTile; ++tile) {
    part[threadIdx.y][threadIdx.x] = in[row * n + tile * kTile + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += part[k][threadIdx.x] * in[tile * kTile * n + column];
    __syncthreads();
  }
  out[row * n + column] = sum;
}

// Rows of `second` stay in registers: only `first` is read from shared memory.
__global__ void product(int n, const float* a, const float* b, float* c) {
  __shared__ float first[kTile][kTile], second[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int tile = 0; tile < n / kTile; ++tile) {
    first[y][x] = a[row * n + tile * kTile + x];
    second[y][x] = b[(tile * kTile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += first[y][k] * second[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// The first half of the threads takes what the second has read.
__global__ void halves(const float* in, float* out) {
  __shared__ float part[256];
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

// The same with numbers of 8 bytes, in an order that matters.
__global__ void differences(const double* in, double* out) {
  __shared__ double part[256];
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] -= part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

bool differencesAreRight(double* in, double* out) {
  constexpr int kBlocks = 4;
  for (int i = 0; i < kBlocks * 256; ++i) in[i] = i * 31 % 57;
  differences<<<kBlocks, 256>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int block = 0; block < kBlocks; ++block) {
    double want = 0;  // taken away once for each half that it is in
    for (int i = 0; i < 256; ++i)
      want += __builtin_popcount(i) % 2 ? -in[block * 256 + i] : in[block * 256 + i];
    if (out[block] != want)
      return std::printf("differences[%d]: %f, not %f\n", block, out[block], want), false;
  }
  return true;
}

bool halvesAreRight(const float* in, float* out) {
  constexpr int kBlocks = 9;
  halves<<<kBlocks, 256>>>(in, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int block = 0; block < kBlocks; ++block) {
    float want = 0;
    for (int i = 0; i < 256; ++i) want += in[block * 256 + i];
    if (out[block] != want) return std::printf("halves[%d]: %f, not %f\n", block, out[block], want), false;
  }
  return true;
}

bool productIsRight(int n, const float* in, float* out) {
  product<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(n, in, in, out);
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (int i = 0; i < n * n; ++i) {
    float want = 0;
    for (int k = 0; k < n; ++k) want += in[i / n * n + k] * in[k * n + i % n];
    if (out[i] != want) return std::printf("product[%d]: %f, not %f\n", i, out[i], want), false;
  }
  return true;
}

int main() {
  constexpr int kSize = 48;
  float *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kSize * kSize * sizeof *in);
  musaMallocManaged(&out, kSize * kSize * sizeof *out);
  for (int i = 0; i < kSize * kSize; ++i) in[i] = static_cast<float>(i * 7 % 11 - 5);
  if (!productIsRight(kSize, in, out)) return 1;
  auto* follows = static_cast<unsigned long long*>(dlsym(RTLD_DEFAULT, "__musa_follows_instructions"));
  double *numbers = nullptr, *results = nullptr;
  musaMallocManaged(&numbers, 1024 * sizeof *numbers);
  musaMallocManaged(&results, 4 * sizeof *results);
  for (const bool byLoops : {false, true}) {
    *follows = byLoops;  // as the device runtime has it on other processors
    if (!halvesAreRight(in, out) || !differencesAreRight(numbers, results)) return 1;
  }
  for (const int tiles : {kSize, 0}) {
    sums<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(kSize, tiles, in, out);
    if (musaDeviceSynchronize() != musaSuccess) return 2;
    for (int i = 0; i < kSize * kSize; ++i) {
      const int row = i / kSize / kTile * kTile, column = i % kSize;
      float want = 0;
      for (int tile = 0; tile < tiles / kTile; ++tile) {
        for (int k = 0; k < kTile; ++k)
          want += in[(row + k) * kSize + tile * kTile + column % kTile] * in[tile * kTile * kSize + column];
      }
      if (out[i] != want) return std::printf("%d of %d tiles: %f, not %f\n", i, tiles, out[i], want), 1;
    }
  }
}
