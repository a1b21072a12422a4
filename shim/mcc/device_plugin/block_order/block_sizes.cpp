#include "block_sizes.h"

#include <algorithm>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

// No two threads have the same.
bool areOwn(const ThreadElements& elements) {
  llvm::DenseSet<int64_t> seen;
  return llvm::all_of(elements.elements,
                      [&](const auto& element) { return seen.insert(element.address).second; });
}

}  // namespace

std::vector<BlockSize> launchedSizes(llvm::StringRef kernel) {
  std::vector<BlockSize> sizes = LaunchSizes::instance().of(kernel);
  llvm::erase_if(sizes, [](const BlockSize& size) {
    const uint64_t threads = uint64_t{size[0]} * size[1] * size[2];
    return threads == 0 || threads > 1024;
  });
  if (sizes.size() > kMostSizes) sizes.resize(kMostSizes);
  return sizes;
}

std::vector<BlockSize> usualSizes(unsigned axes) {
  if (axes == 1) return {{1024, 1, 1}, {512, 1, 1}, {256, 1, 1}, {128, 1, 1}, {64, 1, 1}};
  if (axes == 2) return {{32, 32, 1}, {32, 8, 1}, {16, 16, 1}, {8, 8, 1}};
  return {{8, 8, 8}, {8, 8, 4}, {4, 4, 4}};
}

void keepFitting(std::vector<BlockSize>& sizes,
                 llvm::function_ref<std::optional<ThreadElements>(const BlockSize&)> elements) {
  std::vector<BlockSize> own;
  llvm::erase_if(sizes, [&](const BlockSize& size) {
    const auto known = elements(size);
    if (known && known->isOutside) return true;
    if (known && areOwn(*known)) own.push_back(size);
    return false;
  });
  if (!own.empty()) sizes = std::move(own);
}

unsigned axesOf(const llvm::Value& value) {
  unsigned axes = 1;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*, 16> work{&value};
  while (!work.empty()) {
    const llvm::Value* part = work.pop_back_val();
    if (!seen.insert(part).second) continue;
    if (const Builtin* builtin = calledThreadIdx(*part)) axes = std::max(axes, builtin->axis + 1u);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(part);
    if (instruction != nullptr && !instruction->mayReadFromMemory())
      work.append(instruction->operand_values().begin(), instruction->operand_values().end());
  }
  return axes;
}

}  // namespace musashim::mcc
