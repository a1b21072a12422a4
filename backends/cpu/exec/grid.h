// Running a kernel launch: its blocks, in order, on this thread and on helpers.
#pragma once

#include "interface/command.h"

namespace musashim::backend::cpu {

class CpuDevice;

// Returns when every block has ended, and all that they launched. A fault goes to the device.
void runGrid(const KernelLaunch& launch, CpuDevice& device);

}  // namespace musashim::backend::cpu
