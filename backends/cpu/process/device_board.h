// What every process of the user has of the emulated devices: memory, and kernels that run.
//
// The board is a file in memory that all of them have mapped; each owns one slot of it,
// and a lock on the slot's byte of the file as long as it lives. So whatever ends a
// process, the others find its lock free and clear its slot. A process finds the board
// by the others' sockets, which have names (in the abstract namespace, where nothing
// remains of a closed one) that say where to open it:
//
//   musashim1/<user>/<process namespace>/<machine>/<process>/<descriptor>/<devices>
//
// The last process that ends takes the board with it. A process that cannot take part
// (no sockets, no /proc) is alone.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cpu/process/peer_file.h"
#include "interface/monitor.h"

namespace musashim::backend::cpu {

class DeviceBoard final : public Monitor {
 public:
  static constexpr size_t kDevices = 64;
  static constexpr size_t kProcesses = 256;
  static constexpr size_t kFiles = 1000;  // of a process; more count as untouched
  static constexpr size_t kQueues = 512;  // of a process; what runs on more is not seen

  // The board of `machine`, a word that says which devices are shared; empty: alone. `devices`: how many this
  // process has of them, for tools.
  static std::unique_ptr<DeviceBoard> join(const std::string& machine, size_t devices);
  ~DeviceBoard() override;
  DeviceBoard(const DeviceBoard&) = delete;
  DeviceBoard& operator=(const DeviceBoard&) = delete;

  // Counts `bytes` of `device` as this process's; false when all processes together would
  // then have more than `total`.
  bool claim(size_t device, uint64_t bytes, uint64_t total);
  void release(size_t device, uint64_t bytes);
  uint64_t usedByAll(size_t device);

  // This process has contexts on the device, or none any more.
  void setPresent(size_t device, bool present);
  // The device is lost to this process.
  void setLost(size_t device) { own_->lost.fetch_or(uint64_t{1} << device); }
  // Where this process's queue number `queue` says on which device it runs a kernel: its number plus 1, or 0.
  // The place is the queue's alone, so telling costs as much as a store to memory of one's own.
  std::atomic<uint32_t>& runningOn(size_t queue);

  // The boards of this user's running processes.
  static std::vector<RunningMachine> running();

  std::vector<ProcessUse> processesOn(size_t device) override;
  uint64_t usedBytes(size_t device) override { return usedByAll(device); }
  uint64_t runningDevices() override;
  uint64_t lostDevices() override;
  const char* runningKernel() override;

  // How much this process has promised to its allocations, and the files that what is
  // touched of it lies in.
  void setReserved(uint64_t bytes) { own_->reserved.store(bytes, std::memory_order_relaxed); }
  void addFile(int fd);
  void removeFile(int fd);
  // What the others may still touch.
  uint64_t debtOfOthers();

  size_t processes();  // that live, this one included

 private:
  struct Slot {
    std::atomic<uint32_t> taken;
    std::atomic<int32_t> process;
    std::atomic<uint64_t> reserved;
    std::array<std::atomic<uint64_t>, kDevices> used;
    std::array<std::atomic<int32_t>, kFiles> files;  // descriptors, plus 1
    std::atomic<uint64_t> present, lost;             // a bit for each device
    std::atomic<uint32_t> queues;                    // how many of what follows were ever used
    struct alignas(64) Queue {
      std::atomic<uint32_t> device;
    };
    std::array<Queue, kQueues> running;
    void clear();
  };
  struct Page {
    std::atomic<uint32_t> highest;  // slots ever taken
    Slot slots[kProcesses];
  };

  DeviceBoard() = default;
  bool attach(const std::string& prefix, size_t devices);
  bool takeSlot();
  void clearDead();
  uint64_t used(size_t device) const;  // by all
  uint64_t debtOf(const Slot& slot) const;
  template <class Visit>
  void forEachSlot(Visit&& visit) const;

  UniqueFd file_, socket_;
  Page* page_ = nullptr;  // null: alone
  Slot* own_ = nullptr;
  size_t ownIndex_ = 0;
  std::unique_ptr<Slot> alone_;
  std::atomic<uint32_t> unseen_{0};  // of queues that have no place on the board
};

}  // namespace musashim::backend::cpu
