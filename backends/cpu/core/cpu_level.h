// The levels of x86-64 processors (System V psABI): what vectors and other instructions they have.
#pragma once

#include <string_view>

namespace musashim::backend::cpu {

// Of this machine, 1 to 4, at most what MUSASHIM_CPU_LEVEL allows; 0 on other architectures.
unsigned cpuLevel();

// The processor is one of Intel's.
bool isIntels();

// 3 for "x86-64-v3", 1 for "x86-64"; 0 for what is no level.
unsigned cpuLevelOf(std::string_view name);

}  // namespace musashim::backend::cpu
