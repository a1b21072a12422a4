// What puts, barriers and messages cost. Prints "NAME VALUE UNIT"; PE 0 puts, the last PE is its partner.
#include <mtshmem.h>
#include <mtshmemx.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr size_t kLarge = 1 << 20;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename Work>
double medianOf(int rounds, const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const double start = seconds();
    work();
    times.push_back(seconds() - start);
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[rounds / 2];
}

// Both see 1 MiB once a launch, so that what is compared is the stores.
__global__ void blockPut(double* to, const double* from, size_t count, int pe) {
  mtshmemx_double_put_nbi_block(to, from, count, pe);
}
__global__ void plainStores(double* to, const double* from, size_t count) {
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) to[i] = from[i];
}
__global__ void messages(char* to, const char* from, size_t bytes, int count, int pe) {
  for (int i = 0; i < count; ++i) mtshmem_putmem_nbi(to, from, bytes, pe);
  mtshmem_quiet();
}

void hostCosts(char* to, char* from, int partner) {
  constexpr int kMany = 2000;
  const double small = medianOf(15, [&] {
    for (int i = 0; i < kMany; ++i) mtshmem_putmem(to, from, 8, partner);
    mtshmem_quiet();
  });
  std::printf("put_8B %.4f us\n", small / kMany * 1e6);
  const double large = medianOf(31, [&] {
    mtshmem_putmem(to, from, kLarge, partner);
    mtshmem_quiet();
  });
  std::printf("put_1MiB %.2f GB/s\n", kLarge / large / 1e9);
}

void kernelCosts(char* to, char* from, int partner) {
  auto* const there = static_cast<double*>(mtshmem_ptr(to, partner));
  if (there == nullptr) return;
  const auto* const source = reinterpret_cast<const double*>(from);
  constexpr size_t kCount = kLarge / sizeof(double);
  const auto put = [&] {
    blockPut<<<1, 256>>>(reinterpret_cast<double*>(to), source, kCount, partner);
    musaDeviceSynchronize();
  };
  const auto stores = [&] {
    plainStores<<<1, 256>>>(there, source, kCount);
    musaDeviceSynchronize();
  };
  medianOf(5, put);
  medianOf(5, stores);
  const double byPut = medianOf(41, put), byStores = medianOf(41, stores);
  std::printf("block_put %.2f GB/s\nplain_stores %.2f GB/s\n", kLarge / byPut / 1e9, kLarge / byStores / 1e9);
}

void messageRates(char* to, char* from, int partner) {
  constexpr int kMessages = 500;
  for (size_t bytes = 8; bytes <= 65536; bytes *= 8) {
    const double time = medianOf(7, [&] {
      messages<<<1, 1>>>(to, from, bytes, kMessages, partner);
      musaDeviceSynchronize();
    });
    std::printf("messages_%zuB %.0f per_s\n", bytes, kMessages / time);
  }
}

}  // namespace

int main() {
  musaSetDevice(0);
  mtshmem_init();
  const int me = mtshmem_my_pe(), partner = mtshmem_n_pes() - 1;
  auto* const to = static_cast<char*>(mtshmem_calloc(kLarge, 1));
  auto* const from = static_cast<char*>(mtshmem_calloc(kLarge, 1));
  if (me == 0) {
    hostCosts(to, from, partner);
    kernelCosts(to, from, partner);
    messageRates(to, from, partner);
  }
  mtshmem_barrier_all();
  const double barriers = medianOf(15, [] {
    for (int i = 0; i < 200; ++i) mtshmem_barrier_all();
  });
  if (me == 0) std::printf("barrier_all %.3f us\n", barriers / 200 * 1e6);
  mtshmem_free(from);
  mtshmem_free(to);
  mtshmem_finalize();
}
