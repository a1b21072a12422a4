// Parameters of the test image's kernels.
#pragma once

#include <cstdint>

namespace musashim::test {

struct FillParams {
  int* values;
  int count;
  int value;
};

struct SpinParams {
  volatile int* flag;
};

struct CopyVariableParams {
  int* out;
};

struct MixedParams {  // a struct and a byte between pointers: offsets are not all multiples of 8
  char first;
  double second;
  struct {
    float x, y, z;
  } third;
  double* out;
};

enum FaultKind : int { kStoreNull, kTrap, kAssert, kIllegal };
struct FaultParams {
  int kind;
};

struct SharedParams {
  uint32_t* out;
};

}  // namespace musashim::test
