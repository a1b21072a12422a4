// -fmusa-profile, as mcc hands it to the device pass: -mllvm -musa-profile
#pragma once

namespace musashim::mcc {

bool profilesKernels();

}  // namespace musashim::mcc
