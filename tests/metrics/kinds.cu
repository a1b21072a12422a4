// Blocks that do the same are counted once: each kernel here has a twin whose blocks are counted one by one,
// as it reads whether to end at once (which it never does). What is counted of their accesses is the same.
#include <cuda_runtime.h>

#include <cstdio>

#define MAY_END \
  if (kApart && *end != 0) return

template <bool kApart>
__global__ void guarded(const int* end, int n, int stride, int offset, const float* in, float* out) {
  MAY_END;
  const int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
  if (i < n) out[i * stride] = in[i];
}

template <bool kApart>
__global__ void scaled(const int* end, int n, float factor, const float2* in, float* out) {
  MAY_END;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 both = in[i];
  out[i] = both.x > factor ? both.x * factor : both.y;
}

template <bool kApart>
__global__ void plane(const int* end, int rows, int columns, const float* in, float* out) {
  MAY_END;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  float sum = in[row * columns + column];
  if (row > 0) sum += in[(row - 1) * columns + column];
  if (column + 1 != columns) sum += in[row * columns + column + 1];
  out[column * rows + row] = sum;
}

template <bool kApart>
__global__ void backwards(const int* end, long n, const double* in, double* out) {
  MAY_END;
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[n - 1 - i] = in[i];
}

// The first block's index goes round, and so does its comparison.
template <bool kApart>
__global__ void round_(const int* end, unsigned n, const float* in, float* out) {
  MAY_END;
  const unsigned i = (blockIdx.x - 1) * blockDim.x + threadIdx.x + 7;
  if (i < n) out[i] = in[i];
}

template <bool kApart>
__global__ void strided(const int* end, int n, const float* in, float* out) {
  MAY_END;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 2 * in[i];
}

template <bool kApart>
__global__ void parity(const int* end, const float* in, float* out) {
  MAY_END;
  __shared__ float part[512];
  const int t = threadIdx.x;
  if (blockIdx.x % 2 == 1) {
    part[2 * t] = in[t];
  } else {
    part[t] = in[t + 1];
  }
  __syncthreads();
  switch (blockIdx.x) {
    case 3:
      out[t] = part[t];
      break;
    case 5:
      out[3 * t] = part[t];
      break;
    default:
      out[2 * t] = part[t];
  }
}

// No sums.
template <bool kApart>
__global__ void product(const int* end, const float* in, float* out) {
  MAY_END;
  out[threadIdx.x] = in[threadIdx.x * (blockIdx.x % 3 + 1)] + in[threadIdx.x ^ (blockIdx.x * 5)];
}

template <bool kApart>
__global__ void choice(const int* end, const float* in, float* out) {
  MAY_END;
  const int at = blockIdx.x % 4 == 2 ? threadIdx.x * 9 : threadIdx.x;
  const float* const from = blockIdx.x > 2 ? in + 3 : in;
  out[at] = from[threadIdx.x];
}

struct Shape {
  int rows, columns;
  const float* in;
};

template <bool kApart>
__global__ void ofShape(const int* end, Shape shape, float* out) {
  MAY_END;
  for (int row = 0; row < shape.rows; ++row) {
    const int i = row * shape.columns + blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += shape.in[i];
  }
}

template <bool kApart>
void runAll(const int* end, float* in, float* out) {
  for (const int offset : {0, 5}) guarded<kApart><<<41, 100>>>(end, 3917, 3, offset, in, out);
  guarded<kApart><<<41, 100>>>(end, 3917, 1, -3, in + 3, out + 3);
  for (const int start : {0, 8, 2, 10}) {
    for (const float factor : {0.0f, 3.0f})
      scaled<kApart><<<12, 128>>>(end, 1300 + start % 4, factor, reinterpret_cast<float2*>(in + start),
                                  out + start / 2);
  }
  plane<kApart><<<dim3(9, 7), dim3(24, 8)>>>(end, 51, 203, in, out);
  backwards<kApart><<<20, 96>>>(end, 1801, reinterpret_cast<double*>(in), reinterpret_cast<double*>(out));
  round_<kApart><<<20, 64>>>(end, 1100, in, out);
  strided<kApart><<<7, 96>>>(end, 6000, in, out);
  parity<kApart><<<8, 128>>>(end, in, out);
  product<kApart><<<9, 128>>>(end, in, out);
  choice<kApart><<<9, 128>>>(end, in, out);
  ofShape<kApart><<<5, 77>>>(end, Shape{6, 413, in}, out);
}

int main() {
  float *in, *out;
  int* end;
  cudaMalloc(&in, 1 << 18);
  cudaMalloc(&out, 1 << 18);
  cudaMalloc(&end, sizeof(int));
  cudaMemset(in, 0, 1 << 18);
  cudaMemset(end, 0, sizeof(int));
  runAll<false>(end, in, out);
  runAll<true>(end, in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
