// How fast generators of a device write, beside the runtime's own filling of memory: medians of one run, as
// ratios.
#include <murand.h>
#include <musa_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "libs/murand/engine/processors.h"
#include "libs/murand/engine/stream_out.h"

namespace {

constexpr size_t kCount = size_t{1} << 25;

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

template <class Work>
double median(Work work) {
  std::array<double, 9> seconds{};
  for (double& second : seconds) {
    const auto start = std::chrono::steady_clock::now();
    work();
    check(musaDeviceSynchronize() == musaSuccess, "musaDeviceSynchronize");
    second = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2];
}

// What the processor can do at most: Philox in a plain loop, as the compiler makes vectors of it, on two
// threads.
MUSASHIM_RAND_LEVELS void plainPhilox(float* __restrict out, size_t blocks, uint32_t first) {
  for (size_t i = 0; i < blocks; ++i) {
    uint32_t x = first + static_cast<uint32_t>(i), y = 0, z = 0, w = 0, k = 7, l = 0;
    for (int round = 0; round < 10; ++round) {
      const uint64_t p = 0xd2511f53ull * x, q = 0xcd9e8d57ull * z;
      x = static_cast<uint32_t>(q >> 32) ^ y ^ k;
      z = static_cast<uint32_t>(p >> 32) ^ w ^ l;
      y = static_cast<uint32_t>(q);
      w = static_cast<uint32_t>(p);
      k += 0x9e3779b9u;
      l += 0xbb67ae85u;
    }
    out[4 * i] = static_cast<float>(x) * 0x1p-32f;
    out[4 * i + 1] = static_cast<float>(y) * 0x1p-32f;
    out[4 * i + 2] = static_cast<float>(z) * 0x1p-32f;
    out[4 * i + 3] = static_cast<float>(w) * 0x1p-32f;
  }
}
// `memory`: where the numbers go from the caches; nowhere if it is null.
void plainOnTwoThreads(float* memory) {
  constexpr size_t kBlocks = 1024;
  const auto half = [](float* to) {
    std::vector<float> out(4 * kBlocks);
    for (size_t done = 0; done < kCount / 2; done += out.size()) {
      plainPhilox(out.data(), kBlocks, static_cast<uint32_t>(done));
      if (to) musashim::rand::streamOut(to + done, out.data(), out.size() * sizeof(float));
    }
  };
  std::thread other(half, memory ? memory + kCount / 2 : nullptr);
  half(memory);
  other.join();
}

}  // namespace

int main() {
  float* out = nullptr;
  check(musaMalloc(reinterpret_cast<void**>(&out), kCount * sizeof(float)) == musaSuccess, "musaMalloc");
  const double filled = median([&] {
    check(musaMemsetAsync(out, 1, kCount * sizeof(float), nullptr) == musaSuccess, "musaMemsetAsync");
  });
  std::printf("memory is filled at %.1f GB/s\n", kCount * sizeof(float) / filled / 1e9);
  std::printf("Philox by a plain loop into caches: %.2f of that\n",
              filled / median([] { plainOnTwoThreads(nullptr); }));
  std::printf("Philox by that loop, and from there into memory: %.2f of that\n",
              filled / median([out] { plainOnTwoThreads(out); }));
  const struct {
    const char* name;
    murandRngType_t type;
  } generators[] = {{"Philox", MURAND_RNG_PSEUDO_PHILOX4_32_10},
                    {"XORWOW", MURAND_RNG_PSEUDO_XORWOW},
                    {"MRG32k3a", MURAND_RNG_PSEUDO_MRG32K3A},
                    {"MTGP32", MURAND_RNG_PSEUDO_MTGP32},
                    {"Sobol", MURAND_RNG_QUASI_SOBOL32}};
  for (const auto& [name, type] : generators) {
    murandGenerator_t generator = nullptr;
    check(murandCreateGenerator(&generator, type) == MURAND_STATUS_SUCCESS, name);
    const double made = median([&] {
      check(murandGenerateUniform(generator, out, kCount) == MURAND_STATUS_SUCCESS, "murandGenerateUniform");
    });
    std::printf("%-8s uniform: %.2f of that\n", name, filled / made);
    check(murandDestroyGenerator(generator) == MURAND_STATUS_SUCCESS, "murandDestroyGenerator");
  }
}
