// Comes before each source that mcc compiles for PyTorch: its headers mark functions for devices, and have
// half types in kernels, where they see nvcc.
#pragma once

#define __CUDACC__ 1
#if defined(__MUSA_ARCH__)
#define __CUDA_ARCH__ 900
#else
// PyTorch has it in nvcc's pass for the device alone; clang looks at kernels in the host's pass, too.
#include <c10/util/Half.h>
namespace c10 {
inline __device__ Half __ldg(const Half* address) { return *address; }
}  // namespace c10
#endif
