// Two runs beside each other, and limits that a run must keep.
#pragma once

#include <string>

#include "metrics/metrics.h"

namespace musashim::metrics {

// A table of the figures that differ. `worse`: one is worse by more than a hundredth.
std::string compare(const Metrics& before, const Metrics& after, bool& worse);

// A budget is a JSON object: patterns of kernels' names (with * and ?) to objects of figures and limits:
//   {"transpose*": {"sectors_per_request": 4.5, "bank_conflicts": 0, "active_lanes": 30}}
// A limit is the least that is accepted of figures of which more is better, else the most.
// Returns a line for each limit that is not kept, and for each pattern that no kernel has. False with the
// reason in `error` when the file is not usable.
bool checkBudget(const std::string& path, const Metrics& metrics, std::string& broken, std::string& error);

}  // namespace musashim::metrics
