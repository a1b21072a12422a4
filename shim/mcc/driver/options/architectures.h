// The architectures of Moore Threads devices that images can be made for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

// Oldest first, as __MUSA_ARCH__ values.
const std::vector<uint32_t>& knownArchs();
// "mp_31" for 310, and back; false for a name that is not a known architecture's.
std::string archName(uint32_t arch);
bool parseArch(llvm::StringRef name, uint32_t& arch);
// Lanes of a warp of its devices.
unsigned warpSizeOf(uint32_t arch);

}  // namespace musashim::mcc
