// All kernels of the benchmark in one file, to be compiled by mcc and, with plain.h before it, as plain C++.
// Host code that uses the standard library, as most kernel files have.
#include <algorithm>
#include <string>
#include <vector>

#include "kernels/black_scholes/kernel.h"
#include "kernels/histogram/kernel.h"
#include "kernels/layer_norm/kernel.h"
#include "kernels/mandelbrot/kernel.h"
#include "kernels/matmul/kernel.h"
#include "kernels/nbody/kernel.h"
#include "kernels/reduce_shared/kernel.h"
#include "kernels/reduce_shuffle/kernel.h"
#include "kernels/saxpy/kernel.h"
#include "kernels/scan/kernel.h"
#include "kernels/softmax/kernel.h"
#include "kernels/spmv/kernel.h"
#include "kernels/stencil/kernel.h"
#include "kernels/transpose/kernel.h"

template __global__ void matmul<16>(int, const float*, const float*, float*);
template __global__ void matmul<32>(int, const float*, const float*, float*);

std::vector<std::string> sortedNames(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}
