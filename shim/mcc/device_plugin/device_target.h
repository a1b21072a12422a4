// The devices that the image being compiled is for. The clang half finds out, the LLVM half asks. In a device
// link the module says it (module_facts.h). One translation unit per thread.
#pragma once

#include <vector>

namespace musashim::mcc {

struct DeviceTarget {
  static DeviceTarget& instance() {
    static thread_local DeviceTarget target;
    return target;
  }

  // Of all devices that will load the image.
  std::vector<unsigned> warpSizes() const {
    if (warpSize == 0) return {32, 128};
    std::vector<unsigned> sizes{warpSize};
    if (!archIsUsed) sizes.insert(sizes.end(), otherWarpSizes.begin(), otherWarpSizes.end());
    return sizes;
  }

  unsigned warpSize = 0;  // 0: not told
  std::vector<unsigned> otherWarpSizes;
  bool archIsUsed = false;
  unsigned cudaArch = 0;  // __CUDA_ARCH__; 0: not of a CUDA source
};

}  // namespace musashim::mcc
