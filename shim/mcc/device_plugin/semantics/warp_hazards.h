// Lanes of a warp that exchange data through shared memory, or volatile or fenced global memory, without a
// barrier or warp operation in between.
//
// Programs of all ages do so (warp-synchronous code): on hardware the lanes of a warp mostly move together,
// so that all have stored before any loads. Whether a kernel does shows in the addresses: what a lane loads
// is an element that another lane of its warp has stored.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace musashim::mcc {

// Accesses before which the lanes of a warp are to converge, so that they exchange data as on hardware.
struct WarpHazards {
  llvm::SmallVector<llvm::Instruction*, 16> points;
  llvm::SmallVector<llvm::Instruction*, 16>
      certain;  // those that surely meet one of another lane, if a warp has 32
};

// None unless some load shows that the kernel counts on its warps: its address and that of a store before it
// are made of thread indices and constants, and meet in different lanes of a warp. `name`: of the kernel that
// it is, or is a copy of. `counts`: that it counts on its warps is known.
WarpHazards warpHazards(llvm::Function& kernel, llvm::StringRef name, bool counts = false);

}  // namespace musashim::mcc
