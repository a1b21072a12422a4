// Kernels that waste bandwidth, lanes or banks, each in a way of its own, and a few that do not beside them.
#pragma once

struct Particle {
  float x, y, z, mass;
};

__global__ void copyStrided(int n, int stride, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride];
}

__global__ void copyShifted(int n, int shift, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + shift] = in[i];
}

__global__ void transposeNaive(int n, const float* in, float* out) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}

// The tile of tests/benchmarks' transpose without its column of padding.
__global__ void transposeConflicts(int n, const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void conflictsByStride(int stride, const float* in, float* out) {
  __shared__ float part[1024];
  const int t = threadIdx.x;
  part[t * stride] = in[blockIdx.x * 128 + t];
  __syncthreads();
  out[blockIdx.x * 128 + t] = part[(127 - t) * stride];
}

__global__ void conflictsByPairs(const double* in, double* out) {
  __shared__ double part[128];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  out[blockIdx.x * 128 + t] = part[t ^ 1];
}

__global__ void structures(int n, const Particle* particles, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = particles[i].x * particles[i].mass;
}

__global__ void evenAndOdd(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = in[i];
  if (threadIdx.x % 2 == 0) {
    for (int k = 0; k < 8; ++k) value = sqrtf(value + 1.0f);
    out[i] = value;
  } else {
    for (int k = 0; k < 8; ++k) value = value * value * 0.25f + in[(i + k) % n];
    out[i] = value;
  }
}

// Lane k goes round k times.
__global__ void trianglesByLane(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < threadIdx.x % 32; ++k) sum += in[i * 8 % 4096 + k];
  out[i] = sum;
}

// Three warps, the last half empty by its guard.
__global__ void halfBlock(const float* in, float* out) {
  if (threadIdx.x < 80) out[blockIdx.x * 80 + threadIdx.x] = in[blockIdx.x * 80 + threadIdx.x] + 1.0f;
}

__global__ void bytesToFloats(int n, const unsigned char* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void vectors(int n, const float4* in, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void counterForAll(unsigned* out) { atomicAdd(out, 1u); }

__global__ void countersByLane(const unsigned char* in, unsigned* out) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[in[blockIdx.x * 256 + threadIdx.x] & 31], threadIdx.x);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

__global__ void gather(int n, const unsigned char* indices, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[indices[i] * 16];
}

__global__ void broadcast(const float* in, float* out) {
  __shared__ float part[128];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 128; ++k) sum += part[k];
  out[blockIdx.x * 128 + threadIdx.x] = sum + in[blockIdx.x];
}
