// Data whose reductions are exact in every type and in every order, and the check of results.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "mccl.h"
#include "mccl/perf/options.h"

namespace musashim::perf {

// Element `index` of `rank` in repetition `round`: a small number that all types hold.
int element(int rank, size_t index, int round, const Operation& operation, int ranks);

// The factor of `rank` for mulsum.
int scaleOf(int rank);

// What `operation` makes of element `index` of all ranks, as `type` holds it.
double reduced(size_t index, int round, const Operation& operation, mcclDataType_t type, int ranks);

// `count` elements of `type` as bytes, from `value(index)`.
std::vector<char> encode(mcclDataType_t type, size_t count, const std::function<double(size_t)>& value);

// How many of `count` elements are not what `value(index)` says. Averages of floating-point types may be off
// by a rounding of each step.
size_t countWrong(mcclDataType_t type, const std::vector<char>& got, size_t count,
                  const std::function<double(size_t)>& value, bool isRounded);

}  // namespace musashim::perf
