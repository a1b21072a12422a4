// Symbols of the units of a device link that do not fit together, said as nvlink says it.
#pragma once

#include <string>
#include <vector>

#include "device_unit.h"
#include "llvm/IR/Module.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

// A unit's code with the name of its file.
struct NamedCode {
  const UnitCode* code = nullptr;
  std::string file;
};

// True when no two units define the same symbol, unless all of them may.
bool definedOnce(const std::vector<NamedCode>& codes);

// True when all that `module`, made of `codes`, uses is defined, in it or in the device runtime.
bool allDefined(const Toolchain& toolchain, const llvm::Module& module, const std::vector<NamedCode>& codes);

}  // namespace musashim::mcc
