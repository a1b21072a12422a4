// Figures of lines and kernels that budgets and comparisons are about.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "metrics/metrics.h"

namespace musashim::metrics {

struct LineFigures {
  double lanes = 0;                    // active, of an instruction
  double sectors = 0, wavefronts = 0;  // of a request; 0: there is none
};
LineFigures figuresOf(const Line& line);

struct KernelFigures {
  double activeLanes = 0;        // of an instruction
  double sectorsPerRequest = 0;  // of device memory
  double neededSectors = 0;      // share of the sectors that the accessed bytes need
  double bankConflicts = 0;      // turns too many, of a request of shared memory
  double serialLanes = 0;        // of a request
  double intensity = 0;          // operations for each byte of device memory
};
KernelFigures figuresOf(const Kernel& kernel);

// Their names in files.
inline constexpr std::array<std::pair<const char*, double KernelFigures::*>, 6> kFigureNames = {{
    {"active_lanes", &KernelFigures::activeLanes},
    {"sectors_per_request", &KernelFigures::sectorsPerRequest},
    {"needed_sectors", &KernelFigures::neededSectors},
    {"bank_conflicts", &KernelFigures::bankConflicts},
    {"serial_lanes", &KernelFigures::serialLanes},
    {"operations_per_byte", &KernelFigures::intensity},
}};
// Of these more is better; of the others less is.
inline bool moreIsBetter(const std::string& figure) {
  return figure == "active_lanes" || figure == "needed_sectors" || figure == "operations_per_byte";
}

}  // namespace musashim::metrics
