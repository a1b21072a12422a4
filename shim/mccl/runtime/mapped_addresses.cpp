// The buffers of ranks of other processes: their allocations, mapped once and kept.
#include <musa_runtime_api.h>

#include <array>
#include <cstring>
#include <list>
#include <mutex>
#include <span>
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
    if (isLocal(rank)) return buffer.pointer;
    if (!buffer.exported) return nullptr;
    if (void* address = lookUp(buffer)) return address;
    reach(std::array{Wanted{rank, &buffer}});
    return lookUp(buffer);
  }

  // Who waits for the attendant loses more time than the attendant needs.
  void reach(std::span<const Wanted> wanted) override {
    std::vector<const Buffer*> missing;
    for (const Wanted& one : wanted) {
      if (!isLocal(one.rank) && one.buffer->exported && !lookUp(*one.buffer)) missing.push_back(one.buffer);
    }
    if (missing.empty()) return;
    Attendant::run([&] {
      DeviceScope scope(device_);
      for (const Buffer* buffer : missing) open(*buffer);
    });
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

  static std::string_view keyOf(const Buffer& buffer) { return {buffer.handle, sizeof buffer.handle}; }
  bool isLocal(int rank) const { return isLocal_[static_cast<size_t>(rank)]; }

  // Null when it is not mapped.
  void* lookUp(const Buffer& buffer) {
    std::lock_guard lock(mutex_);
    const auto found = byHandle_.find(keyOf(buffer));
    if (found == byHandle_.end()) return nullptr;
    mappings_.splice(mappings_.begin(), mappings_, found->second);  // most recently used first
    return static_cast<char*>(found->second->base) + buffer.offset;
  }

  // By the attendant.
  void open(const Buffer& buffer) {
    if (lookUp(buffer)) return;  // several buffers may lie in one allocation
    musaIpcMemHandle_t handle;
    std::memcpy(&handle, buffer.handle, sizeof handle);
    void* base = nullptr;
    (void)checkMusa(musaIpcOpenMemHandle(&base, handle, musaIpcMemLazyEnablePeerAccess),
                    "musaIpcOpenMemHandle");
    if (!base) return;
    std::lock_guard lock(mutex_);
    mappings_.push_front({std::string(keyOf(buffer)), base});
    byHandle_.emplace(mappings_.front().key, mappings_.begin());
    if (mappings_.size() > limit_) dropOldest();
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
