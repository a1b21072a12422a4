// Copies and fills, at the speed of the machine's memory.
#pragma once

#include "interface/command.h"

namespace musashim::backend::cpu {

void runCopy(const Copy& copy);
void runFill(const Fill& fill);

}  // namespace musashim::backend::cpu
