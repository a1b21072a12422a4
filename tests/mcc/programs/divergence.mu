// Threads that take different ways by their index: switches, edges of tiles, loops that end at different
// rounds. Each kernel is launched with sizes that are constants in the source, which get code of their own,
// and through a pointer, which does not; both against the same computed on the host.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    const musaError_t error = (call);                                         \
    if (error != musaSuccess) {                                               \
      std::printf("%s:%d: %s\n", #call, __LINE__, musaGetErrorString(error)); \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

constexpr int kX = 32, kY = 8, kThreads = kX * kY;

// Cases that share an end, one that is empty, and one whose value goes on: they meet before the barrier.
__global__ void cases(int n, const int* in, int* out) {
  __shared__ int tile[kY + 2][kX + 2];
  const int tx = threadIdx.x, ty = threadIdx.y, at = ty * kX + tx;
  tile[ty + 1][tx + 1] = in[at];
  if (ty == 0) tile[0][tx + 1] = n > 5 ? in[at] * 3 : -1;
  if (ty == kY - 1) tile[kY + 1][tx + 1] = n > 7 ? in[at] * 5 : -2;
  if (tx == 0) tile[ty + 1][0] = at + n > 40 ? in[at] * 7 : -3;
  if (tx == kX - 1) tile[ty + 1][kX + 1] = at + n < 200 ? in[at] * 11 : -4;
  __syncthreads();
  int more = 0;
  switch (tx) {
    case 3:
      more = 100;
      [[fallthrough]];
    case 4:
      more += n;
      break;
    case 9:
      break;
    case 12:
      more = in[0];
      break;
    default:
      more = 1;
  }
  out[at] =
      tile[ty][tx + 1] + 2 * tile[ty + 2][tx + 1] + 4 * tile[ty + 1][tx] + 8 * tile[ty + 1][tx + 2] + more;
}

void casesOnHost(int n, const std::vector<int>& in, std::vector<int>& out) {
  const auto tile = [&](int y, int x) {
    const int ty = y < 0 ? 0 : y >= kY ? kY - 1 : y, tx = x < 0 ? 0 : x >= kX ? kX - 1 : x, at = ty * kX + tx;
    if (y < 0) return n > 5 ? in[at] * 3 : -1;
    if (y >= kY) return n > 7 ? in[at] * 5 : -2;
    if (x < 0) return at + n > 40 ? in[at] * 7 : -3;
    if (x >= kX) return at + n < 200 ? in[at] * 11 : -4;
    return in[at];
  };
  for (int y = 0; y < kY; ++y) {
    for (int x = 0; x < kX; ++x) {
      const int more = x == 3 ? 100 + n : x == 4 ? n : x == 9 ? 0 : x == 12 ? in[0] : 1;
      out[y * kX + x] = tile(y - 1, x) + 2 * tile(y + 1, x) + 4 * tile(y, x - 1) + 8 * tile(y, x + 1) + more;
    }
  }
}

// Rounds that all threads run, then rounds of some; what the loops leave is used behind them.
__global__ void rounds(int n, const int* in, int* out) {
  __shared__ int part[kThreads];
  const int at = threadIdx.y * blockDim.x + threadIdx.x, step = blockDim.x * blockDim.y;
  int sum = 0, last = -1;
  for (int i = at; i < n; i += step) {
    sum += in[i % kThreads] * (i + 1);
    last = i;
  }
  part[at] = sum;
  __syncthreads();
  for (int i = n - 1 - at; i >= 0; i -= step) sum += part[i % step];
  out[at] = sum + __shfl_xor_sync(0xffffffffu, last, 1) * 3 + last;
}

void roundsOnHost(int n, const std::vector<int>& in, std::vector<int>& out) {
  std::vector<int> part(kThreads), last(kThreads, -1);
  for (int at = 0; at < kThreads; ++at) {
    for (int i = at; i < n; i += kThreads) part[at] += in[i % kThreads] * (i + 1), last[at] = i;
  }
  for (int at = 0; at < kThreads; ++at) {
    int sum = part[at];
    for (int i = n - 1 - at; i >= 0; i -= kThreads) sum += part[i % kThreads];
    out[at] = sum + last[at ^ 1] * 3 + last[at];
  }
}

using Kernel = void (*)(int, const int*, int*);
using Host = std::function<void(int, const std::vector<int>&, std::vector<int>&)>;

template <Kernel kernel>
bool agrees(const char* name, const Host& host, int n) {
  std::vector<int> in(kThreads), expected(kThreads), got(kThreads);
  for (int i = 0; i < kThreads; ++i) in[i] = (i * 37 + n) % 101 - 50;
  host(n, in, expected);
  int *deviceIn = nullptr, *deviceOut = nullptr;
  CHECK(musaMalloc(&deviceIn, kThreads * sizeof(int)));
  CHECK(musaMalloc(&deviceOut, kThreads * sizeof(int)));
  CHECK(musaMemcpy(deviceIn, in.data(), kThreads * sizeof(int), musaMemcpyHostToDevice));
  bool same = true;
  for (const bool known : {true, false}) {
    CHECK(musaMemset(deviceOut, 0xEE, kThreads * sizeof(int)));
    if (known) {
      kernel<<<1, dim3(kX, kY)>>>(n, deviceIn, deviceOut);
      CHECK(musaGetLastError());
    } else {
      const int* input = deviceIn;
      void* arguments[] = {&n, &input, &deviceOut};
      CHECK(musaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(kX, kY), arguments, 0,
                             nullptr));
    }
    CHECK(musaMemcpy(got.data(), deviceOut, kThreads * sizeof(int), musaMemcpyDeviceToHost));
    for (int i = 0; i < kThreads; ++i) {
      if (got[i] == expected[i]) continue;
      std::printf("%s(%d), %s size, thread %d: %d instead of %d\n", name, n, known ? "known" : "any", i,
                  got[i], expected[i]);
      same = false;
      break;
    }
  }
  CHECK(musaFree(deviceIn));
  CHECK(musaFree(deviceOut));
  return same;
}

int main() {
  bool good = true;
  for (const int n : {0, 1, 6, 8, 31, 32, 33, 100, 255, 256, 257, 511, 512, 513, 700, 2048, 2049}) {
    good = agrees<cases>("cases", casesOnHost, n) && good;
    good = agrees<rounds>("rounds", roundsOnHost, n) && good;
  }
  std::puts(good ? "passed" : "failed");
  return good ? 0 : 1;
}
