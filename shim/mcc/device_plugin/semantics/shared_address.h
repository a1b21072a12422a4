// Addresses in memory that threads share as sums, and whether two of them can meet in different lanes of a
// warp.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// base + constant + coefficient * leaf + ...
struct SharedAddress {
  // Where the block's static or dynamic shared memory begins, or a pointer that the kernel was given.
  const llvm::Value* base = nullptr;
  int64_t constant = 0;
  llvm::SmallMapVector<const llvm::Value*, int64_t, 4> terms;
};

// Nullopt: not in shared memory, nor with `inGlobal` in what the kernel was given, as far as can be told.
std::optional<SharedAddress> sharedAddressOf(const llvm::Value& pointer, const llvm::DataLayout& layout,
                                             bool inGlobal);

bool haveSameBase(const SharedAddress& one, const SharedAddress& other);

// What an address of one access and that of another, by the lanes of one warp, have to do with each other.
enum class Meeting {
  kOwn,      // the same element for the same lane, and for no two lanes
  kSame,     // the same for some lanes together
  kNever,    // different elements
  kOthers,   // an element of another lane
  kUnknown,  // made of more than thread indices and constants
};

// `bytes`: of the larger access; `lanes`: of a warp.
Meeting meetingOf(const SharedAddress& one, const SharedAddress& other, uint64_t bytes, int64_t lanes);

}  // namespace musashim::mcc
