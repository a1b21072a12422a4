// Entries that make and end discrete distributions: a histogram in device memory, for kernels.
#include <musa_runtime_api.h>

#include <cstring>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "entry.h"
#include "libs/murand/engine/poisson.h"

using namespace musashim::rand;

namespace {

// All that exist, by their addresses on the device.
struct Distributions {
  std::mutex mutex;
  std::unordered_set<murandDiscreteDistribution_t> all;
};
Distributions& distributions() {
  static auto& made = *new Distributions;
  return made;
}

// One allocation at `at`: the structure, borders, numbers.
std::vector<char> image(double lambda, const Histogram& histogram, const char* at) {
  murandDiscreteDistribution_st head = {};
  head.lambda = lambda;
  head.shift = histogram.shift;
  head.bars = static_cast<unsigned>(histogram.border.size());
  const std::size_t borders = head.bars * sizeof(double), numbers = head.bars * sizeof(unsigned);
  head.border = reinterpret_cast<const double*>(at + sizeof head);
  head.other = reinterpret_cast<const unsigned*>(at + sizeof head + borders);
  std::vector<char> bytes(sizeof head + borders + numbers);
  std::memcpy(bytes.data(), &head, sizeof head);
  if (head.bars == 0) return bytes;
  std::memcpy(bytes.data() + sizeof head, histogram.border.data(), borders);
  std::memcpy(bytes.data() + sizeof head + borders, histogram.other.data(), numbers);
  return bytes;
}

murandStatus_t create(double lambda, murandDiscreteDistribution_t* distribution) {
  if (distribution == nullptr) return MURAND_STATUS_NOT_INITIALIZED;
  if (lambda <= 0 || lambda > kLargestLambda) return MURAND_STATUS_OUT_OF_RANGE;
  int device = 0;
  if (musaGetDevice(&device) != musaSuccess) return MURAND_STATUS_INITIALIZATION_FAILED;
  const Histogram histogram = lambda < kNormalFrom ? Histogram(lambda) : Histogram();
  void* memory = nullptr;
  if (musaMalloc(&memory, image(lambda, histogram, nullptr).size()) != musaSuccess)
    return MURAND_STATUS_ALLOCATION_FAILED;
  const std::vector<char> bytes = image(lambda, histogram, static_cast<char*>(memory));
  if (musaMemcpy(memory, bytes.data(), bytes.size(), musaMemcpyHostToDevice) != musaSuccess) {
    musaFree(memory);
    return MURAND_STATUS_INITIALIZATION_FAILED;
  }
  *distribution = static_cast<murandDiscreteDistribution_t>(memory);
  const std::lock_guard lock(distributions().mutex);
  distributions().all.insert(*distribution);
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t destroy(murandDiscreteDistribution_t distribution) {
  {
    const std::lock_guard lock(distributions().mutex);
    if (distributions().all.erase(distribution) == 0) return MURAND_STATUS_NOT_INITIALIZED;
  }
  return musaFree(distribution) == musaSuccess ? MURAND_STATUS_SUCCESS : MURAND_STATUS_INTERNAL_ERROR;
}

}  // namespace

MURAND_ENTRY murandCreatePoissonDistribution(double lambda,
                                             murandDiscreteDistribution_t* discrete_distribution) {
  return entry(
      "murandCreatePoissonDistribution", [&] { return create(lambda, discrete_distribution); }, lambda,
      discrete_distribution);
}

MURAND_ENTRY murandDestroyDistribution(murandDiscreteDistribution_t discrete_distribution) {
  return entry(
      "murandDestroyDistribution", [&] { return destroy(discrete_distribution); },
      static_cast<const void*>(discrete_distribution));
}
