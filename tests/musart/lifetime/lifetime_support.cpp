#include "lifetime_support.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace musashim::test {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MUSASHIM_SANITIZED 1
#endif
#endif
#ifdef MUSASHIM_SANITIZED
constexpr int kCheapCycles = 500, kExpensiveCycles = 50;  // memory is the sanitizers' own affair there
constexpr bool kCountsMemory = false;
#else
constexpr int kCheapCycles = 10'000, kExpensiveCycles = 300;
constexpr bool kCountsMemory = true;
#endif
constexpr size_t kMappingsOfThread =
    4;  // its stack and the guard, malloc's arena and what that may grow into

size_t entriesOf(const char* folder) {
  size_t count = 0;
  if (DIR* directory = opendir(folder)) {
    while (readdir(directory)) ++count;
    closedir(directory);
  }
  return count;
}

size_t linesOf(const char* path) {
  std::ifstream file(path);
  std::string line;
  size_t count = 0;
  while (std::getline(file, line)) ++count;
  return count;
}

int cyclesOf(Cost cost) {
  static const char* const wanted = std::getenv("MUSASHIM_TEST_CYCLES");
  if (wanted) return std::atoi(wanted);
  return cost == Cost::kCheap ? kCheapCycles : kExpensiveCycles;
}

}  // namespace

Holdings Holdings::now() {
  Holdings holdings;
  long pages = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  holdings.residentBytes = static_cast<size_t>(resident) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  holdings.descriptors = entriesOf("/proc/self/fd");
  holdings.mappings = linesOf("/proc/self/maps");
  holdings.threads = entriesOf("/proc/self/task");
  return holdings;
}

void LifetimeTest::cycle(const std::function<void()>& makeAndEnd, Cost cost) {
  const int cycles = cyclesOf(cost);
  for (int i = 0; i < cycles / 10 + 100; ++i) makeAndEnd();
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  const Holdings before = Holdings::now();
  for (int i = 0; i < cycles; ++i) makeAndEnd();
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  const Holdings after = Holdings::now();
  EXPECT_LE(after.descriptors, before.descriptors);
  // Workers come and go with the load.
  EXPECT_LE(after.threads, before.threads + 8);
  if (!kCountsMemory) return;
  EXPECT_LT(after.residentBytes, before.residentBytes + (512 << 10));
  const size_t newThreads = after.threads - std::min(after.threads, before.threads);
  EXPECT_LE(after.mappings, before.mappings + 16 + kMappingsOfThread * newThreads);
}

}  // namespace musashim::test
