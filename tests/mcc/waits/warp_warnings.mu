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

// One load serves all lanes before the store.
__global__ void inPlace(int* out, const int* in) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  const int other = s[t ^ 1];
  s[t] = other;  // expect: __syncwarp() is missing before this access
  __syncthreads();
  out[t] = s[t];
}

__global__ void scattered(int* out, const int* in) {
  __shared__ int s[4][32];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  s[t / 32][in[t] & 31] = lane;
  out[t] = s[t / 32][lane];  // expect: __syncwarp() is missing before this access
}

__global__ void gathered(int* out, const int* in) {
  __shared__ int s[4][32];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  s[t / 32][lane] = in[t];
  out[t] = s[t / 32][in[t + 128] & 31];  // expect: __syncwarp() is missing before this access
}

__global__ void inPlaceByData(int* out, const int* in) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  const int other = s[t ^ 1];
  if (t < 32) s[in[t]] = other;  // expect: __syncwarp() is missing before this access
  __syncthreads();
  out[t] = s[t];
}

__global__ void inPlaceMended(int* out, const int* in) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  const int other = s[t ^ 1];
  __syncwarp();
  s[t] = other;
  __syncthreads();
  out[t] = s[t];
}

__global__ void inGlobalPlace(int* data) {
  const int t = static_cast<int>(threadIdx.x);
  const int other = data[t ^ 1];
  data[t] = other;  // expect: __syncwarp() is missing before this access
}

__global__ void scan(int* out, const int* in) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  s[t] = in[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    if (lane >= d) s[t] += s[t - d];  // expect: __syncwarp() is missing before this access
    __syncwarp();
  }
  out[t] = s[t];
}

// Lanes that do not read go to the next round.
__global__ void inBranch(int* out, const int* in, int rounds) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x);
  for (int r = 0; r < rounds; ++r) {
    s[t] = in[t] + r;  // expect: __syncwarp() is missing before this access
    __threadfence_block();
    if (t & 1) out[t] += s[t - 1];  // expect: __syncwarp() is missing before this access
  }
}

// Two buffers, of which the one that is written is the one that is read.
__global__ void inOneBuffer(int* out, const int* in, int rounds) {
  __shared__ int s[2][128];
  const int t = static_cast<int>(threadIdx.x);
  for (int r = 0; r < rounds; ++r) {
    s[r % 2][t] = in[t] + r;
    out[t] += s[r % 2][t ^ 1];  // expect: __syncwarp() is missing before this access
    __syncthreads();
  }
}

// In a block of any shape.
__global__ void inBlock(int* out, const int* in) {
  __shared__ int s[256];
  const int t = static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  const int other = s[t ^ 1];
  s[t] = other;  // expect: __syncwarp() is missing before this access
  __syncthreads();
  out[t] = s[t];
}

// An element that the lanes have in common.
__global__ void told(int* out, const int* in) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, warp = t >> 5;
  if (lane == 31) s[warp] = in[t];
  out[t] = s[warp];  // expect: __syncwarp() is missing before this access
}

__global__ void replaced(int* out, const int* in) {
  __shared__ int s[4];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, warp = t >> 5;
  if (lane == 0) s[warp] = in[t];
  __syncwarp();
  const int first = s[warp];
  if (lane == 5) s[warp] = first + 1;  // expect: __syncwarp() is missing before this access
  __syncwarp();
  out[t] = first + s[warp];
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

// The same by distances that are known, by what lanes there are, and by every second, fourth, ... lane.
__global__ void reduceWarp(int* out, const int* in) {
  __shared__ int s[128];
  const int t = static_cast<int>(threadIdx.x), lane = t & 31;
  s[t] = in[t];
  __syncwarp();
  if (lane < 16) s[t] += s[t + 16];
  __syncwarp();
  if (lane < 8) s[t] += s[t + 8];
  __syncthreads();
  for (int d = 1; d < 8; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  for (int d = static_cast<int>(blockDim.x) / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    s[1] = s[0] + s[2];
    *out = s[1];
  }
}

// By the same lanes, that other conditions choose from as well.
__global__ void keptByOne(int* out, const int* in, int n) {
  __shared__ int s[4], all;
  const int t = static_cast<int>(threadIdx.x), lane = t & 31, warp = t >> 5;
  if (t < n) {
    if (lane == 0) s[warp] = in[t];
    if (lane == 0 && in[t] > 3) out[t] = s[warp];
  }
  if (t == 0 && n > 5) all = n;
  __syncthreads();
  out[t] += all;
  __syncthreads();
  if (t < n && in[t] == 7) all = t;
  if (t < n && in[t] == 7) out[t] = all + 1;
}

// Where data says, in the lane's own elements.
__global__ void ownByData(int* out, const int* in) {
  __shared__ int s[128 * 4];
  const int t = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 4; ++i) s[t * 4 + i] = 0;
  for (int i = 0; i < 8; ++i) s[t * 4 + (in[t + i] & 3)] += 1;
  for (int i = 0; i < 4; ++i) out[t] += s[t * 4 + i];
}

// It does not matter which lane says so.
__global__ void foundByAny(int* out, const int* in) {
  __shared__ bool found;
  const int t = static_cast<int>(threadIdx.x);
  found = false;
  __syncthreads();
  if (in[t] == 7) found = true;
  if (found) out[t] = 1;
}

// Elements that a thread goes over by itself, in shared memory that others have parts of, and in its row.
__global__ void ownParts(int* out, const int* in, int stride) {
  __shared__ int s[128 * 4], rows[4 * 128];
  const int t = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 4; ++i) s[t * 4 + i] = in[t * 4 + i];
  for (int i = 0; i < 3; ++i) s[t * 4 + i] += s[t * 4 + i + 1];
  for (int i = 0; i < 4; ++i) rows[i * 128 + t] = s[t * 4 + i];
  for (int i = 0; i < 3; ++i) rows[i * 128 + t] = rows[(i + 1) * 128 + t];
  for (int i = t; i < 512; i += 128) out[i] = rows[i];
  for (int i = t; i < 512; i += stride) out[i] += in[i + 1];
}

int main() {}
