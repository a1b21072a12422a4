// -Wvendor of the command line: options that the vendor's mcc does not have.
#pragma once

#include "mcc/driver/options/options.h"

namespace musashim::mcc {

// A warning for each, with the remedy, where options.warnVendor asks for it.
void reportVendorOptions(const Options& options);

}  // namespace musashim::mcc
