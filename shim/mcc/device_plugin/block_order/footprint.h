// Which warps of a block access which elements of shared memory by an instruction.
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

// Of the access by the threads of a block; terms that are unknown count as 0. Nullopt: cannot be told.
std::optional<Footprint> footprintOf(const SharedAccess& access, const BlockShape& shape,
                                     const CounterValues& counters, int64_t pieceBytes,
                                     const VariableEnds& ends);

}  // namespace musashim::mcc
