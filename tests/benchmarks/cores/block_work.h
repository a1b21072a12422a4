// What one block of the small grids does, for mcc's program and OpenMP's alike: additions and products that
// wait for each other, so that the time depends on nothing but their number.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cores {

#ifdef __MUSACC__
#define CORES_EVERYWHERE __host__ __device__
#else
#define CORES_EVERYWHERE
#endif

CORES_EVERYWHERE inline float blockWork(float value, uint32_t steps) {
  for (uint32_t i = 0; i < steps; ++i) value = value * 0.999f + 0.5f;
  return value;
}

inline double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) * 1e6 + double(time.tv_nsec) * 1e-3;  // microseconds
}

// How many steps take so long on this processor, by the quickest of some tries.
inline uint32_t stepsOf(double microseconds) {
  constexpr uint32_t kTry = 100000;
  double least = 1e300;
  volatile float sink = 0;
  for (int i = 0; i < 20; ++i) {
    const double start = now();
    sink = blockWork(sink, kTry);
    least = std::min(least, now() - start);
  }
  return uint32_t(kTry * microseconds / least);
}

inline double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Runs `grid` so many times, with a pause before each if there is one; the median, in microseconds.
template <class Grid>
double medianTime(Grid&& grid, int times, int64_t pauseMicroseconds) {
  for (int i = 0; i < 20; ++i) grid();
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) {
    if (pauseMicroseconds > 0) {
      const timespec pause{0, pauseMicroseconds * 1000};
      nanosleep(&pause, nullptr);
    }
    const double start = now();
    grid();
    taken.push_back(now() - start);
  }
  return median(taken);
}

}  // namespace cores
