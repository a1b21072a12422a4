// Plans of muFFT: what a handle stands for.
#pragma once

#include <mufft.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "libs/ducc/transform.h"
#include "libs/mufft/narrow.h"

namespace musashim::mufft {

// Where the elements of one side are: element x of the batch's member b is at b * distance + (place of x in
// an array of lengths `embed`) * stride. Without `embed` the array has no gaps.
struct Side {
  const long long* embed = nullptr;
  long long stride = 1, distance = 0;
};

struct Description {
  int rank = 0;
  const long long* n = nullptr;
  Side in, out;
  mufftType type = MUFFT_C2C;
  long long batch = 1;
};

struct Plan {
  bool isMade = false;
  mufftType type = MUFFT_C2C;
  Narrow narrow = Narrow::kNone;  // elements are of 16 bits, though the type says float
  musaStream_t stream = nullptr;
  std::vector<int> gpus;  // that the data is spread over; of one device there are none
  libs::Transform transform;
  // Real transforms in place have other distances where the caller has named none.
  libs::Transform inPlace;
};

// A handle is a number: the vendor's is a pointer of that value, and cuFFT's an int, of which a register
// holds no more than the lower half.
inline int numberOf(mufftHandle handle) { return static_cast<int>(reinterpret_cast<std::intptr_t>(handle)); }

mufftHandle makePlanHandle();
bool dropPlan(mufftHandle handle);
// Null when there is no such plan (any more).
std::shared_ptr<Plan> findPlan(mufftHandle handle);

// What is wrong with a description, or success.
mufftResult check(const Description& description);

// Makes `plan` of it; `description` is valid.
void build(Plan& plan, const Description& description);

}  // namespace musashim::mufft
