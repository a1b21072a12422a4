// The checks of the block that this host thread runs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abi/musa_check_abi.h"
#include "cpu/devrt/check_memory.h"
#include "cpu/devrt/check_race.h"
#include "cpu/devrt/check_report.h"
#include "cpu/devrt/warp_record.h"

namespace musashim::devrt {
class BlockFibers;
}

namespace musashim::devrt::checks {

class BlockChecks {
 public:
  explicit BlockChecks(BlockFibers& fibers) : fibers_(fibers) {}

  // The checks of the block that runs on this host thread, or null.
  static BlockChecks* current();
  static void setCurrent(BlockChecks* checks);  // where blocks take turns

  void beginBlock(const MusaBlockContext& block, uint32_t threads);
  void endBlock();
  // True when a thread of the block was ended for what it did.
  bool hasFailed() const { return failed_; }

  // What the current thread is about to do. False: it was reported, and the thread
  // must end instead (endThread()); no object may be alive then that needs destruction.
  bool access(uintptr_t address, const MusaCheckSite& site);
  bool store(uintptr_t address, const MusaCheckSite& site, uint64_t value, bool known);
  bool range(uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  bool atWarpOperation(const MusaCheckSite& site, uint32_t mask);
  [[noreturn]] void endThread();

  void atBarrier(const MusaCheckSite& site);
  void reportOutOfVariable(uintptr_t address, uintptr_t base, const MusaCheckSite& site);
  void reportFree(uintptr_t address, bool freedBefore, const MusaCheckSite& site);

  // From the scheduler of fibers:
  void barrierComplete();  // everybody who takes part waits, the last one calls
  void warpOperationComplete(const WarpRecord& record);
  void deadlocked();

 private:
  struct CacheLine {
    Allocation* allocation = nullptr;
    uint64_t generation = 0;
  };
  // A group of threads in one situation.
  struct Gathering {
    const MusaCheckSite* site = nullptr;  // null: they have ended
    uint32_t threads = 0;
    uint32_t first = 0;
  };

  void order(uintptr_t address, const MusaCheckSite& site);
  bool isShared(uintptr_t address) const { return address - sharedBase_ < sharedBytes_; }
  bool isParameter(uintptr_t address, uint64_t bytes) const;
  Allocation* findAllocation(uintptr_t address, const MusaCheckSite& site);
  bool isOwnStack(uintptr_t address) const;
  bool check(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue);
  bool checkMemory(uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  void checkWritten(Allocation& allocation, uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  bool checkShared(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue);
  void checkRace(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue);
  bool checkAlignment(uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  void reportRace(const RaceShadow::Hazard& hazard, size_t word, const MusaCheckSite& site, bool sameValue);
  const char* excuseOf(const RaceShadow::Access& earlier, const MusaCheckSite& site, bool sameValue) const;

  const char* spaceOf(uintptr_t address, const MusaCheckSite& site) const;
  std::vector<std::string> where(const MusaCheckSite& site) const;
  // Always false, as the callers' results.
  bool invalid(uintptr_t address, uint64_t bytes, const MusaCheckSite& site,
               const std::vector<std::string>& why);
  bool outOfBounds(uintptr_t address, uint64_t bytes, const MusaCheckSite& site);
  std::vector<std::string> whyOutOfBounds(uintptr_t address, uint64_t bytes) const;
  std::vector<std::string> whyOutOfShared(uintptr_t address, uint64_t bytes) const;
  template <typename SiteOf>
  std::vector<Gathering> gather(SiteOf siteOf) const;
  std::vector<std::string> describe(const std::vector<Gathering>& gatherings) const;

  MusaDim3 threadIndex(uint32_t thread) const;
  uint32_t currentThread() const;

  BlockFibers& fibers_;
  const MusaBlockContext* block_ = nullptr;
  LaunchReports* reports_ = nullptr;
  uint32_t threads_ = 0;
  bool failed_ = false;
  uintptr_t sharedBase_ = 0, paramsBase_ = 0;
  size_t sharedBytes_ = 0, paramsBytes_ = 0;
  std::vector<const MusaCheckSite*> sites_;  // per thread: where it waits or waited last
  std::vector<bool> endedByUs_;
  std::array<CacheLine, 64> cache_;
  RaceShadow race_;
};

}  // namespace musashim::devrt::checks
