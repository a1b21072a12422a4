// Where lanes of a warp count on moving together: -Wmusa-warp-synchronous names those lines and no others.
// run_warnings.py reads the words after "expect:".

__global__ void exchange(int* out, const int* in) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x), base = t & ~31;
  s[t] = in[t];
  out[t] = s[base + 31 - (t & 31)];  // expect: __syncwarp() is missing before this access
}

__global__ void mended(int* out, const int* in) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x), base = t & ~31;
  s[t] = in[t];
  __syncwarp();
  out[t] = s[base + 31 - (t & 31)];
}

__global__ void inGlobal(volatile int* data, int* out, const int* in) {
  const int t = static_cast<int>(threadIdx.x);
  data[t] = in[t];
  out[t] = data[t ^ 1];  // expect: __syncwarp() is missing before this access
}

// Which the emulator has lanes move together in without optimisation alone.
__global__ void afterPolling(int* out, const int* in, const volatile int* flag) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x);
  while (*flag == 0) {
  }
  s[t] = in[t];
  out[t] = s[t ^ 1];  // expect: __syncwarp() is missing before this access
}

// The element is the lane's own, or another has been waited for.
__global__ void reduce(int* out, const int* in) {
  __shared__ int s[256];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  for (int d = 128; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) *out = s[0];
}

int main() {}
