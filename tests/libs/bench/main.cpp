// The libraries beside what they stand on, called directly, in one run: medians and their ratios.
#include <musa_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "bench/bench.h"

namespace musashim::bench {

double median(int rounds, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<size_t>(rounds) / 2];
}

void compare(const char* name, int rounds, const std::function<void()>& ours,
             const std::function<void()>& direct) {
  ours();
  direct();
  // In turn, so that what else the machine does meets both.
  std::vector<double> first, second;
  for (int i = 0; i < 5; ++i) {
    first.push_back(median(rounds, ours));
    second.push_back(median(rounds, direct));
  }
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  std::printf("%-28s %10.1f us, directly %10.1f us: %.2f times\n", name, first[2] * 1e6, second[2] * 1e6,
              first[2] / second[2]);
}

}  // namespace musashim::bench

int main() {
  musashim::bench::benchBlas();
  musashim::bench::benchFft();
  musashim::bench::benchSparse();
  return 0;
}
