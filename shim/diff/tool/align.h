// Which event of one run is which of another: the longest common sequence of their keys.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "diff/tool/run.h"

namespace musashim::diff {

// Places in the runs' events; one of the two is missing where a run does what the other does not.
struct Pair {
  std::optional<size_t> a, b;
};

std::vector<Pair> align(const std::vector<Event>& a, const std::vector<Event>& b);

}  // namespace musashim::diff
