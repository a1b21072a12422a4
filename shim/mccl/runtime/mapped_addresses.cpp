// The buffers of ranks of other processes: their allocations, mapped once and kept.
#include <musa_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mccl/core/log.h"
#include "mccl/runtime/attendant.h"
#include "mccl/runtime/export.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

// What names an allocation.
using Handle = std::array<char, kMemoryHandleBytes>;

Handle handleOf(const Buffer& buffer) {
  Handle handle;
  std::memcpy(handle.data(), buffer.handle, sizeof handle);
  return handle;
}

struct HandleHash {
  size_t operator()(const Handle& handle) const {
    return std::hash<std::string_view>{}({handle.data(), handle.size()});
  }
};

class MappedAddresses final : public AddressBook {
 public:
  explicit MappedAddresses(const Roster& roster)
      : limit_(64 + 8 * roster.ranks.size()), device_(firstLocalDevice(roster)) {
    for (size_t rank = 0; rank < roster.ranks.size(); ++rank)
      isLocal_.push_back(roster.isLocal(static_cast<int>(rank)));
  }

  ~MappedAddresses() override {
    for (const auto& [handle, mapping] : mappings_) close(mapping.base);
  }

  // Who waits for the attendant loses more time than the attendant needs: once for all that is missing.
  void find(std::span<const Wanted> wanted, std::span<void*> found) override {
    if (lookUp(wanted, found)) return;
    Attendant::run([&] {
      DeviceScope scope(device_);
      for (size_t i = 0; i < wanted.size(); ++i) {
        if (!found[i] && wanted[i].buffer->exported) open(*wanted[i].buffer);
      }
    });
    (void)lookUp(wanted, found);
  }

 private:
  struct Mapping {
    void* base;
    uint64_t lastUse;
  };

  using Mappings = std::unordered_map<Handle, Mapping, HandleHash>;
  using Entry = Mappings::value_type;

  static int firstLocalDevice(const Roster& roster) {
    for (size_t rank = 0; rank < roster.ranks.size(); ++rank) {
      if (roster.isLocal(static_cast<int>(rank))) return roster.ranks[rank].device;
    }
    return 0;
  }

  bool isLocal(int rank) const { return isLocal_[static_cast<size_t>(rank)]; }

  // Null for what is not mapped. Whether nothing is missing that could be.
  bool lookUp(std::span<const Wanted> wanted, std::span<void*> found) {
    bool isComplete = true;
    std::lock_guard lock(mutex_);
    ++uses_;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Buffer& buffer = *wanted[i].buffer;
      if (isLocal(wanted[i].rank)) {
        found[i] = buffer.pointer;
      } else {
        found[i] = buffer.exported ? addressOf(buffer, i) : nullptr;
        isComplete = isComplete && (found[i] || !buffer.exported);
      }
    }
    return isComplete;
  }

  // With the lock. `place`: of the buffer among those that are looked up at one go.
  void* addressOf(const Buffer& buffer, size_t place) {
    const Handle handle = handleOf(buffer);
    Entry*& recent = recent_[place % recent_.size()];
    if (!recent || recent->first != handle) {
      const auto mapping = mappings_.find(handle);
      if (mapping == mappings_.end()) return nullptr;
      recent = &*mapping;
    }
    recent->second.lastUse = uses_;
    return static_cast<char*>(recent->second.base) + buffer.offset;
  }

  bool isMapped(const Buffer& buffer) {
    std::lock_guard lock(mutex_);
    return mappings_.contains(handleOf(buffer));
  }

  // By the attendant.
  void open(const Buffer& buffer) {
    if (isMapped(buffer)) return;  // several buffers may lie in one allocation
    musaIpcMemHandle_t handle;
    std::memcpy(&handle, buffer.handle, sizeof handle);
    void* base = nullptr;
    (void)checkMusa(musaIpcOpenMemHandle(&base, handle, musaIpcMemLazyEnablePeerAccess),
                    "musaIpcOpenMemHandle");
    if (!base) return;
    std::lock_guard lock(mutex_);
    mappings_.emplace(handleOf(buffer), Mapping{base, uses_});
    if (mappings_.size() > limit_) dropOldest();
  }

  static void close(void* base) {
    Attendant::post(Attendant::kCleanUp, [base] { (void)musaIpcCloseMemHandle(base); });
  }

  // Work that runs now has looked its buffers up a short while ago: they are not among the oldest.
  void dropOldest() {
    const auto oldest =
        std::ranges::min_element(mappings_, {}, [](const auto& entry) { return entry.second.lastUse; });
    close(oldest->second.base);
    std::ranges::replace(recent_, &*oldest, nullptr);
    mappings_.erase(oldest);
  }

  std::vector<bool> isLocal_;  // by rank: of this process
  const size_t limit_;
  const int device_;
  std::mutex mutex_;   // of what follows
  uint64_t uses_ = 0;  // counted
  Mappings mappings_;
  // What was found last at each place: programs use the same buffers again and again.
  std::array<Entry*, 64> recent_{};
};

}  // namespace

std::unique_ptr<AddressBook> makeMappedAddresses(const Roster& roster) {
  return std::make_unique<MappedAddresses>(roster);
}

}  // namespace musashim::mccl
