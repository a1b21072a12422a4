// All warps of a block in one function (inter-warp loops, outside of those over a warp's threads): what is
// the same for all warps is computed once.
#pragma once

#include "mcc/device_plugin/source_facts/launch_sizes.h"
#include "unit_function.h"

namespace musashim::mcc {

// On stores of the place at which a warp is resumed.
inline constexpr llvm::StringRef kPlaceMetadata = "musa.place";

// The function of one warp, to be filled: MusaUnitState(unit, block's context).
llvm::Function* createWarpFunction(llvm::Function& kernel, unsigned warpSize);

// On loads of the index of a warp's first thread, with its axis.
inline constexpr llvm::StringRef kOriginMetadata = "musa.origin";

// Turns the finished function of a warp into MusaUnitProgram::run. With `size`: for blocks of that size,
// whose rows are whole warps.
void compileInterWarpLoops(UnitFunction& unit, const BlockSize* size);

}  // namespace musashim::mcc
