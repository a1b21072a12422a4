// Which bits of the values that loops carry something depends on: of `s[(round & 1) * 256 + t]`, a single one
// of `round`, so that the third round is as the first was.
#pragma once

#include <cstdint>
#include <map>

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// By phi; what is not there does not matter. In the order of addresses: for lookups, not for output.
using CarriedBits = std::map<const llvm::PHINode*, uint64_t>;

// Adds the bits that `value` depends on, of all phis that it is made of.
void addCarriedBits(const llvm::Value& value, CarriedBits& bits);

}  // namespace musashim::mcc
