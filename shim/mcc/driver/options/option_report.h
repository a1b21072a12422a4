// Says what became of nvcc's options.
#pragma once

#include "mcc/driver/options/options.h"

namespace musashim::mcc {

void reportNvccOptions(const Options& options);

}  // namespace musashim::mcc
