// The checks of -fmusa-check, as mcc hands them to the device pass:
//   -mllvm -musa-check=BITS  -mllvm -musa-check-sdk=DIR
#pragma once

#include <cstdint>
#include <string>

namespace musashim::mcc {

uint8_t enabledChecks();  // MUSA_CHECK_* bits; 0: none
std::string checkSdkFolder();

}  // namespace musashim::mcc
