// The memory of one device (or of the host's page-locked allocations): one memfd,
// mapped whole, whose pages come into being when touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cpu/devrt/checks/check_hooks.h"
#include "cpu/memory/huge_pages.h"
#include "cpu/memory/ledger.h"
#include "cpu/memory/range_allocator.h"
#include "cpu/process/peer_file.h"
#include "interface/status.h"

namespace musashim::backend::cpu {

class Arena final : public MemoryHolder {
 public:
  // kOutOfMemory when the address space cannot hold `bytes`. `ledger` outlives the arena.
  // What a device's arena gives is shared with other processes by the ledger's board, as
  // `device`; page-locked memory has none.
  static Status create(const std::string& name, uint64_t bytes, uint64_t granularity, MemoryLedger& ledger,
                       std::unique_ptr<Arena>& arena,
                       devrt::checks::MemoryKind kind = devrt::checks::MemoryKind::kDevice,
                       std::optional<size_t> device = std::nullopt);
  ~Arena() override;

  Status allocate(size_t bytes, void** pointer);
  Status release(void* pointer);  // kInvalidValue when no allocation begins there
  void releaseAll();

  uint64_t usedBytes() const;
  uint64_t freeBytes() const;  // of the arena, other processes' use taken off; the machine may have less
  uint64_t keptBytes() const;  // free, but still reserved with the ledger
  uint64_t size() const { return ranges_->size(); }
  const std::byte* base() const { return base_; }
  // For mapping by other processes: the memory, size() bytes, and kTailBytes that are
  // not the arena's.
  int fileDescriptor() const { return file_.get(); }
  static constexpr uint64_t kTailBytes = 1 << 20;
  uint64_t offsetOf(const void* pointer) const {
    return static_cast<uint64_t>(static_cast<const std::byte*>(pointer) - base_);
  }

  uint64_t touchedBytes() const override;
  void trim() override;

  // The blocks of kHugePage within a range, of whichever arena has it, that makeHuge() is still due for. They
  // count as done now.
  static std::vector<std::byte*> takeFresh(const void* begin, uint64_t bytes);

 private:
  Arena(std::string name, UniqueFd file, std::byte* base, uint64_t bytes, uint64_t granularity,
        MemoryLedger& ledger, devrt::checks::MemoryKind kind, std::optional<size_t> device);
  bool claim(uint64_t bytes);
  void unclaim(uint64_t bytes);
  bool tryAllocate(uint64_t bytes, uint64_t alignment, void** pointer);
  // `fresh`: parts of it that should get huge pages.
  bool place(uint64_t bytes, uint64_t alignment, void** pointer, std::vector<HugeBlocks::Run>& fresh);
  void discard(uint64_t offset, uint64_t size);
  Status releaseNow(void* pointer);
  Status quarantine(void* pointer);
  void emptyQuarantine(uint64_t downTo);

  const std::string name_;
  const UniqueFd file_;
  std::byte* const base_;
  const uint64_t granularity_;
  MemoryLedger& ledger_;
  const std::optional<size_t> device_;  // without a value: no other process shares it
  mutable std::mutex mutex_;
  std::unique_ptr<RangeAllocator> ranges_;
  HugeBlocks huge_;
  // In checked programs, what was released is kept out of use for a while, so that
  // late accesses do not hit somebody else's memory.
  const devrt::checks::MemoryKind kind_;
  std::deque<void*> quarantine_;
  uint64_t quarantinedBytes_ = 0;
};

}  // namespace musashim::backend::cpu
