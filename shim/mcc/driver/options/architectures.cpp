#include "architectures.h"

#include "llvm/ADT/STLExtras.h"

namespace musashim::mcc {

const std::vector<uint32_t>& knownArchs() {
  static const std::vector<uint32_t> archs{210, 220, 310};
  return archs;
}

std::string archName(uint32_t arch) { return "mp_" + std::to_string(arch / 10); }

bool parseArch(llvm::StringRef name, uint32_t& arch) {
  unsigned number = 0;
  if (!name.consume_front("mp_") || name.getAsInteger(10, number)) return false;
  arch = number * 10;
  return llvm::is_contained(knownArchs(), arch);
}

// As in backends/cpu/profiles.
unsigned warpSizeOf(uint32_t arch) { return arch >= 310 ? 32 : 128; }

}  // namespace musashim::mcc
