#include "wide_accesses.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {
namespace {

struct Part {
  llvm::Instruction* instruction;
  int64_t offset;
  uint64_t bytes;
  uint64_t align;
};

using Run = std::vector<Part>;  // on one base, of one direction

}  // namespace

WideAccesses::WideAccesses(llvm::BasicBlock& block) {
  const llvm::DataLayout& layout = block.getDataLayout();
  llvm::MapVector<std::pair<const llvm::Value*, unsigned>, Run> runs;
  const auto settle = [&] {
    for (auto& [base, run] : runs) {
      std::sort(run.begin(), run.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
      for (size_t first = 0; first < run.size();) {
        size_t taken = 1;
        for (const uint64_t whole : {uint64_t{16}, uint64_t{8}}) {
          if (run[first].align < whole || run[first].bytes >= whole) continue;
          uint64_t sum = run[first].bytes;
          size_t next = first + 1;
          while (next < run.size() && sum < whole && run[next].offset == run[first].offset + int64_t(sum) &&
                 run[next].bytes == run[first].bytes) {
            sum += run[next++].bytes;
          }
          if (sum != whole) continue;
          taken = next - first;
          break;
        }
        if (taken > 1) {
          // The first of the code does the work; its address is that of the lowest when it is that one.
          wholes_[run[first].instruction] = run[first].bytes * taken;
          for (size_t part = first + 1; part < first + taken; ++part) parts_.insert(run[part].instruction);
        }
        first += taken;
      }
    }
    runs.clear();
  };
  for (llvm::Instruction& instruction : block) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    const bool simple = (load != nullptr && load->isSimple()) || (store != nullptr && store->isSimple());
    if (!simple) {
      if (instruction.mayReadOrWriteMemory()) settle();
      continue;
    }
    llvm::APInt offset(64, 0);
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    const uint64_t bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
    const uint64_t align = (load != nullptr ? load->getAlign() : store->getAlign()).value();
    runs[{base, load != nullptr ? 1 : 0}].push_back({&instruction, offset.getSExtValue(), bytes, align});
  }
  settle();
}

}  // namespace musashim::mcc
