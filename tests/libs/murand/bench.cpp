// How fast generators of a device write, beside the runtime's own filling of memory: medians of one run, as
// ratios.
#include <murand.h>
#include <musa_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

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

}  // namespace

int main() {
  float* out = nullptr;
  check(musaMalloc(reinterpret_cast<void**>(&out), kCount * sizeof(float)) == musaSuccess, "musaMalloc");
  const double filled = median([&] {
    check(musaMemsetAsync(out, 1, kCount * sizeof(float), nullptr) == musaSuccess, "musaMemsetAsync");
  });
  std::printf("memory is filled at %.1f GB/s\n", kCount * sizeof(float) / filled / 1e9);
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
