// Included by a file of the host, where no kernel is compiled.
#pragma once
#ifdef __CUDA_ARCH__
constexpr bool usesCuda = true;
#else
constexpr bool usesCuda = false;
#endif
