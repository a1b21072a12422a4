// Objects made and ended again and again must leave nothing behind: memory, descriptors, mappings, threads.
#pragma once

#include <functional>

#include "../support.h"

namespace musashim::test {

// What the process holds of the system.
struct Holdings {
  size_t residentBytes = 0;
  size_t descriptors = 0;
  size_t mappings = 0;
  size_t threads = 0;
  static Holdings now();
};

enum class Cost {
  kCheap,      // 10,000 cycles always
  kExpensive,  // some hundreds; as many as MUSASHIM_TEST_CYCLES says where it is set
};

class LifetimeTest : public RuntimeTest {
 protected:
  // Runs it until pools and caches are full, then counts what many more cycles add.
  static void cycle(const std::function<void()>& makeAndEnd, Cost cost = Cost::kCheap);
};

}  // namespace musashim::test
