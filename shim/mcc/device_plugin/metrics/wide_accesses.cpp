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
        // Members that nobody asks for are loaded as well: a float4 without its last is one access.
        size_t taken = 1;
        for (const int64_t whole : {16, 8}) {
          if (run[first].align < static_cast<uint64_t>(whole)) continue;
          const int64_t end = run[first].offset + whole;
          size_t next = first + 1;
          uint64_t sum = run[first].bytes;
          while (next < run.size() && run[next].offset + static_cast<int64_t>(run[next].bytes) <= end)
            sum += run[next++].bytes;
          const bool isLoad = base.second != 0;
          if (next == first + 1 || (!isLoad && sum != static_cast<uint64_t>(whole))) continue;
          taken = next - first;
          wholes_[run[first].instruction] = whole;
          for (size_t part = first + 1; part < next; ++part) parts_.insert(run[part].instruction);
          break;
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
