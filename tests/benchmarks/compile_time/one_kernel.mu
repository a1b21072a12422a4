// A small file: one kernel with barriers.
#include <vector>

#include "kernels/softmax/kernel.h"

std::vector<float> zeros(int count) { return std::vector<float>(count); }
