// Two figures in nanoseconds, printed: what a call of the API pays for being recordable while nobody records,
// and the least that a recorded launch can pay: three readings of the clock (the call's begin and end, the
// kernel's end) and two words stored. The loop around them is measured as well and taken off.
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "core/trace.h"
#include "support/ticks.h"

namespace {

double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

template <class Body>
double least(Body body) {
  constexpr int kTimes = 10'000'000;
  double best = 1e300;
  for (int round = 0; round < 5; ++round) {
    const double start = now();
    for (int i = 0; i < kTimes; ++i) body(i);
    best = std::min(best, now() - start);
  }
  return best / kTimes;
}

// As the body of a call is: nothing is known across it.
[[gnu::noinline]] int work(int argument) {
  asm volatile("" : "+r"(argument)::"memory");
  return argument;
}

}  // namespace

int main() {
  const double without = least([](int i) { work(i); });
  const double with = least([](int i) {
    musashim::core::RecordedCall recorded("musart", "musaLaunchKernel", i);
    recorded.end(work(i));
  });
  std::vector<int64_t> records(1 << 15);
  const double recorded = least([&](int i) {
    int64_t* const place = &records[static_cast<size_t>(i) * 2 % records.size()];
    const int64_t begin = musashim::support::ticks();
    work(i);
    const int64_t kernel = musashim::support::ticks();
    place[0] = kernel - begin;
    place[1] = musashim::support::ticks() - begin;
  });
  std::printf("%.2f %.2f\n", std::max(0.0, with - without), std::max(0.0, recorded - without));
}
