// Threads that read in shared memory what their neighbours have written.
#include <musa_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kThreads = 256;

// Inclusive sums of each block; the last block is not full.
__global__ void scan(int n, const unsigned* in, unsigned* out) {
  __shared__ unsigned part[2][kThreads];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  unsigned from = 0;
  part[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < kThreads; step *= 2) {
    part[1 - from][t] = t >= step ? part[from][t] + part[from][t - step] : part[from][t];
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = part[from][t];
}

// Sums of four, and where they are read in the end is not known beforehand.
__global__ void looked(const unsigned* in, const int* places, unsigned* out) {
  __shared__ unsigned part[2][kThreads];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  part[0][t] = in[i];
  __syncthreads();
  part[1][t] = t >= 1 ? part[0][t] + part[0][t - 1] : part[0][t];
  __syncthreads();
  part[0][t] = t >= 2 ? part[1][t] + part[1][t - 2] : part[1][t];
  __syncthreads();
  out[i] = part[0][places[t]] + 5 * part[1][places[t] / 2];
}

// Dynamic memory begins where the last vector of the static one has not ended.
__global__ void dynamic(const int* places, const unsigned* in, unsigned* out) {
  __shared__ unsigned part[2][kThreads], last;
  extern __shared__ unsigned more[];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  part[0][t] = in[i];
  if (t == 0) last = in[i];
  __syncthreads();
  part[1][t] = t >= 1 ? part[0][t] + part[0][t - 1] : part[0][t] + last;
  more[t] = in[i] * 3;
  __syncthreads();
  part[0][t] = t >= 2 ? part[1][t] + part[1][t - 2] : part[1][t];
  __syncthreads();
  out[i] = part[0][places[t]] + 5 * more[(t + 1) % kThreads];
}

// Some threads write again what others have written, under a condition of the whole block.
__global__ void smoothed(bool again, const float* in, float* out) {
  __shared__ float row[2][kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  row[0][t] = in[i];
  __syncthreads();
  row[1][t] = t > 0 ? row[0][t] - row[0][t - 1] : 1;
  if (in[i] > 6) row[1][t] = in[i];
  __syncthreads();
  if (again) {
    row[0][t] = row[1][t] + 2;
    __syncthreads();
    if (t < 100) row[1][t] = 2 * row[0][t];
    __syncthreads();
  }
  const float own = in[i] < 9 ? row[1][t] : 4;
  out[i] = t < kThreads - 1 ? own + 3 * row[1][t + 1] : 5;
}

// The same again and again: each round reads what the last has written.
__global__ void rounds(int count, const int* places, const unsigned* in, unsigned* out) {
  __shared__ unsigned row[2][kThreads];
  const unsigned t = threadIdx.x, i = blockIdx.x * kThreads + t;
  row[0][places[t]] = in[i];
  __syncthreads();
  do {
    row[1][t] = t > 0 ? row[0][t] + row[0][t - 1] : 1;
    __syncthreads();
    row[0][t] = t > 1 ? row[1][t] + 3 * row[1][t - 2] : row[1][t];
    __syncthreads();
  } while (--count > 0);
  out[i] = row[0][t];
}

template <typename T>
struct Array {
  explicit Array(size_t count) : count(count) { musaMallocManaged(&data, count * sizeof(T)); }
  ~Array() { musaFree(data); }
  size_t count;
  T* data = nullptr;
};

template <typename T>
bool areSame(const char* kernel, const Array<T>& got, const std::vector<T>& want) {
  if (musaDeviceSynchronize() != musaSuccess) return false;
  for (size_t i = 0; i < want.size(); ++i) {
    if (got.data[i] != want[i])
      return std::printf("%s[%zu]: %g, not %g\n", kernel, i, double(got.data[i]), double(want[i])), false;
  }
  return true;
}

bool scanIsRight(int n) {
  const int blocks = (n + kThreads - 1) / kThreads;
  Array<unsigned> in(n), out(blocks * kThreads);
  std::vector<unsigned> want(blocks * kThreads);
  for (int i = 0; i < blocks * kThreads; ++i) {
    const unsigned value = i * 2654435761u;
    out.data[i] = want[i] = 7;
    if (i >= n) continue;
    in.data[i] = value;
    want[i] = value + (i % kThreads > 0 ? want[i - 1] : 0);
  }
  scan<<<blocks, kThreads>>>(n, in.data, out.data);
  return areSame("scan", out, want);
}

bool lookedIsRight() {
  constexpr int kCount = 3 * kThreads;
  Array<unsigned> in(kCount), out(kCount);
  Array<int> places(kThreads);
  for (int i = 0; i < kCount; ++i) in.data[i] = i * 7 % 11;
  for (int t = 0; t < kThreads; ++t) places.data[t] = t * 37 % kThreads;
  const auto sumOf = [&](int count, int block, int t) {
    unsigned sum = 0;
    for (int k = t < count ? 0 : t - count + 1; k <= t; ++k) sum += in.data[block * kThreads + k];
    return sum;
  };
  std::vector<unsigned> want(kCount);
  for (int i = 0; i < kCount; ++i) {
    const int block = i / kThreads, place = places.data[i % kThreads];
    want[i] = sumOf(4, block, place) + 5 * sumOf(2, block, place / 2);
  }
  looked<<<kCount / kThreads, kThreads>>>(in.data, places.data, out.data);
  return areSame("looked", out, want);
}

bool dynamicIsRight() {
  constexpr int kCount = 2 * kThreads;
  Array<unsigned> in(kCount), out(kCount);
  Array<int> places(kThreads);
  for (int t = 0; t < kThreads; ++t) places.data[t] = t * 37 % kThreads;
  for (int i = 0; i < kCount; ++i) in.data[i] = i * 31 + 5;
  std::vector<unsigned> want(kCount), sums(kThreads);
  for (int block = 0; block < 2; ++block) {
    const unsigned* row = in.data + block * kThreads;
    for (int t = 0; t < kThreads; ++t) sums[t] = row[t] + row[t > 0 ? t - 1 : 0];
    for (int t = kThreads - 1; t > 1; --t) sums[t] += sums[t - 2];
    for (int t = 0; t < kThreads; ++t)
      want[block * kThreads + t] = sums[places.data[t]] + 15 * row[(t + 1) % kThreads];
  }
  dynamic<<<2, kThreads, kThreads * sizeof(unsigned)>>>(places.data, in.data, out.data);
  return areSame("dynamic", out, want);
}

bool smoothedIsRight(bool again) {
  constexpr int kCount = 2 * kThreads;
  Array<float> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in.data[i] = static_cast<float>(i * 5 % 13);
  std::vector<float> want(kCount);
  for (int block = 0; block < 2; ++block) {
    const float* row = in.data + block * kThreads;
    std::vector<float> second(kThreads, 1);
    for (int t = 1; t < kThreads; ++t) second[t] = row[t] - row[t - 1];
    for (int t = 0; t < kThreads; ++t) second[t] = row[t] > 6 ? row[t] : second[t];
    for (int t = 0; again && t < 100; ++t) second[t] = 2 * (second[t] + 2);
    for (int t = 0; t < kThreads; ++t)
      want[block * kThreads + t] = t < kThreads - 1 ? (row[t] < 9 ? second[t] : 4) + 3 * second[t + 1] : 5;
  }
  smoothed<<<2, kThreads>>>(again, in.data, out.data);
  return areSame("smoothed", out, want);
}

bool roundsAreRight(int count) {
  constexpr int kCount = 2 * kThreads;
  Array<unsigned> in(kCount), out(kCount);
  Array<int> places(kThreads);
  for (int t = 0; t < kThreads; ++t) places.data[t] = t * 37 % kThreads;
  std::vector<unsigned> want(kCount);
  for (int i = 0; i < kCount; ++i) {
    in.data[i] = i * 40503u;
    want[i / kThreads * kThreads + places.data[i % kThreads]] = in.data[i];
  }
  for (int block = 0; block < 2; ++block) {
    unsigned* row = want.data() + block * kThreads;
    for (int round = 0; round < count; ++round) {
      for (int t = kThreads - 1; t > 0; --t) row[t] += row[t - 1];
      row[0] = 1;
      for (int t = kThreads - 1; t > 1; --t) row[t] += 3 * row[t - 2];
    }
  }
  rounds<<<2, kThreads>>>(count, places.data, in.data, out.data);
  return areSame("rounds", out, want);
}

int main() {
  const bool areRight = scanIsRight(1000) && scanIsRight(1024) && lookedIsRight() && dynamicIsRight() &&
                        smoothedIsRight(false) && smoothedIsRight(true) && roundsAreRight(1) &&
                        roundsAreRight(3);
  return areRight ? 0 : 1;
}
