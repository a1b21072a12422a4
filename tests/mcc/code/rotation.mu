// Values that a loop with barriers hands on from variable to variable.
#include <musa_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

constexpr int kThreads = 256, kRounds = 7;

// Along a row: what is handed to the last one is not used any more.
__global__ void handedOn(int n, const int* in, int* out) {
  __shared__ int row[kThreads];
  const int t = threadIdx.x;
  int at = t;
  int below = in[at], here = in[at + kThreads];
  for (int round = 0; round < n; ++round, at += kThreads) {
    const int above = in[at + 2 * kThreads];
    __syncthreads();
    row[t] = here;
    __syncthreads();
    out[at] = row[t ^ 1] + 3 * below + 5 * above;
    below = here;
    here = above;
  }
}

// In a circle.
__global__ void swapped(int n, const int* in, int* out) {
  __shared__ int row[kThreads];
  const int t = threadIdx.x;
  int at = t;
  int one = in[at], other = in[at + kThreads];
  for (int round = 0; round < n; ++round, at += kThreads) {
    __syncthreads();
    row[t] = one;
    __syncthreads();
    out[at] = row[t ^ 1] + 3 * other;
    const int was = one;
    one = other;
    other = was;
  }
}

// What is handed on at the end is computed in the same part of the loop.
__global__ void remembered(int n, const int* in, int* out) {
  __shared__ int row[kThreads];
  const int t = threadIdx.x;
  int at = t;
  int older = in[at], old = in[at + kThreads];
  for (int round = 0; round < n; ++round, at += kThreads) {
    __syncthreads();
    row[t] = old;
    __syncthreads();
    const int now = 2 * row[t ^ 1] - 3 * older;
    out[at] = now;
    older = old;
    old = now;
  }
}

// What is handed to the last one goes on being used: it has to be copied.
__global__ void kept(int n, const int* in, int* out) {
  __shared__ int row[kThreads];
  const int t = threadIdx.x;
  int at = t;
  int below = in[at], here = in[at + kThreads], above = in[at + 2 * kThreads];
  for (int round = 0; round < n; ++round, at += kThreads) {
    __syncthreads();
    row[t] = here;
    __syncthreads();
    out[at] = row[t ^ 1] + 3 * below + 5 * above;
    if (round % 2 == 0) above += 7 * below;
    below = here;
    here = above;
  }
}

static bool agree(const char* name, const int* got, const std::vector<int>& want) {
  for (size_t i = 0; i < want.size(); ++i) {
    if (got[i] != want[i]) return printf("%s: %d at %zu, not %d\n", name, got[i], i, want[i]), false;
  }
  return true;
}

// What a kernel gives whose threads show each other value `shared` of theirs. `next` is a round of a thread.
template <int shared, class Next>
static std::vector<int> expected(const int* in, Next next) {
  std::vector<int> out(kRounds * kThreads);
  int v[kThreads][3];
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < 3; ++i) v[t][i] = in[t + i * kThreads];
  }
  for (int round = 0; round < kRounds; ++round) {
    int row[kThreads];
    for (int t = 0; t < kThreads; ++t) row[t] = v[t][shared];
    for (int t = 0; t < kThreads; ++t)
      out[round * kThreads + t] = next(v[t], row[t ^ 1], round, in[(round + 2) * kThreads + t]);
  }
  return out;
}

#define CHECK(kernel, shared, ...)                      \
  kernel<<<1, kThreads>>>(kRounds, in, out);            \
  if (musaDeviceSynchronize() != musaSuccess) return 2; \
  if (!agree(#kernel, out, expected<shared>(in, __VA_ARGS__))) return 1;

int main() {
  int *in, *out;
  if (musaMallocManaged(&in, (kRounds + 2) * kThreads * sizeof(int)) != musaSuccess) return 2;
  if (musaMallocManaged(&out, kRounds * kThreads * sizeof(int)) != musaSuccess) return 2;
  for (int i = 0; i < (kRounds + 2) * kThreads; ++i) in[i] = i * 7 % 31;
  CHECK(handedOn, 1, [](int* v, int row, int, int above) {
    const int sum = row + 3 * v[0] + 5 * above;
    v[0] = v[1], v[1] = above;
    return sum;
  })
  CHECK(swapped, 0, [](int* v, int row, int, int) {
    const int sum = row + 3 * v[1];
    std::swap(v[0], v[1]);
    return sum;
  })
  CHECK(remembered, 1, [](int* v, int row, int, int) {
    const int now = 2 * row - 3 * v[0];
    v[0] = v[1], v[1] = now;
    return now;
  })
  CHECK(kept, 1, [](int* v, int row, int round, int) {
    const int sum = row + 3 * v[0] + 5 * v[2];
    if (round % 2 == 0) v[2] += 7 * v[0];
    v[0] = v[1], v[1] = v[2];
    return sum;
  })
  return 0;
}
