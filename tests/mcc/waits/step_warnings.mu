// Where the warps of a block count on going about in step: -Wmusa-warp-synchronous names those lines and no
// others. run_warnings.py reads the words after "expect:".

__global__ void rounds(int* out) {
  __shared__ int parts[32];
  const int t = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (t % 32 == 0) parts[t / 32] = round;  // expect: __syncthreads() is missing before this write
    __syncthreads();
    for (int i = 0; i < static_cast<int>(blockDim.x) / 32; ++i) sum += parts[i];
  }
  out[t] = sum;
}

__global__ void mended(int* out) {
  __shared__ int parts[32];
  const int t = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    __syncthreads();
    if (t % 32 == 0) parts[t / 32] = round;
    __syncthreads();
    for (int i = 0; i < static_cast<int>(blockDim.x) / 32; ++i) sum += parts[i];
  }
  out[t] = sum;
}

__global__ void announced(int* out, const int* in) {
  __shared__ int said;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) said = in[0];
  __syncthreads();
  const int first = said;
  if (t == 0) said = in[first];  // expect: __syncthreads() is missing before this write
  __syncthreads();
  out[t] = said + first;
}

__global__ void lookedUp(int* out, const int* in) {
  __shared__ int table[256];
  const int t = static_cast<int>(threadIdx.x);
  table[t] = in[t];
  __syncthreads();
  const int found = table[in[t + 256] & 255];
  table[t] = found;  // expect: __syncthreads() is missing before this write
  __syncthreads();
  out[t] = table[255 - t];
}

__global__ void scattered(int* out, const int* in) {
  __shared__ int s[256];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  const int total = s[0] + s[100];
  __syncwarp();
  if (t < 32) s[in[t] & 255] = total;  // expect: __syncthreads() is missing before this write
  __syncthreads();
  out[t] = s[t];
}

// --- None of these -------------------------------------------------------------------------------

__global__ void tree(int* out, const int* in) {
  __shared__ int s[256];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

__global__ void unrolledTree(int* out, const int* in) {
  __shared__ int s[256];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  if (t < 128) s[t] += s[t + 128];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    if (t < 64 && t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

// The next round writes the other half.
__global__ void twoBuffers(int* out, const int* in) {
  __shared__ int s[2][256];
  const int t = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int round = 0; round < 8; ++round) {
    s[round % 2][t] = in[round * 256 + t];
    __syncthreads();
    sum += s[round % 2][255 - t];
  }
  out[t] = sum;
}

// Each warp has memory of its own, and each thread.
__global__ void ownMemory(int* out, const int* in) {
  __shared__ int s[8][64], mine[256 * 4];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  int sum = 0;
  __syncthreads();
  for (int round = 0; round < 8; ++round) {
    s[warp][lane] = in[round * 256 + t];
    mine[t * 4 + round % 4] = lane;
    __syncwarp();
    for (int i = 0; i < 32; ++i) sum += s[warp][i];
    sum += mine[t * 4 + (round + 1) % 4];
    __syncwarp();
  }
  out[t] = sum;
}

// Where data says, but in a part of the thread's own.
__global__ void countedApart(int* out, const int* in) {
  __shared__ int counts[256 * 4];
  const int t = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 4; ++i) counts[t * 4 + i] = 0;
  __syncthreads();
  const int first = counts[t * 4];
  counts[t * 4 + (in[t] & 3)] = first + 1;
  __syncthreads();
  out[t] = counts[t];
}

// In blocks of three dimensions, by any size of theirs.
__global__ void treeOfBlock(int* out, const int* in) {
  __shared__ int s[256];
  const int t = static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  s[t] = in[t];
  __syncthreads();
  for (int d = static_cast<int>(blockDim.x * blockDim.y * blockDim.z) / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

__global__ void treeWithin(unsigned* out, const unsigned* in) {
  __shared__ unsigned s[256];
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (unsigned d = 128; d > 0; d >>= 1) {
    if (t < d && t + d < 200) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

__global__ void treeByPairs(int* out, const int* in) {
  __shared__ int s[256];
  const int t = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

__global__ void treesOfLines(int* out, const int* in) {
  __shared__ int rows[16][16], columns[16][16];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  rows[y][x] = columns[y][x] = in[y * 16 + x];
  __syncthreads();
  for (int d = 8; d > 0; d /= 2) {
    if (x < d) rows[y][x] += rows[y][x + d];
    if (y < d) columns[y][x] += columns[y + d][x];
    __syncthreads();
  }
  if (x == 0) out[y] = rows[y][0];
  if (y == 0) out[x] = columns[0][x];
}

__global__ void treesOfBoxes(int* out, const int* in) {
  __shared__ int s[8][8][4];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y),
            z = static_cast<int>(threadIdx.z);
  s[x][y][z] = in[x];
  __syncthreads();
  for (int d = 4; d > 0; d /= 2) {
    if (x < d) s[x][y][z] += s[x + d][y][z];
    __syncthreads();
  }
  if (x == 0) out[y * 4 + z] = s[0][y][z];
}

// A scan from one half to the other and back.
__global__ void halvesInTurn(int* out, const int* in) {
  __shared__ int s[512];
  const int t = static_cast<int>(threadIdx.x);
  int to = 0;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    to = 1 - to;
    const int from = 1 - to;
    s[to * 256 + t] = s[from * 256 + t] + (t >= d ? s[from * 256 + t - d] : 0);
    __syncthreads();
  }
  out[t] = s[to * 256 + t];
}

// Pairs of elements that one thread has for itself.
__global__ void sorted(int* data) {
  __shared__ int s[512];
  const int t = static_cast<int>(threadIdx.x);
  s[t] = data[t];
  s[t + 256] = data[t + 256];
  for (int size = 2; size <= 512; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int low = 2 * t - (t & (step - 1)), high = low + step;
      if ((s[low] > s[high]) == ((low & size) == 0)) {
        const int kept = s[low];
        s[low] = s[high];
        s[high] = kept;
      }
    }
  }
  __syncthreads();
  data[t] = s[t];
  data[t + 256] = s[t + 256];
}

// It does not matter who says so first.
__global__ void flagged(int* out, const int* in) {
  __shared__ bool found;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) found = false;
  __syncthreads();
  for (int i = t; i < 4096 && !found; i += 256) {
    if (in[i] == 7) found = true;
  }
  __syncthreads();
  if (t == 0) *out = found;
}

int main() {}
