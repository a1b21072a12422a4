// Comes before each source that mcc compiles for PyTorch: its headers mark functions for devices, and have half types in kernels, where
// they see nvcc.
#pragma once

#define __CUDACC__ 1
#if defined(__MUSA_ARCH__)
#define __CUDA_ARCH__ 900
#endif
