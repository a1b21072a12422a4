// Threads that go over rows of arrays, in blocks that take tiles.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kTile = 32, kRows = 8;

// Rows far apart: a loop over them.
__global__ void looped(int n, const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// The same without loops.
__global__ void writtenOut(int n, const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  tile[threadIdx.y + 8][threadIdx.x] = in[(y + 8) * n + x];
  tile[threadIdx.y + 16][threadIdx.x] = in[(y + 16) * n + x];
  tile[threadIdx.y + 24][threadIdx.x] = in[(y + 24) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
  out[(y + 8) * n + x] = tile[threadIdx.x][threadIdx.y + 8];
  out[(y + 16) * n + x] = tile[threadIdx.x][threadIdx.y + 16];
  out[(y + 24) * n + x] = tile[threadIdx.x][threadIdx.y + 24];
}

// Not all threads come to the loop, and those that do differ in how far they go.
__global__ void guarded(int n, const float* in, float* out) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (in[y * n + x] < 0) return;
  for (int j = 0; j < kTile; j += kRows) {
    if (y + j < n && x < n) out[x * n + y + j] = in[(y + j) * n + x];
  }
}

// Round after round adds to what the one before has got.
__global__ void added(int n, const float* in, float* out) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int j = 0; j < kTile; j += kRows) sum += in[(y + j) * n + x];
  for (int j = 0; j < kTile; j += kRows) out[x * n + y + j] = in[(y + j) * n + x] + sum - sum;
}

// A block goes on where it is.
__global__ void inOrder(int n, const float* in, float* out) {
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < n; i += blockDim.x * blockDim.y)
    out[i * n + blockIdx.x] = in[blockIdx.x * n + i];
}

constexpr int kSize = 4 * kTile;

// That `out` is the transpose.
bool isRight(const float* in, const float* out) {
  for (int i = 0; i < kSize * kSize; ++i) {
    if (out[i] != in[i % kSize * kSize + i / kSize]) return false;
  }
  return true;
}

int main() {
  float *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kSize * kSize * sizeof(float));
  musaMallocManaged(&out, kSize * kSize * sizeof(float));
  for (int i = 0; i < kSize * kSize; ++i) in[i] = i * 7919 % 4096;
  int wrong = 0;
  const auto check = [&](const char* name) {
    if (musaDeviceSynchronize() != musaSuccess || !isRight(in, out)) wrong += puts(name) >= 0;
    for (int i = 0; i < kSize * kSize; ++i) out[i] = -1;
  };
  const dim3 grid(kSize / kTile, kSize / kTile), block(kTile, kRows);
  looped<<<grid, block>>>(kSize, in, out);
  check("looped");
  writtenOut<<<grid, block>>>(kSize, in, out);
  check("writtenOut");
  guarded<<<grid, block>>>(kSize, in, out);
  check("guarded");
  added<<<grid, block>>>(kSize, in, out);
  check("added");
  inOrder<<<kSize, block>>>(kSize, in, out);
  check("inOrder");
  return wrong;
}
