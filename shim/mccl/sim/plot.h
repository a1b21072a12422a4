// A plot as SVG.
#pragma once

#include "mccl/sim/table.h"

namespace musashim::mccl::sim {

// Bus bandwidth and time over the sizes, the axes of sizes and of time logarithmic.
std::string plotOf(const Options& options, const Size& size, const std::vector<Row>& rows);

}  // namespace musashim::mccl::sim
