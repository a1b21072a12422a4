// Aligns the stack of functions that will spill vectors. The code generator finds out too late, during
// register allocation, that it should have. Unaligned spill slots cross cache lines, those of 512 bits
// always. A tile's product of 32 x 32 threads took 1.3 times as long for it.
#include "llvm/IR/InstIterator.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

constexpr unsigned kManyVectors = 32;  // instructions with a vector result; there are 16 or 32 registers

}  // namespace

llvm::PreservedAnalyses StackRealignment::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  unsigned vectors = 0;
  uint64_t widest = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    if (type == nullptr) continue;
    const uint64_t bytes = function.getDataLayout().getTypeStoreSize(instruction.getType()).getFixedValue();
    if (bytes < 32) continue;
    ++vectors;
    widest = std::max(widest, bytes);
  }
  if (vectors < kManyVectors || function.hasFnAttribute(llvm::Attribute::StackAlignment))
    return llvm::PreservedAnalyses::all();
  // Longer ones take several registers.
  const bool is512 = function.getFnAttribute("prefer-vector-width").getValueAsString() == "512";
  const llvm::Align alignment(is512 && widest >= 64 ? 64 : 32);
  function.addFnAttr(llvm::Attribute::getWithStackAlignment(function.getContext(), alignment));
  return llvm::PreservedAnalyses::all();
}

}  // namespace musashim::mcc
