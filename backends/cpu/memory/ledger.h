// Keeps the promise that an allocation can be touched in full.
//
// Arenas commit pages on first touch, so a promise is debt: bytes reserved and not
// touched yet. A reservation is granted when the machine's available memory covers
// the debt of this process, that of the processes it shares the devices with, the new
// bytes and a reserve for everyone else.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "cpu/memory/machine_memory.h"
#include "cpu/process/device_board.h"

namespace musashim::backend::cpu {

// Something that holds reserved memory.
class MemoryHolder {
 public:
  virtual ~MemoryHolder() = default;
  virtual uint64_t touchedBytes() const = 0;  // takes no lock
  // Gives pages back that no allocation uses; calls MemoryLedger::release().
  virtual void trim() = 0;
};

class MemoryLedger {
 public:
  struct Options {
    bool overcommit = false;    // grant everything
    uint64_t reserveBytes = 0;  // left to the rest of the machine
  };
  // `board` outlives the ledger; null when no other process matters.
  MemoryLedger(MachineMemory machine, Options options, DeviceBoard* board = nullptr)
      : machine_(std::move(machine)), options_(options), board_(board) {}

  DeviceBoard* board() const { return board_; }

  bool reserve(uint64_t bytes);
  void release(uint64_t bytes);

  // What reserve() would still grant, by a look at the machine at most 0.2 s old.
  uint64_t headroom();
  // How much a holder may keep that no allocation uses: a share of the headroom, as others cannot have it
  // trimmed.
  uint64_t keepable();
  // The last so many nanoseconds went into touching memory that was granted before: a look at the machine is
  // no older for that.
  void discount(int64_t nanoseconds);

  void add(MemoryHolder* holder);
  void remove(MemoryHolder* holder);
  // Trims every holder. Must not be called with a holder's own lock held.
  void trimAll();

 private:
  void refresh();  // with mutex_ held
  void setReserved(uint64_t bytes);

  const MachineMemory machine_;
  const Options options_;
  DeviceBoard* const board_;
  // Order of locks: holdersMutex_, a holder's own, mutex_. The list of holders
  // changes under both of ours, so either is enough to read it.
  std::mutex holdersMutex_;
  std::mutex mutex_;  // guards what follows
  std::vector<MemoryHolder*> holders_;
  uint64_t reserved_ = 0;
  uint64_t credit_ = 0;      // what may be granted without looking again
  int64_t refreshedAt_ = 0;  // nanoseconds; 0 = never
};

}  // namespace musashim::backend::cpu
