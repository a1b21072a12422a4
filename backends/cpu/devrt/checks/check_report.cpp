#include "cpu/devrt/checks/check_report.h"

#include <cxxabi.h>
#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "cpu/devrt/checks/check_launch.h"
#include "cpu/devrt/checks/check_memory.h"

namespace musashim::devrt::checks {

namespace {

std::atomic<uint64_t> errors{0}, warnings{0};

uint64_t environmentNumber(const char* name, uint64_t otherwise) {
  const char* text = getenv(name);
  if (!text || !*text) return otherwise;
  char* end = nullptr;
  uint64_t value = strtoull(text, &end, 10);
  if (*end == '\0') return value;
  fmt::print(stderr, "========= {}={} is not a number: using {}\n", name, text, otherwise);
  return otherwise;
}

uint64_t reportLimit() {
  static const uint64_t limit = environmentNumber("MUSASHIM_CHECK_LIMIT", 100);
  return limit;
}

// Whole reports at a time: several threads print.
void printBlock(const std::string& title, const std::vector<std::string>& lines) {
  std::string text = fmt::format("========= {}\n", title);
  for (const std::string& line : lines) text += fmt::format("=========     {}\n", line);
  text += "=========\n";
  fwrite(text.data(), 1, text.size(), stderr);
}

void reportLeaks() {
  for (const auto& range : MemoryTable::instance().live(MemoryKind::kDevice)) {
    ++errors;
    printBlock(fmt::format("Leaked {} bytes at {:#x}", range.bytes, range.base), {});
  }
}

void finish() {
  if (environmentNumber("MUSASHIM_CHECK_LEAKS", 0) != 0) reportLeaks();
  uint64_t count = errors.load(), warned = warnings.load();
  std::string summary = fmt::format("========= ERROR SUMMARY: {} error{}", count, count == 1 ? "" : "s");
  if (warned > 0) summary += fmt::format(", {} warning{}", warned, warned == 1 ? "" : "s");
  fmt::print(stderr, "{}\n", summary);
  uint64_t status = environmentNumber("MUSASHIM_CHECK_EXIT", 0);
  if (count == 0 || status == 0) return;
  fflush(nullptr);
  _exit(static_cast<int>(status));
}

}  // namespace

std::string placeText(const MusaCheckSite& site) {
  return fmt::format("{} in {}:{}", site.function ? site.function : "?", site.file ? site.file : "?",
                     site.line);
}

std::string indexText(const MusaDim3& index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string demangled(const char* name) {
  int status = 0;
  char* text = ::abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  free(text);
  return result;
}

void LaunchReports::print(const std::string& title, const std::vector<std::string>& lines) {
  ++printed_;
  if (printed_ <= reportLimit()) printBlock(title, lines);
  if (printed_ == reportLimit() + 1) {
    printBlock(fmt::format("{} reports of this launch of {} were printed, further ones are only counted",
                           reportLimit(), kernel_),
               {});
  }
}

void LaunchReports::error(const std::string& title, const std::vector<std::string>& lines) {
  std::lock_guard lock(mutex_);
  ++errors;
  print(title, lines);
}

void LaunchReports::errorOnce(const void* key, const std::string& title,
                              const std::vector<std::string>& lines) {
  std::lock_guard lock(mutex_);
  if (once_[key]++ > 0) return;
  ++errors;
  print(title, lines);
}

void LaunchReports::race(const Race& race) {
  std::lock_guard lock(mutex_);
  RaceCount& count = races_[{race.first.site, race.second.site, race.hazard}];
  // The first one is shown, but rather one that does harm.
  if (count.hazards == 0 || (count.first.excuse && !race.excuse)) count.first = race;
  ++count.hazards;
}

void LaunchReports::printRace(const RaceCount& count) {
  const Race& race = count.first;
  ++(race.excuse ? warnings : errors);
  print(fmt::format("{}: Race reported between {} access at {}", race.excuse ? "Warning" : "Error",
                    race.first.action, placeText(*race.first.site)),
        {fmt::format("and {} access at {} [{} hazard{}]", race.second.action, placeText(*race.second.site),
                     count.hazards, count.hazards == 1 ? "" : "s"),
         fmt::format("Potential {} hazard detected at __shared__ {:#x} in block {} of {}", race.hazard,
                     race.offset, indexText(race.block), kernel_),
         fmt::format("{} Thread {}, {} Thread {}{}", race.first.action, indexText(race.first.thread),
                     race.second.action, indexText(race.second.thread), race.excuse ? race.excuse : "")});
}

LaunchReports::~LaunchReports() {
  for (const auto& [key, count] : races_) printRace(count);
}

LaunchReports& LaunchSlot::get(const MusaKernelInfo& kernel) {
  LaunchReports* reports = reports_.load(std::memory_order_acquire);
  if (reports) return *reports;
  auto* made = new LaunchReports(demangled(kernel.name));
  if (reports_.compare_exchange_strong(reports, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *reports;
}

void LaunchSlot::finish() {
  LaunchReports* reports = reports_.load(std::memory_order_acquire);
  if (!reports) trustAll();
  delete reports;
}

void reportAtExit() {
  static std::once_flag once;
  std::call_once(once, [] { atexit(finish); });
}

}  // namespace musashim::devrt::checks
