#include "mccl/comm/user_reductions.h"

#include <algorithm>
#include <atomic>

namespace musashim::mccl {
namespace {

constexpr uint32_t kIndexBits = 16;
constexpr uint32_t kTagMask = 0x3fff;

uint32_t nextTag() {
  static std::atomic<uint32_t> next{0};
  return (next.fetch_add(1) & kTagMask) << kIndexBits;
}

}  // namespace

UserReductions::UserReductions() : tag_(nextTag()) {}

mcclRedOp_t UserReductions::add(const UserReduction& reduction) {
  std::lock_guard lock(mutex_);
  auto free = std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return !entry.used; });
  if (free == entries_.end()) free = entries_.insert(free, Entry{});
  *free = {true, reduction};
  const auto index = static_cast<uint32_t>(free - entries_.begin());
  return static_cast<mcclRedOp_t>(mcclNumOps + (tag_ | index));
}

// -1 when the handle is not one of ours.
int UserReductions::indexOf(mcclRedOp_t handle) const {
  const auto value = static_cast<uint32_t>(handle);
  if (value < mcclNumOps) return -1;
  const uint32_t bits = value - mcclNumOps;
  const uint32_t index = bits & ((1u << kIndexBits) - 1);
  const bool ours = (bits ^ index) == tag_ && index < entries_.size() && entries_[index].used;
  return ours ? static_cast<int>(index) : -1;
}

bool UserReductions::find(mcclRedOp_t handle, UserReduction& reduction) const {
  std::lock_guard lock(mutex_);
  const int index = indexOf(handle);
  if (index < 0) return false;
  reduction = entries_[index].reduction;
  return true;
}

bool UserReductions::remove(mcclRedOp_t handle) {
  std::lock_guard lock(mutex_);
  const int index = indexOf(handle);
  if (index < 0) return false;
  entries_[index].used = false;
  return true;
}

}  // namespace musashim::mccl
