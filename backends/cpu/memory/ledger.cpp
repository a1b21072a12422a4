#include "cpu/memory/ledger.h"

#include <algorithm>
#include <limits>

#include "cpu/exec/clock.h"

namespace musashim::backend::cpu {

namespace {
// Small grants rely on a recent look at the machine, which costs more than they do.
constexpr int64_t kTrustNanoseconds = 200'000'000;
constexpr uint64_t kKeepableShare = 8;  // eight processes that keep leave two fifths
}  // namespace

void MemoryLedger::refresh() {
  uint64_t touched = 0;
  for (const MemoryHolder* holder : holders_) touched += holder->touchedBytes();
  uint64_t debt = reserved_ - std::min(reserved_, touched);
  uint64_t available = machine_.available();
  uint64_t spoken = debt + options_.reserveBytes + (board_ ? board_->debtOfOthers() : 0);
  credit_ = available - std::min(available, spoken);
  refreshedAt_ = monotonicNow();
}

void MemoryLedger::setReserved(uint64_t bytes) {
  reserved_ = bytes;
  if (board_) board_->setReserved(bytes);
}

bool MemoryLedger::reserve(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  if (!options_.overcommit) {
    bool trusted = bytes <= credit_ / 2 && monotonicNow() - refreshedAt_ < kTrustNanoseconds;
    if (!trusted) refresh();
    if (bytes > credit_) return false;
    credit_ -= bytes;
  }
  setReserved(reserved_ + bytes);
  return true;
}

void MemoryLedger::release(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  setReserved(reserved_ - std::min(reserved_, bytes));
  credit_ += bytes;
}

uint64_t MemoryLedger::headroom() {
  if (options_.overcommit) return std::numeric_limits<uint64_t>::max();
  std::lock_guard lock(mutex_);
  // A recent look is kept: what a program allocates and frees then shows exactly.
  if (monotonicNow() - refreshedAt_ >= kTrustNanoseconds) refresh();
  return credit_;
}

uint64_t MemoryLedger::keepable() { return options_.overcommit ? 0 : headroom() / kKeepableShare; }

void MemoryLedger::discount(int64_t nanoseconds) {
  std::lock_guard lock(mutex_);
  refreshedAt_ += nanoseconds;
}

void MemoryLedger::add(MemoryHolder* holder) {
  std::scoped_lock lock(holdersMutex_, mutex_);
  holders_.push_back(holder);
}

void MemoryLedger::remove(MemoryHolder* holder) {
  std::scoped_lock lock(holdersMutex_, mutex_);
  std::erase(holders_, holder);
}

void MemoryLedger::trimAll() {
  std::lock_guard lock(holdersMutex_);
  for (MemoryHolder* holder : holders_) holder->trim();
}

}  // namespace musashim::backend::cpu
