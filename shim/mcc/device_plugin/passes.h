// The LLVM half of mcc's device plugin: its passes, in the order in which they run (README.md).
//
//   pipeline start:     ReadSourceFacts, BoolBytes, DeviceLaunches, DebugThreads,
//                       CheckInstrument (-fmusa-check only), GpuArithmetic, InlineConvergent,
//                       LowerSharedMemory
//   simplification:     SharedIndexWrap, IndexWidening, RowLoops
//   before vectorising: KernelEntries, KernelMultiversioning, ImageTable
//   vectorising:        DivergentLoops, InterleaveCount, StoredRowLoops, Prefetch, StreamingStores,
//                       StreamingLoops, VariableTripCounts, WrappingStrides
//   last:               PromoteSharedMemory, DemandedElements, RerollRowLoads, OperandOrder, StackRealignment
//
// Kernels are marked by the function attribute kKernelAttribute, whose value is the text of annotations.h.
// LowerSharedMemory adds kSharedBytesAttribute.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Analysis.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
class PassBuilder;
}  // namespace llvm

namespace musashim::mcc {

// What is still known behind a pass that leaves branches and loops as they are.
inline llvm::PreservedAnalyses keepsBranches(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

inline constexpr llvm::StringRef kKernelAttribute = "musa-kernel";
inline constexpr llvm::StringRef kSharedBytesAttribute = "musa-shared-bytes";
// On kernels: where their shared variables end, in bytes from the start, in ascending order.
inline constexpr llvm::StringRef kSharedEndsAttribute = "musa-shared-ends";
inline constexpr llvm::StringRef kEntryAttribute = "musa-entry-of";
inline constexpr llvm::StringRef kVersionedEntryAttribute =
    "musa-versioned-entry";  // on entries: the name of the AVX-512 version
inline constexpr llvm::StringRef kProgramName = "musa.program";  // of variables: what the device runtime runs
// On cold code: of block sizes without a specialized copy, where there are others; and of diverged threads.
inline constexpr llvm::StringRef kColdAttribute = "musa-cold";
inline constexpr llvm::StringRef kComputeBoundAttribute =
    "musa-compute-bound";                                         // on entries: isComputeBound()
inline constexpr llvm::StringRef kBlockAttribute = "musa-block";  // on code that runs whole blocks by itself
inline constexpr llvm::StringRef kRowThreadsAttribute = "musa-row-threads";  // blockDim.x, where it is known
inline constexpr llvm::StringRef kFibersAttribute = "musa-needs-fibers";
// On kernels with grid barriers.
inline constexpr llvm::StringRef kSyncsGridAttribute = "musa-syncs-grid";
// On kernels whose blocks spin on what other blocks write (spin_loops.h).
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

// Makes bool a signed byte, as nvcc does: every byte but 0 is true.
struct BoolBytes : llvm::PassInfoMixin<BoolBytes> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Gives integer division, float-to-integer conversion and shifts the results that
// GPUs give where C++ and x86 have none: no SIGFPE, saturation, clamped shifts.
struct GpuArithmetic : llvm::PassInfoMixin<GpuArithmetic> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

// Lowers launches in device code to calls of the device runtime.
struct DeviceLaunches : llvm::PassInfoMixin<DeviceLaunches> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Inlines functions with convergent operations or warp-synchronous steps, so that the kernel's own code shows
// where threads wait. Not recursive ones.
struct InlineConvergent : llvm::PassInfoMixin<InlineConvergent> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Keeps kernels with shared memory as they are, for those that turn out to be warp-synchronous.
struct KeepPristineKernels : llvm::PassInfoMixin<KeepPristineKernels> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Lowers __shared__ variables to offsets in the block's shared memory.
struct LowerSharedMemory : llvm::PassInfoMixin<LowerSharedMemory> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Has indices of shared memory wrap as addresses of 32 bits do.
struct SharedIndexWrap : llvm::PassInfoMixin<SharedIndexWrap> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

// Computes sums that index arrays in 64 bits, while it is known that they do not overflow.
struct IndexWidening : llvm::PassInfoMixin<IndexWidening> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Keeps a thread's loops over rows of arrays rolled, so that a block accesses the rows one after another
// (row_loops.h).
struct RowLoops : llvm::PassInfoMixin<RowLoops> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&);
};

// Makes the entry of every kernel, a MusaBlockFunction: loops over the threads of a block (block/), or a
// fiber per thread. Runs the block compiler.
struct KernelEntries : llvm::PassInfoMixin<KernelEntries> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Whether the module's kernels have their entries: loops over threads in place of code of one thread.
bool hasEntries(const llvm::Module& module);

// Function multiversioning: clones the entries of compute-bound kernels, and what they call, for x86-64-v4
// processors. So an image has 512-bit vectors, and runs without them as well.
struct KernelMultiversioning : llvm::PassInfoMixin<KernelMultiversioning> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Strip-mines loops of arithmetic with divergent trip counts, so that they are vectorised.
struct DivergentLoops : llvm::PassInfoMixin<DivergentLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Keeps loops rolled around rows of threads that store rows of arrays, or that are in a row loop.
struct StoredRowLoops : llvm::PassInfoMixin<StoredRowLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Software prefetch of rows that future blocks will read and write, where hardware prefetchers do not follow.
struct Prefetch : llvm::PassInfoMixin<Prefetch> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Streaming (non-temporal) stores of what large grids write and do not read.
struct StreamingStores : llvm::PassInfoMixin<StreamingStores> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Keeps loops over rows of threads rolled that only read and write device memory.
struct StreamingLoops : llvm::PassInfoMixin<StreamingLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Disables runtime unrolling of loops whose trip count differs between threads.
struct VariableTripCounts : llvm::PassInfoMixin<VariableTripCounts> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Sets the interleave count of loops over short rows of threads to the whole row. Then the vectors are
// independent chains of operations (a tile's dot products), and what they have in common is loaded once.
struct InterleaveCount : llvm::PassInfoMixin<InterleaveCount> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Promotes shared memory to registers where all accesses are known, and to vectors where they are for a while
// (promote_shared_vectors.h). Eliminates dead stores to it.
struct PromoteSharedMemory : llvm::PassInfoMixin<PromoteSharedMemory> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Eliminates work on vector lanes that are not demanded, and scalarizes scatters of single lanes.
struct DemandedElements : llvm::PassInfoMixin<DemandedElements> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Rerolls loads of rows of pairs, for hardware prefetchers that are trained by instruction.
struct RerollRowLoads : llvm::PassInfoMixin<RerollRowLoads> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Orders the operands of operations on two loads by the order of the loads.
struct OperandOrder : llvm::PassInfoMixin<OperandOrder> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Aligns the stack of functions that are likely to spill vectors.
struct StackRealignment : llvm::PassInfoMixin<StackRealignment> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Emits the image's table of kernels and variables (MusaImageInfo).
struct ImageTable : llvm::PassInfoMixin<ImageTable> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

// Registers RowLoops where loops are simplified, for pipelines of the block compiler as well.
void registerLoopPasses(llvm::PassBuilder& builder);

}  // namespace musashim::mcc
