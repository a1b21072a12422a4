// The device runtime for one block of at most 32 threads, each on a host thread of its
// own: slow and simple, so that the headers are tested without the real one.
#pragma once

#include <functional>
#include <string>

#include "vector_types.h"

namespace musashim::device_test {

struct Launch {
  uint3 grid{1, 1, 1};
  uint3 block{32, 1, 1};
  uint3 blockIdx{0, 0, 0};
};

// What a run left behind besides memory.
struct Outcome {
  std::string output;         // printf
  std::string failedAssert;   // the first failed assertion's expression
  long long liveAllocations;  // malloc and new without free and delete
};

// Calls `kernel` once per thread of the block and waits for all of them.
Outcome runBlock(const Launch& launch, const std::function<void()>& kernel);

}  // namespace musashim::device_test
