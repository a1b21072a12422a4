// What a dropout's descriptor holds.
#pragma once

#include <mudnn.h>

#include <cstdint>

struct mudnnDropoutStruct {
  float probability = 0;
  uint64_t* states = nullptr;  // in device memory: the seed and the offset
  unsigned long long seed = 0;
};
