// Which allocations of a device other processes may open: a table behind the device's
// memory, in the same file.
//
//   file of an arena:  [ memory ........................ | ExportPage ]
//                        ^ offset, bytes of an entry        ^ found through a ticket
//
// A ticket names an entry and its generation, so that one for memory freed since is
// known as stale.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "cpu/process/peer_file.h"
#include "interface/sharing.h"

namespace musashim::backend::cpu {

struct ExportEntry {
  std::atomic<uint64_t> generation{0};  // odd while the allocation may be opened
  uint64_t offset = 0, bytes = 0;
  uint64_t reserved = 0;
};

// Lies in the file; zero bytes are an empty one.
struct ExportPage {
  static constexpr uint64_t kMagic = 0x31545058456d6173ull;
  static constexpr uint32_t kEntries = 16383;

  std::atomic<uint64_t> magic;
  uint64_t key;
  uint64_t device;
  uint64_t reserved;
  ExportEntry entries[kEntries];
};

// What a ShareTicket for memory holds.
struct MemoryTicket {
  static constexpr uint32_t kMagic = 0x4d74536d;

  uint32_t magic = kMagic;
  uint32_t entry = 0;
  PeerFileName file;
  uint64_t pageOffset = 0;  // of the ExportPage in the file
  uint64_t key = 0;
  uint64_t generation = 0;
};
static_assert(sizeof(MemoryTicket) <= sizeof(ShareTicket));

// The exporting side.
class ExportTable {
 public:
  static constexpr uint64_t kBytes = sizeof(ExportPage);

  // `fd` outlives the table; its last kBytes from `pageOffset` on are the table's.
  ExportTable(int fd, uint64_t pageOffset, size_t device)
      : fd_(fd), pageOffset_(pageOffset), device_(device) {}
  ~ExportTable();
  ExportTable(const ExportTable&) = delete;
  ExportTable& operator=(const ExportTable&) = delete;

  // The same ticket for the same allocation every time. kOutOfMemory when full.
  Status share(uint64_t offset, uint64_t bytes, ShareTicket& ticket);
  // The allocation at `offset` is freed; nothing when it was never shared.
  void withdraw(uint64_t offset);
  void withdrawAll();

 private:
  Status mapPage();  // with mutex_

  const int fd_;
  const uint64_t pageOffset_;
  const size_t device_;
  std::atomic<size_t> shared_{0};
  std::mutex mutex_;  // guards what follows
  ExportPage* page_ = nullptr;
  std::map<uint64_t, uint32_t> entryAt_;  // by offset
  std::vector<uint32_t> free_;
  uint32_t fresh_ = 0;
};

}  // namespace musashim::backend::cpu
