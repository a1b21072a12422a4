#include "musa/graph/nodes/condition.h"

#include <new>
#include <unordered_map>
#include <vector>

#include "musa/api/api_call.h"
#include "musa/graph/graph.h"

namespace musashim::musa {
namespace {

constexpr size_t kCellsAtOnce = 1024;

// Guarded by GraphLock. The memory is kept: a kernel may hold an old handle.
struct Cells {
  std::vector<void*> unused;
  std::unordered_map<MUgraphConditionalHandle, std::weak_ptr<ConditionCell>> byHandle;
};

Cells& cells() {
  static auto* all = new Cells;
  return *all;
}

Result addCells() {
  void* memory = nullptr;
  MUSA_TRY(driver().backend().allocateHost(kCellsAtOnce * sizeof(std::atomic<uint32_t>), &memory));
  auto* values = static_cast<std::atomic<uint32_t>*>(memory);
  for (size_t i = 0; i < kCellsAtOnce; ++i) cells().unused.push_back(values + i);
  return {};
}

}  // namespace

ConditionCell::~ConditionCell() {
  if (!value) return;
  GraphLock lock;
  cells().byHandle.erase(handle());
  cells().unused.push_back(value);
}

Result createCondition(uint32_t initial, bool assignInitial, std::shared_ptr<ConditionCell>& cell) {
  if (cells().unused.empty()) MUSA_TRY(addCells());
  cell = std::make_shared<ConditionCell>();
  cell->value = new (cells().unused.back()) std::atomic<uint32_t>(initial);
  cells().unused.pop_back();
  cell->initial = initial;
  cell->assignInitial = assignInitial;
  cells().byHandle[cell->handle()] = cell;
  return {};
}

std::shared_ptr<ConditionCell> findCondition(MUgraphConditionalHandle handle) {
  auto found = cells().byHandle.find(handle);
  return found == cells().byHandle.end() ? nullptr : found->second.lock();
}

}  // namespace musashim::musa
