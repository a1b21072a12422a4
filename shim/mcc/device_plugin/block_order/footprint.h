// Which threads and warps of a block access which elements of shared memory by an instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/IR/Dominators.h"
#include "mcc/device_plugin/semantics/shared_address.h"
#include "thread_values.h"

namespace musashim::mcc {

// A branch on the way to an instruction, and where it goes there.
struct Guard {
  const llvm::Value* condition;
  bool holds;
};

llvm::SmallVector<Guard, 4> guardsOf(const llvm::Instruction& instruction,
                                     const llvm::DominatorTree& dominators);

struct SharedAccess {
  llvm::Instruction* instruction;
  SharedAddress address;
  uint64_t bytes;
  bool writes;
  llvm::SmallVector<Guard, 4> guards;
  llvm::SmallPtrSet<const llvm::PHINode*, 4> counters;  // that the address is made of
  // Those of the address's terms that are not made of thread indices, sizes, constants and counters.
  llvm::SmallMapVector<const llvm::Value*, int64_t, 2> unknown;
};

// The elements of the threads that come to an access, in their order.
struct ThreadElements {
  struct Element {
    unsigned thread;
    int64_t address;
  };
  std::vector<Element> elements;
  bool isOutside = false;  // some threads' lie outside of the first one's variable, and are left out
};

// Pieces of memory in ascending order, each with the warps that access it, a bit for each of the first 32.
struct Footprint {
  struct Piece {
    int64_t number;
    uint32_t warps;
  };
  std::vector<Piece> pieces;
  uint32_t warps = 0;      // all of them
  bool isOutside = false;  // some threads' elements lie outside of the first one's variable
};

// Some piece is accessed by two warps, by one as the one footprint says and by the other as the other does.
bool meetInWarps(const Footprint& one, const Footprint& other);

// Of a kernel's static shared memory: offsets that the shared variables end at.
using VariableEnds = std::vector<int64_t>;

// Read from the kernel's attribute kSharedEndsAttribute.
VariableEnds variableEnds(const llvm::Function& kernel);

// The number of the piece of memory that an address lies in.
inline int64_t pieceOf(int64_t address, int64_t pieceBytes) {
  return (address - (address < 0 ? pieceBytes - 1 : 0)) / pieceBytes;
}

// Of the access by the threads of a block; terms that are unknown count as 0. Nullopt: cannot be told.
std::optional<ThreadElements> elementsOf(const SharedAccess& access, const BlockShape& shape,
                                         const CounterValues& counters, const VariableEnds& ends);
std::optional<Footprint> footprintOf(const SharedAccess& access, const BlockShape& shape,
                                     const CounterValues& counters, int64_t pieceBytes,
                                     const VariableEnds& ends);

}  // namespace musashim::mcc
