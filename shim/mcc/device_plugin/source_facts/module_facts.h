// Facts that modules of separately compiled device code (mcc -dc) carry to the final
// link, where no clang half of the plugin runs. mcc writes them (driver/link/device_unit.cpp,
// driver/link/device_link.cpp), ReadSourceFacts reads them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// A node per launch with a constant block size: the kernel's name, x, y, z.
inline constexpr llvm::StringRef kLaunchSizesMetadata = "musa.launch_sizes";
// One node: the warp sizes of the devices that the image is for.
inline constexpr llvm::StringRef kWarpSizesMetadata = "musa.warp_sizes";

}  // namespace musashim::mcc
