// The buffers of ranks of other processes: their allocations, mapped once and kept.
#include <musa_runtime_api.h>

#include <cstring>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mccl/core/log.h"
#include "mccl/runtime/attendant.h"
#include "mccl/runtime/export.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

class MappedAddresses final : public AddressBook {
 public:
  explicit MappedAddresses(const Roster& roster)
      : limit_(64 + 8 * roster.ranks.size()), device_(firstLocalDevice(roster)) {
    for (size_t rank = 0; rank < roster.ranks.size(); ++rank)
      isLocal_.push_back(roster.isLocal(static_cast<int>(rank)));
  }

  ~MappedAddresses() override {
    for (const Mapping& mapping : mappings_) close(mapping.base);
  }

  void* find(int rank, const Buffer& buffer) override {
    if (isLocal_[static_cast<size_t>(rank)]) return buffer.pointer;
    if (!buffer.exported) return nullptr;
    const std::string_view key(buffer.handle, sizeof buffer.handle);
    std::lock_guard lock(mutex_);
    if (const auto found = byHandle_.find(key); found != byHandle_.end()) {
      mappings_.splice(mappings_.begin(), mappings_, found->second);  // most recently used first
      return static_cast<char*>(found->second->base) + buffer.offset;
    }
    void* base = open(buffer);
    if (!base) return nullptr;
    mappings_.push_front({std::string(key), base});
    byHandle_.emplace(mappings_.front().key, mappings_.begin());
    if (mappings_.size() > limit_) dropOldest();
    return static_cast<char*>(base) + buffer.offset;
  }

 private:
  struct Mapping {
    std::string key;
    void* base;
  };

  static int firstLocalDevice(const Roster& roster) {
    for (size_t rank = 0; rank < roster.ranks.size(); ++rank) {
      if (roster.isLocal(static_cast<int>(rank))) return roster.ranks[rank].device;
    }
    return 0;
  }

  void* open(const Buffer& buffer) const {
    void* base = nullptr;
    Attendant::run([&] {
      musaIpcMemHandle_t handle;
      std::memcpy(&handle, buffer.handle, sizeof handle);
      DeviceScope scope(device_);
      (void)checkMusa(musaIpcOpenMemHandle(&base, handle, musaIpcMemLazyEnablePeerAccess),
                      "musaIpcOpenMemHandle");
    });
    return base;
  }

  static void close(void* base) {
    Attendant::post(Attendant::kCleanUp, [base] { (void)musaIpcCloseMemHandle(base); });
  }

  // Work that runs now has looked its buffers up a short while ago: they are not among the oldest.
  void dropOldest() {
    byHandle_.erase(mappings_.back().key);
    close(mappings_.back().base);
    mappings_.pop_back();
  }

  std::vector<bool> isLocal_;  // by rank: of this process
  const size_t limit_;
  const int device_;
  std::mutex mutex_;
  std::list<Mapping> mappings_;
  std::unordered_map<std::string_view, std::list<Mapping>::iterator> byHandle_;  // keys of mappings_
};

}  // namespace

std::unique_ptr<AddressBook> makeMappedAddresses(const Roster& roster) {
  return std::make_unique<MappedAddresses>(roster);
}

}  // namespace musashim::mccl
