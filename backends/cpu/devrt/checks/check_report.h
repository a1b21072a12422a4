// Reports of checked device code, in compute-sanitizer's form, on stderr.
//
//   MUSASHIM_CHECK_LIMIT=N   reports printed per kernel launch (default 100)
//   MUSASHIM_CHECK_EXIT=N    exit status of the process when there were errors
//   MUSASHIM_CHECK_LEAKS=1   device memory that is never freed is an error
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "abi/musa_check_abi.h"
#include "abi/musa_device_abi.h"

namespace musashim::devrt::checks {

// "f(int*) in a.mu:12"
std::string placeText(const MusaCheckSite& site);
std::string indexText(const MusaDim3& index);  // "(1,0,0)"
std::string demangled(const char* name);

// One of two accesses that race.
struct RaceSide {
  const MusaCheckSite* site = nullptr;
  const char* action = "";  // "Write", "Read", "Atomic"
  MusaDim3 thread{0, 0, 0};
};
struct Race {
  const char* hazard = "";  // "RAW", "WAR", "WAW"
  RaceSide first, second;
  MusaDim3 block{0, 0, 0};
  uint64_t offset = 0;  // in shared memory
  // Why it is a warning only, for the report; null: an error. What is one is as compute-sanitizer has it
  // (CUDA 13.0 on an H200: threads of one warp are warned of, a plain access beside an atomic is not even
  // that).
  const char* excuse = nullptr;
};

// The reports of one kernel launch. Blocks report from several threads at once.
class LaunchReports {
 public:
  explicit LaunchReports(std::string kernel) : kernel_(std::move(kernel)) {}
  ~LaunchReports();  // prints the races

  // An error: the first line and those that follow, each without the prefix.
  void error(const std::string& title, const std::vector<std::string>& lines);
  // The same, once for each `key`.
  void errorOnce(const void* key, const std::string& title, const std::vector<std::string>& lines);
  // Races are told once for each pair of places, with their number, at the end.
  void race(const Race& race);

 private:
  struct RaceCount {
    Race first;
    uint64_t hazards = 0;
  };
  void print(const std::string& title, const std::vector<std::string>& lines);
  void printRace(const RaceCount& count);

  const std::string kernel_;
  std::mutex mutex_;
  uint32_t printed_ = 0;
  std::map<const void*, uint64_t> once_;
  std::map<std::tuple<const void*, const void*, std::string>, RaceCount> races_;
};

// Arranges the summary and the exit status. Once per process.
void reportAtExit();

}  // namespace musashim::devrt::checks
