// All warps of a block in one function: what is the same for them is computed once.
#pragma once

#include "mcc/device_plugin/source_facts/launch_sizes.h"
#include "unit_function.h"

namespace musashim::mcc {

// On stores of the place at which a warp goes on.
inline constexpr llvm::StringRef kPlaceMetadata = "musa.place";

// The function of one warp, to be filled: MusaUnitState(unit, block's context).
llvm::Function* createWarpFunction(llvm::Function& kernel, unsigned warpSize);

// On loads of the index of a warp's first thread: of which axis.
inline constexpr llvm::StringRef kOriginMetadata = "musa.origin";

// Makes of the finished function of a warp the one that MusaUnitProgram::run is about; of blocks of `size`,
// if not null, whose rows are whole warps.
void compileInterWarpLoops(UnitFunction& unit, const BlockSize* size);

}  // namespace musashim::mcc
