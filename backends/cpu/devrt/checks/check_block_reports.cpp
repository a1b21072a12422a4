// What is said of accesses that were invalid or that race.
#include <fmt/core.h>

#include <cstring>

#include "cpu/devrt/checks/check_block.h"
#include "cpu/devrt/checks/check_place.h"
#include "cpu/devrt/control.h"

namespace musashim::devrt::checks {

namespace {

bool writes(const MusaCheckSite& site) { return site.kind != MUSA_SITE_READ; }

const char* actionOf(const MusaCheckSite& site) {
  if (site.kind == MUSA_SITE_ATOMIC) return "Atomic";
  return site.kind == MUSA_SITE_WRITE ? "Write" : "Read";
}

}  // namespace

const char* BlockChecks::excuseOf(const RaceShadow::Access& earlier, const MusaCheckSite& site,
                                  bool sameValue) const {
  if (sameValue && earlier.site->kind == MUSA_SITE_WRITE) return ", both with the same value";
  if (site.kind == MUSA_SITE_ATOMIC || earlier.site->kind == MUSA_SITE_ATOMIC) return ", one of them atomic";
  const bool sameWarp = earlier.thread / block_->warp_size == thread_ / block_->warp_size;
  return sameWarp ? ", both of one warp: right where its lanes move together, which __syncwarp() ensures"
                  : nullptr;
}

void BlockChecks::reportRace(const RaceShadow::Hazard& hazard, size_t word, const MusaCheckSite& site,
                             bool sameValue) {
  if (isDead(hazard.earlier.thread)) return;
  Race race;
  race.hazard = hazard.kind;
  race.first = {hazard.earlier.site, actionOf(*hazard.earlier.site), threadIndex(hazard.earlier.thread)};
  race.second = {&site, actionOf(site), threadIndex(thread_)};
  race.block = block_->block_idx;
  race.offset = word * 4;
  race.excuse = excuseOf(hazard.earlier, site, sameValue);
  reports_->race(race);
}

std::string BlockChecks::byThread(uint32_t thread) const {
  return fmt::format("by thread {} in block {}", indexText(threadIndex(thread)),
                     indexText(block_->block_idx));
}

std::vector<std::string> BlockChecks::where(const MusaCheckSite& site) const {
  const auto& grid = *static_cast<const GridState*>(block_->grid_state);
  const std::string kernel = demangled(grid.kernel->name);
  std::vector<std::string> lines{"at " + placeText(site)};
  if (kernel != site.function) lines.push_back("in kernel " + kernel);
  lines.push_back(byThread(thread_));
  return lines;
}

const char* BlockChecks::spaceOf(uintptr_t address, const MusaCheckSite& site) const {
  constexpr uintptr_t kNear = 64 << 10;
  if (site.space == MUSA_SPACE_LOCAL || isStack(address)) return "__local__";
  const bool nearShared = sharedBytes_ > 0 && address - (sharedBase_ - kNear) < sharedBytes_ + 2 * kNear &&
                          !isDeviceRange(address);
  return site.space == MUSA_SPACE_SHARED || nearShared ? "__shared__" : "__global__";
}

bool BlockChecks::invalid(uintptr_t address, uint64_t bytes, const MusaCheckSite& site,
                          const std::vector<std::string>& why) {
  const char* action = site.kind == MUSA_SITE_ATOMIC ? "atomic" : writes(site) ? "write" : "read";
  std::vector<std::string> lines = where(site);
  lines.insert(lines.end(), why.begin(), why.end());
  reports_->error(fmt::format("Invalid {} {} of size {} bytes", spaceOf(address, site), action, bytes),
                  lines);
  return false;
}

bool BlockChecks::outOfBounds(uintptr_t address, uint64_t bytes, const MusaCheckSite& site) {
  const bool shared = strcmp(spaceOf(address, site), "__shared__") == 0;
  return invalid(address, bytes, site,
                 shared ? whyOutOfShared(address, bytes) : whyOutOfBounds(address, bytes));
}

std::vector<std::string> BlockChecks::whyOutOfShared(uintptr_t address, uint64_t bytes) const {
  return {fmt::format("Address {:#x} is out of bounds", address - sharedBase_),
          "and is " + distanceText(address, bytes, sharedBase_, sharedBytes_) +
              fmt::format(" the block's shared memory of size {} bytes", sharedBytes_)};
}

std::vector<std::string> BlockChecks::whyOutOfBounds(uintptr_t address, uint64_t bytes) {
  std::vector<std::string> lines{fmt::format("Address {:#x} is out of bounds", address)};
  if (isStack(address)) {
    lines.push_back("and is local memory of another thread");
    return lines;
  }
  for (std::string& line : describeAddress(address, bytes)) lines.push_back(std::move(line));
  return lines;
}

void* BlockChecks::outOfVariable(uintptr_t address, uintptr_t base, const MusaCheckSite& site,
                                 uint32_t thread) {
  if (isDead(thread)) return refuse();
  thread_ = thread;
  const bool shared = site.space == MUSA_SPACE_SHARED;
  const uintptr_t origin = shared ? sharedBase_ : 0;
  invalid(address, site.bytes, site,
          {fmt::format("Address {:#x} is out of bounds", address - origin),
           fmt::format("and is {} the variable '{}' at {:#x} of size {} bytes",
                       distanceText(address, site.bytes, base, site.variable_bytes),
                       site.variable ? demangled(site.variable) : "?", base - origin, site.variable_bytes)});
  return die(thread);
}

void BlockChecks::reportFree(uintptr_t address, bool freedBefore, const MusaCheckSite& site,
                             uint32_t thread) {
  if (!(site.checks & MUSA_CHECK_MEMORY) || isDead(thread)) return;
  thread_ = thread;
  std::vector<std::string> lines = where(site);
  lines.push_back(fmt::format("Address {:#x}", address));
  reports_->error(std::string("Malloc/Free error encountered: ") +
                      (freedBefore ? "Double free" : "Invalid pointer to free"),
                  lines);
}

}  // namespace musashim::devrt::checks
