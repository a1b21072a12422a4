#include "mtshmem/host/wait_report.h"

#include <cstdio>
#include <cstring>
#include <vector>

#include "mtshmem/host/entries.h"

namespace musashim::mtshmem {
namespace {

using mtshmemi::gState;

std::string number(uint64_t value, int width) {
  return width < 0 ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

template <typename... Values>
std::string text(const char* format, Values... values) {
  char line[256];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

// "kernel ring(int*), block [0,0,0], thread [0,0,0]" or "mtshmem_barrier_all"
std::string whoWaits(const mtshmemi_told_wait_t& wait) {
  if (wait.isOfKernel == 0) return wait.who;
  return std::string("kernel ") + wait.who +
         text(", block [%u,%u,%u], thread [%u,%u,%u]", wait.block[0], wait.block[1], wait.block[2],
              wait.thread[0], wait.thread[1], wait.thread[2]);
}

// Those of a barrier that have begun fewer than the one who waits.
std::string whoIsMissing(const mtshmemi_told_wait_t& wait, int pe) {
  const mtshmemi_team_t& team = gState.teams[wait.team];
  if (!team.valid) return text("all of team %d, of which PE %d is none", wait.team, gState.me);
  const uint64_t* const begun = &mtshmemi::head(gState.me)->begun[wait.team];
  const uint64_t turn = mtshmemi::getWord(begun, pe);
  std::string missing;
  int count = 0;
  for (int i = 0; i < team.size; ++i) {
    const int other = mtshmemi::worldPe(team, i);
    if (mtshmemi::getWord(begun, other) >= turn) continue;
    missing += (count++ > 0 ? ", " : "") + std::to_string(other);
  }
  return std::string(count == 1 ? "PE " : "PEs ") + (count > 0 ? missing : "unknown") +
         text(" at barrier %llu of team %d", static_cast<unsigned long long>(turn), wait.team);
}

std::string whatIsWanted(const mtshmemi_told_wait_t& wait) {
  static constexpr const char* kWords[] = {"==", "!=", ">", "<=", "<", ">="};
  const int width = wait.width < 0 ? -wait.width : wait.width;
  std::string what =
      wait.count > 1 ? text("%llu variables from ", static_cast<unsigned long long>(wait.count)) : "";
  what += text("%p", reinterpret_cast<void*>(wait.place));
  if (wait.offset != ~uint64_t{0})
    what += text(" (symmetric heap + %#llx)", static_cast<unsigned long long>(wait.offset));
  const bool isKnown = wait.comparison >= 0 && wait.comparison < 6;
  return what + text(" of %d bytes: is ", width) + number(wait.has, wait.width) + ", must be " +
         (isKnown ? kWords[wait.comparison] : "?") + " " + number(wait.wanted, wait.width);
}

}  // namespace

void noteValue(mtshmemi_told_wait_t& told) {
  const void* const place = reinterpret_cast<const void*>(told.place);
  uint64_t value = 0;
  switch (told.width) {
    case 2:
      value = mtshmemi::load(static_cast<const uint16_t*>(place));
      break;
    case -2:
      value = static_cast<uint64_t>(mtshmemi::load(static_cast<const int16_t*>(place)));
      break;
    case 4:
      value = mtshmemi::load(static_cast<const uint32_t*>(place));
      break;
    case -4:
      value = static_cast<uint64_t>(mtshmemi::load(static_cast<const int32_t*>(place)));
      break;
    default:
      value = mtshmemi::load(static_cast<const uint64_t*>(place));
  }
  told.has = value;
}

std::string waitReport(uint64_t now) {
  std::string report = "mtshmem: who waits for what:\n";
  std::vector<mtshmemi_told_wait_t> waits(MTSHMEMI_MAX_WAITS);
  for (int pe = 0; pe < gState.size; ++pe) {
    int told = 0;
    mtshmemi::get<mtshmemi::Host>(waits.data(), mtshmemi::head(gState.me)->waits,
                                  waits.size() * sizeof waits[0], pe);
    for (mtshmemi_told_wait_t& wait : waits) {
      if (wait.isTold != kWaitIsTold) continue;
      ++told;
      wait.who[sizeof wait.who - 1] = '\0';
      report += text("mtshmem:   PE %d: ", pe) + whoWaits(wait);
      // Hosts' clocks differ.
      if (!mtshmemi::isFar(pe) && now > wait.begun)
        report += text(", for %.1f s", static_cast<double>(now - wait.begun) * 1e-9);
      report += ": waits for " + (wait.team >= 0 ? whoIsMissing(wait, pe) : whatIsWanted(wait)) + "\n";
    }
    if (told == 0) report += text("mtshmem:   PE %d: waits for nothing of MTSHMEM's\n", pe);
    if (told == MTSHMEMI_MAX_WAITS) report += text("mtshmem:   PE %d: and perhaps for more\n", pe);
  }
  return report;
}

}  // namespace musashim::mtshmem
