// Brings together the warp operations of a block that do not depend on each other, when there are many: each
// ends a region, and a transform unrolled by hand may have a thousand. Together they have one loop over
// threads before them and one behind, in place of one for each.
#pragma once

#include "llvm/IR/Function.h"

namespace musashim::mcc {

void groupWarpOperations(llvm::Function& function);

}  // namespace musashim::mcc
