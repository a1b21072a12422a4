// Addresses in memory that threads share as sums, and whether two of them can meet in different lanes of a
// warp.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

// What a summand of an address is.
struct LeafKind {
  bool isOfLanes = false;        // made of the thread's index
  bool isLaneNumber = false;     // it, or the lane's
  bool tellsLanesApart = false;  // no two lanes of a warp have the same value
  bool isOfGroups = false;       // lanes of a warp have the same value in groups: the number of a row
  bool isCounter = false;        // of a loop, in equal steps
  bool isDistance = false;       // doubles or halves in a loop
  bool isOfData = false;  // differs from lane to lane by what memory holds, or by what lanes tell each other
  int64_t most = -1;  // the greatest value, where it is the same for all lanes and lies between 0 and this
};

// base + constant + coefficient * leaf + ...
struct SharedAddress {
  // Where the block's static or dynamic shared memory begins, or a pointer that the kernel was given.
  const llvm::Value* base = nullptr;
  int64_t constant = 0;
  llvm::SmallMapVector<const llvm::Value*, int64_t, 4> terms;
  llvm::SmallDenseMap<const llvm::Value*, LeafKind, 4> kinds;  // of these leaves
};

// Nullopt: neither in shared memory nor in what the kernel was given, as far as can be told.
std::optional<SharedAddress> sharedAddressOf(const llvm::Value& pointer, const llvm::DataLayout& layout);

// The pointers that phis and selects choose `pointer` from, as LLVM makes one load of several; or itself, if
// none do, or if it moves on in a loop.
llvm::SmallVector<const llvm::Value*, 2> choicesOf(const llvm::Value& pointer);

bool haveSameBase(const SharedAddress& one, const SharedAddress& other);

// What an address of one access and that of another, by the lanes of one warp, have to do with each other.
enum class Meeting {
  kOwn,      // the same element for the same lane, and for no two lanes
  kSame,     // the same for some lanes together
  kNever,    // different elements
  kOthers,   // an element of another lane
  kData,     // an element that depends on data
  kUnknown,  // made of more than thread indices and constants
};

// What is known of the lanes of the accesses, beside their addresses.
struct LanePair {
  uint64_t bytes;  // of the larger access
  int64_t lanes;   // of a warp
  // Lanes may do both accesses whose values of a leaf differ by `distance` (the other's less the one's).
  llvm::function_ref<bool(const llvm::Value& leaf, int64_t distance)> mayBeApart;
  // The same where they differ by `distance`, which is the same for all lanes. `oneIsAhead`: the element of
  // the one access is so far behind its lane's own, or that of the other so far before.
  llvm::function_ref<bool(const llvm::Value& distance, bool oneIsAhead)> mayBeApartBy;
};

Meeting meetingOf(const SharedAddress& one, const SharedAddress& other, const LanePair& pair);

}  // namespace musashim::mcc
