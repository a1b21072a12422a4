// Shared memory that mcc has in registers once all accesses are known: read in other pieces than it was
// written, across loops and branches, static and dynamic memory side by side, and with what never was
// written.
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kThreads = 64, kBlocks = 9;

__global__ void halves(const int* in, int* out) {
  __shared__ int part[kThreads];
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * kThreads + t];
  __syncthreads();
  for (unsigned step = kThreads / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

// The dynamic memory keeps sums over several rounds, the static one each round's products.
__global__ void rounds(const int* in, int* out, int count) {
  __shared__ int products[kThreads];
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x;
  sums[t] = 0;
  for (int round = 0; round < count; ++round) {
    products[t] = in[blockIdx.x * kThreads + t] * (round + 1);
    __syncthreads();
    sums[t] += products[t] + products[t ^ 1];
    __syncthreads();
  }
  out[blockIdx.x * kThreads + t] = sums[t] + sums[kThreads - 1 - t];
}

// Written as words, read as bytes and as pairs of words.
__global__ void pieces(const int* in, int* out) {
  __shared__ int words[4];
  if (threadIdx.x < 4) words[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  const auto* bytes = reinterpret_cast<const unsigned char*>(words);
  long long pair;
  memcpy(&pair, words + 1, sizeof pair);
  out[blockIdx.x] = bytes[0] + 3 * bytes[5] + 7 * bytes[15] + static_cast<int>(pair >> 16);
}

// Some blocks write the upper half only; nobody uses what was not written.
__global__ void unwritten(const int* in, int* out) {
  __shared__ int part[2 * kThreads];
  const unsigned t = threadIdx.x;
  const bool both = blockIdx.x % 2 == 0;
  if (both) part[t] = in[blockIdx.x * kThreads + t];
  part[t + kThreads] = 5 * in[blockIdx.x * kThreads + t];
  __syncthreads();
  const int lower = part[t ^ 3], upper = part[(t ^ 3) + kThreads];
  out[blockIdx.x * kThreads + t] = both ? lower + upper : upper;
}

static int check(const char* name, const int* got, int count, int (*want)(const int* in, int i),
                 const int* in) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += got[i] != want(in, i);
  if (wrong != 0) std::printf("%s: %d of %d wrong\n", name, wrong, count);
  return wrong;
}

int main() {
  constexpr int kCount = kThreads * kBlocks, kRounds = 5;
  int *in = nullptr, *out = nullptr;
  if (musaMallocManaged(&in, kCount * sizeof *in) != musaSuccess) return 2;
  if (musaMallocManaged(&out, kCount * sizeof *out) != musaSuccess) return 2;
  for (int i = 0; i < kCount; ++i) in[i] = static_cast<int>(i * 2654435761u >> 12);
  int wrong = 0;
  const auto run = [&](const char* name, int count, auto launch, int (*want)(const int*, int)) {
    std::memset(out, 0, kCount * sizeof *out);
    launch();
    if (musaDeviceSynchronize() != musaSuccess) return void(++wrong);
    wrong += check(name, out, count, want, in);
  };
  run(
      "halves", kBlocks, [&] { halves<<<kBlocks, kThreads>>>(in, out); },
      [](const int* values, int block) {
        int sum = 0;
        for (int t = 0; t < kThreads; ++t) sum += values[block * kThreads + t];
        return sum;
      });
  run(
      "rounds", kCount, [&] { rounds<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(in, out, kRounds); },
      [](const int* values, int i) {
        const int* block = values + i / kThreads * kThreads;
        const int t = i % kThreads, other = kThreads - 1 - t;
        const int factor = kRounds * (kRounds + 1) / 2;
        return factor * (block[t] + block[t ^ 1] + block[other] + block[other ^ 1]);
      });
  run(
      "pieces", kBlocks, [&] { pieces<<<kBlocks, kThreads>>>(in, out); },
      [](const int* values, int block) {
        const auto* words = reinterpret_cast<const unsigned*>(values + block * kThreads);
        const auto byte = [&](int i) { return static_cast<int>(words[i / 4] >> (i % 4 * 8) & 0xff); };
        const unsigned long long pair = words[1] | static_cast<unsigned long long>(words[2]) << 32;
        return byte(0) + 3 * byte(5) + 7 * byte(15) + static_cast<int>(static_cast<long long>(pair) >> 16);
      });
  run(
      "unwritten", kCount, [&] { unwritten<<<kBlocks, kThreads>>>(in, out); },
      [](const int* values, int i) {
        const int value = values[i ^ 3];
        return i / kThreads % 2 == 0 ? 6 * value : 5 * value;
      });
  if (wrong == 0) std::printf("ok\n");
  return wrong != 0;
}
