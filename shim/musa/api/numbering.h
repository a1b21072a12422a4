// How architectures are counted.
#pragma once

namespace musashim::musa {

// As MUSA counts, or as the CUDA face of the SDK, which has one compute capability (core/cuda_capability.h)
// whatever the device is. Who is asked by CUDA's name answers so.
enum class Numbering { kMusa, kCuda };

}  // namespace musashim::musa
