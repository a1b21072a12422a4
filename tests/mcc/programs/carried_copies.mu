// Lanes exchange what a variable was before a loop that goes on with the variable: by operations that move
// fewer bits than their operand has, which LLVM extends before the loop. Checks itself.
#include <musa_runtime.h>

#include <cstdio>

constexpr unsigned kThreads = 128, kBlocks = 3, kRounds = 5, kAll = 0xffffffffu;

template <typename T>
__host__ __device__ T next(T x, T got) {
  return static_cast<T>(x * 3 + got);
}

// `Moved`: the type that lanes exchange.
template <typename T, typename Moved>
__global__ void byAll(T* out, const T* in, unsigned rounds) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  T x = in[t];
  const Moved first = static_cast<Moved>(x);
  for (unsigned i = 0; i < rounds; ++i) x = next(x, static_cast<T>(__shfl_xor_sync(kAll, first, 2)));
  out[t] = x;
}

// Odd and even lanes are in different loops.
template <typename T, typename Moved>
__global__ void byHalves(T* out, const T* in, unsigned rounds) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  T x = in[t];
  const Moved first = static_cast<Moved>(x);
  if (t % 2 == 1) {
    for (unsigned i = 0; i < rounds; ++i) x = next(x, static_cast<T>(__shfl_xor_sync(0xaaaaaaaau, first, 2)));
  } else {
    for (unsigned i = 0; i < rounds; ++i) x = next(x, static_cast<T>(__shfl_xor_sync(0x55555555u, first, 2)));
  }
  out[t] = x;
}

// Half of the lanes have ended.
template <typename T, typename Moved>
__global__ void byThoseLeft(T* out, const T* in, unsigned rounds) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  T x = in[t];
  const Moved first = static_cast<Moved>(x);
  if (t % 2 == 1) {
    for (unsigned i = 0; i < rounds; ++i) x = next(x, in[t ^ 2]);
    out[t] = x;
    return;
  }
  for (unsigned i = 0; i < rounds; ++i) x = next(x, static_cast<T>(__shfl_xor_sync(0x55555555u, first, 2)));
  out[t] = x;
}

// Each 32 lanes have 31 as their largest number.
__global__ void byReductions(unsigned* out, const unsigned* in, unsigned rounds) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[t];
  const unsigned first = x;
  for (unsigned i = 0; i < rounds; ++i) x = next(x, __reduce_max_sync(kAll, first % 32u));
  out[t] = x;
}

static int failures = 0;

template <typename T, typename Others>
static void run(const char* name, void (*kernel)(T*, const T*, unsigned), Others others) {
  T *in = nullptr, *out = nullptr;
  musaMallocManaged(&in, kBlocks * kThreads * sizeof(T));
  musaMallocManaged(&out, kBlocks * kThreads * sizeof(T));
  for (unsigned t = 0; t < kBlocks * kThreads; ++t) in[t] = static_cast<T>(t * 7 % 32);
  kernel<<<kBlocks, kThreads>>>(out, in, kRounds);
  const musaError_t error = musaDeviceSynchronize();
  int wrong = 0;
  for (unsigned t = 0; t < kBlocks * kThreads; ++t) {
    T x = in[t];
    for (unsigned i = 0; i < kRounds; ++i) x = next(x, others(in, t));
    wrong += out[t] != x;
  }
  if (error != musaSuccess || wrong > 0)
    std::printf("%s, %zu bytes: %s, %d wrong\n", name, sizeof(T), musaGetErrorString(error), wrong);
  failures += wrong + (error != musaSuccess);
  musaFree(in);
  musaFree(out);
}

template <typename T, typename Moved = T>
static void runAll() {
  const auto theOther = [](const T* in, unsigned t) { return in[t ^ 2]; };
  run("all", byAll<T, Moved>, theOther);
  run("halves", byHalves<T, Moved>, theOther);
  run("those left", byThoseLeft<T, Moved>, theOther);
}

int main() {
  runAll<unsigned>();
  runAll<int>();
  runAll<float>();
  runAll<double>();
  runAll<unsigned, unsigned long long>();
  runAll<unsigned char, unsigned>();
  runAll<unsigned short, unsigned long long>();
  run("reductions", byReductions, [](const unsigned*, unsigned) { return 31u; });
  std::puts(failures == 0 ? "passed" : "failed");
  return failures == 0 ? 0 : 1;
}
