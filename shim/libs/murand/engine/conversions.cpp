#include "conversions.h"

#include "processors.h"

namespace musashim::rand {

MUSASHIM_RAND_LEVELS void makeRow(const std::uint32_t* __restrict words, std::size_t count,
                                  float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = unitOf(words[i]);
}

MUSASHIM_RAND_LEVELS void makeRowOfM1(const std::uint32_t* __restrict numbers, std::size_t count,
                                      float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = float(double(numbers[i]) * kM1ToUnit);
}

MUSASHIM_RAND_LEVELS void makeRow(const std::uint32_t* __restrict low, const std::uint32_t* __restrict high,
                                  std::size_t count, double* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = unitOf(low[i], high[i]);
}

}  // namespace musashim::rand
