// The LLVM half of mcc's device plugin, in the order it runs.
//
//   pipeline start:     ReadSourceFacts  ->  GpuArithmetic  ->  LowerSharedMemory
//   simplification:     IndexWidening,  RowLoops
//   before vectorising: KernelEntries  ->  KernelMultiversioning  ->  ImageTable
//   vectorising:        DivergentLoops,  InterleaveCount,  StoredRowLoops,  Prefetch,  StreamingStores,
//   StreamingLoops,
//                       VariableTripCounts,  WrappingStrides
//   last:               PromoteSharedMemory,  DemandedElements,  RerollRowLoads,  OperandOrder,
//   StackRealignment
//
// Kernels are marked by the function attribute kKernelAttribute, whose value is the
// text of annotations.h; LowerSharedMemory adds kSharedBytesAttribute.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
class PassBuilder;
}  // namespace llvm

namespace musashim::mcc {

inline constexpr llvm::StringRef kKernelAttribute = "musa-kernel";
inline constexpr llvm::StringRef kSharedBytesAttribute = "musa-shared-bytes";
inline constexpr llvm::StringRef kEntryAttribute = "musa-entry-of";
inline constexpr llvm::StringRef kVersionedEntryAttribute =
    "musa-versioned-entry";                                      // on entries: the name of theirs
inline constexpr llvm::StringRef kProgramName = "musa.program";  // of variables: what the device runtime runs
// On code of blocks whose size has no code of its own, and of threads that have parted.
inline constexpr llvm::StringRef kColdAttribute = "musa-cold";
inline constexpr llvm::StringRef kIntenseAttribute = "musa-intense";  // on entries: isIntense()
inline constexpr llvm::StringRef kBlockAttribute = "musa-block";  // on code that runs whole blocks by itself
inline constexpr llvm::StringRef kRowThreadsAttribute = "musa-row-threads";  // blockDim.x, where it is known
inline constexpr llvm::StringRef kFibersAttribute = "musa-needs-fibers";
// On kernels: their blocks wait for each other.
inline constexpr llvm::StringRef kSyncsGridAttribute = "musa-syncs-grid";
// On kernels: blocks wait for what others write.
inline constexpr llvm::StringRef kLooksBackAttribute = "musa-looks-back";
inline constexpr llvm::StringRef kTakesTurnsAttribute = "musa-takes-turns";
inline constexpr llvm::StringRef kWaitsForCountAttribute = "musa-waits-for-count";
inline constexpr llvm::StringRef kCheckedAttribute = "musa-checked";             // kernels of -fmusa-check
inline constexpr llvm::StringRef kDebugThreadsAttribute = "musa-debug-threads";  // always on fibers

// Turns the clang half's annotations into function attributes; keeps kernels alive.
struct ReadSourceFacts : llvm::PassInfoMixin<ReadSourceFacts> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Gives integer division, float-to-integer conversion and shifts the results that
// GPUs give where C++ and x86 have none: no SIGFPE, saturation, clamped shifts.
struct GpuArithmetic : llvm::PassInfoMixin<GpuArithmetic> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

// Makes calls of the device runtime of launches in device code.
struct DeviceLaunches : llvm::PassInfoMixin<DeviceLaunches> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Has functions inlined in which threads wait for each other, or take steps in volatile memory, so that the
// kernel's own code shows where they do. Recursive ones stay.
struct InlineConvergent : llvm::PassInfoMixin<InlineConvergent> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Places __shared__ variables in the block's shared memory instead of globals.
struct LowerSharedMemory : llvm::PassInfoMixin<LowerSharedMemory> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Computes sums that are indices of arrays in 64 bits, while it is known that they do not overflow.
struct IndexWidening : llvm::PassInfoMixin<IndexWidening> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Keeps a thread's loops over rows of arrays, so that a block comes to the rows one after another.
struct RowLoops : llvm::PassInfoMixin<RowLoops> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&);
};

// Makes a MusaBlockFunction of every kernel: plain loops over the threads of a block
// where no thread waits for another, else a fiber per thread.
struct KernelEntries : llvm::PassInfoMixin<KernelEntries> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Has entries of intense kernels, and what they call, once more for x86-64-v4 processors: 512-bit vectors in
// an image that runs without them as well.
struct KernelMultiversioning : llvm::PassInfoMixin<KernelMultiversioning> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Loops of arithmetic that a vector's threads leave at different times: vectors all the same.
struct DivergentLoops : llvm::PassInfoMixin<DivergentLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Keeps loops over rows of threads that write rows of arrays, or come to them again and again.
struct StoredRowLoops : llvm::PassInfoMixin<StoredRowLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Asks for the rows that blocks to come will read and write, where processors do not fetch them ahead.
struct Prefetch : llvm::PassInfoMixin<Prefetch> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Writes past the caches what large grids write and do not read.
struct StreamingStores : llvm::PassInfoMixin<StreamingStores> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Keeps loops over rows of threads that only read and write device memory.
struct StreamingLoops : llvm::PassInfoMixin<StreamingLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Keeps loops of which each thread makes another number of rounds.
struct VariableTripCounts : llvm::PassInfoMixin<VariableTripCounts> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Has loops over short rows of threads done at one go: then each vector goes through a chain of operations of
// its own (a tile's dot products), and what they have in common is loaded once.
struct InterleaveCount : llvm::PassInfoMixin<InterleaveCount> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Has shared memory of which all accesses are known in registers, also where they are known for a while and
// threads read what neighbours have written (shared_vectors.h), and writes nothing there that is not read.
struct PromoteSharedMemory : llvm::PassInfoMixin<PromoteSharedMemory> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Drops work on lanes of vectors that nobody asks for, and stores single lanes that would be scattered.
struct DemandedElements : llvm::PassInfoMixin<DemandedElements> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Has rows of pairs read by a loop where the processor fetches ahead by instruction.
struct RerollRowLoads : llvm::PassInfoMixin<RerollRowLoads> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Has pairs of loads that are operated on read in the order in which they stand.
struct OperandOrder : llvm::PassInfoMixin<OperandOrder> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Aligns the stack of functions that are likely to keep vectors there.
struct StackRealignment : llvm::PassInfoMixin<StackRealignment> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Emits the image's table of kernels and variables (MusaImageInfo).
struct ImageTable : llvm::PassInfoMixin<ImageTable> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Adds those that run when a thread's loops are simplified.
void registerLoopPasses(llvm::PassBuilder& builder);

}  // namespace musashim::mcc
