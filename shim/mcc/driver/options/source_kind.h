// Whether a file named .cu is CUDA source or MUSA source. Both compilers take that ending; the names in it
// tell.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

enum class SourceKind { kMusa, kCuda };

// Of the names and headers that the two interfaces do not share (from the API records), outside of comments
// and strings: with one of MUSA's it is MUSA source, else with one of CUDA's CUDA source. A file with neither
// is what the headers beside it that it includes by "..." are; MUSA source where those have neither, too, for
// then there is nothing to port. So is a file that cannot be read.
SourceKind sourceKind(llvm::StringRef path);

// Whether one of the two interfaces, and not the other, has a header of this name.
bool isToolkitHeader(llvm::StringRef name);

}  // namespace musashim::mcc
