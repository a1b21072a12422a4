// The checks of the block that this host thread runs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abi/musa_check_abi.h"
#include "abi/musa_device_abi.h"
#include "cpu/devrt/checks/check_memory.h"
#include "cpu/devrt/checks/check_race.h"
#include "cpu/devrt/checks/check_report.h"

namespace musashim::devrt::checks {

// __musa_check_state where no block is checked.
extern const MusaCheckState kIdle;
// The place of threads that have ended.
extern const MusaCheckSite kEnded;

// Of launches whose threads were reported.
inline constexpr const char* kFailed = "threads made invalid accesses; see the reports above";

// What a thread accesses whose access was invalid goes to memory that is nobody's, and nothing of it is
// looked at: it is as if the thread had ended, but that it still comes to where others wait for it.
class BlockChecks {
 public:
  // The checks of the block that runs on this host thread, or null.
  static BlockChecks* current() { return static_cast<BlockChecks*>(__musa_check_state.owner); }

  // Fills __musa_check_state.
  void beginBlock(const MusaBlockContext& block);
  // True when a thread of the block did what it must not.
  bool hasFailed() const { return failed_; }

  // What a thread is about to do; see musa_check_abi.h.
  void* access(void* address, const MusaCheckSite& site, uint32_t slot, uint32_t thread, uint64_t value,
               bool known);
  void* shared(void* address, const MusaCheckSite& site, uint32_t thread);
  void race(uintptr_t address, const MusaCheckSite& site, uint32_t thread, uint64_t value, bool known);
  uint64_t range(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, uint32_t thread);
  void* outOfVariable(uintptr_t address, uintptr_t base, const MusaCheckSite& site, uint32_t thread);
  void reportFree(uintptr_t address, bool freedBefore, const MusaCheckSite& site, uint32_t thread);

  // Waits: check_sync.cpp. `left`: a thread has ended.
  void barrierComplete();
  uint32_t warpOperation(const MusaCheckSite& site, uint32_t mask, uint32_t thread);
  void left();
  void metAtBarrier(const std::vector<uint16_t>& threads);  // of a number
  void deadlocked();                                        // from whoever runs the block: nobody can go on

 private:
  // A group of threads in one situation.
  struct Gathering {
    const MusaCheckSite* site = nullptr;
    uint32_t threads = 0;
    uint32_t first = 0;
  };
  // Threads of a warp that are at a warp operation.
  struct Meeting {
    uint32_t first = 0, lanes = 0;  // of the block's threads: those that it is about
    uint32_t mask = 0;              // which of each 32
    bool orders = false;            // what they access
    uint32_t caller = 0;            // the first of those who have come, and where
    const MusaCheckSite* site = nullptr;
    std::array<uint32_t, 4> arrived{};
    bool has(uint32_t lane) const { return (arrived[lane / 32] >> (lane % 32) & 1) != 0; }
    bool names(uint32_t lane) const { return (mask >> (lane % 32) & 1) != 0; }
  };

  bool isShared(uintptr_t address) const { return address - sharedBase_ < sharedBytes_; }
  bool isParameter(uintptr_t address, uint64_t bytes) const;
  static bool isOwnStack(uintptr_t address);
  static bool isStack(uintptr_t address);
  bool isDead(uint32_t thread) const { return dead_[thread]; }
  // The thread must not go on, but it will; returns where it may access.
  void* die(uint32_t thread);
  void* refuse();

  // False: it was reported.
  bool check(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, uint32_t slot);
  bool checkMemory(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, uint32_t slot);
  void fillEntry(Allocation& allocation, uint64_t generation, uint32_t slot);
  void checkWritten(Allocation& allocation, uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  bool checkShared(uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  bool checkAlignment(uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  bool storesTheSame(uintptr_t address, const MusaCheckSite& site, uint64_t value, bool known) const;
  void checkRace(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue);
  void order(uintptr_t address, const MusaCheckSite& site);
  void reportRace(const RaceShadow::Hazard& hazard, size_t word, const MusaCheckSite& site, bool sameValue);
  const char* excuseOf(const RaceShadow::Access& earlier, const MusaCheckSite& site, bool sameValue) const;

  Meeting& meetingOf(const MusaCheckSite& site, uint32_t mask, uint32_t thread);
  bool isComplete(const Meeting& meeting) const;
  void finish(Meeting& meeting);
  void conclude(const Meeting& meeting);
  void completeWith(uint32_t thread);
  bool hasLeft(uint32_t thread) const { return places_[thread] == &kEnded; }

  const char* spaceOf(uintptr_t address, const MusaCheckSite& site) const;
  std::string byThread(uint32_t thread) const;
  std::vector<std::string> where(const MusaCheckSite& site) const;
  // Always false, as the callers' results.
  bool invalid(uintptr_t address, uint64_t bytes, const MusaCheckSite& site,
               const std::vector<std::string>& why);
  bool outOfBounds(uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  std::vector<std::string> whyOutOfShared(uintptr_t address, uint64_t bytes) const;
  static std::vector<std::string> whyOutOfBounds(uintptr_t address, uint64_t bytes);
  std::vector<Gathering> gather() const;
  std::vector<std::string> describe(const std::vector<Gathering>& gatherings) const;

  MusaDim3 threadIndex(uint32_t thread) const;

  const MusaBlockContext* block_ = nullptr;
  LaunchReports* reports_ = nullptr;
  uint32_t threads_ = 0;
  uint32_t thread_ = 0;  // that is being looked at
  bool failed_ = false;
  uint32_t refused_ = 0;  // accesses of dead threads
  uintptr_t sharedBase_ = 0, paramsBase_ = 0;
  size_t sharedBytes_ = 0, paramsBytes_ = 0;
  std::vector<const MusaCheckSite*> places_;
  std::vector<bool> dead_;
  std::vector<Meeting> meetings_;
  std::array<MusaCheckEntry, MUSA_CHECK_ENTRIES> entries_{};
  RaceShadow race_;
  // Where dead threads access. Not the host thread's own: the loader has room for little of that.
  alignas(64) std::array<char, MUSA_CHECK_LARGEST_ACCESS> nowhere_{};
};

// Those of a host thread: one for each block that is in progress there.
class BlockChecksPool {
 public:
  BlockChecks& take();
  void give(BlockChecks& checks);
  void reset();  // after blocks were abandoned: all are free, and none is current

 private:
  std::vector<std::unique_ptr<BlockChecks>> all_;
  std::vector<BlockChecks*> spare_;
};

}  // namespace musashim::devrt::checks
