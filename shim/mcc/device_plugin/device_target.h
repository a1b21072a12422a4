// For which devices the image is that is being compiled: the clang half finds out, the
// LLVM half asks (in a device link, the module says it: module_facts.h). One translation unit per process, as
// clang -cc1 has it.
#pragma once

#include <vector>

namespace musashim::mcc {

struct DeviceTarget {
  static DeviceTarget& instance() {
    static DeviceTarget target;
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
};

}  // namespace musashim::mcc
