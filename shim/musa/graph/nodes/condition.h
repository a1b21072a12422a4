// The values that conditional nodes look at. Kernels set them through the handle, which is
// the address of the value in page-locked memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

struct ConditionCell {
  std::atomic<uint32_t>* value = nullptr;
  uint32_t initial = 0;
  bool assignInitial = false;  // at every launch
  bool used = false;           // by a conditional node: one at most

  ConditionCell() = default;
  ConditionCell(const ConditionCell&) = delete;
  ConditionCell& operator=(const ConditionCell&) = delete;
  ~ConditionCell();
  MUgraphConditionalHandle handle() const { return reinterpret_cast<uintptr_t>(value); }
};

// With GraphLock.
Result createCondition(uint32_t initial, bool assignInitial, std::shared_ptr<ConditionCell>& cell);
std::shared_ptr<ConditionCell> findCondition(MUgraphConditionalHandle handle);  // null when there is none

}  // namespace musashim::musa
