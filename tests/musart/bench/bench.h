// What the parts of bench_overhead share: timing by medians, and a device with registered code.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "support.h"

namespace musashim::bench {

inline void check(musaError_t error) {
  if (error == musaSuccess) return;
  std::fprintf(stderr, "%s\n", musaGetErrorName(error));
  std::exit(1);
}

inline double median(std::vector<double> samples) {
  auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

// Nanoseconds that `body` takes.
template <class Body>
double nanoseconds(Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

void benchCalls();
// `everything` measures more sizes.
void benchCopies(bool everything);

}  // namespace musashim::bench
