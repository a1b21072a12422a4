// Barriers and warp operations of checked kernels: who is missing, and where it is.
#include <fmt/core.h>

#include <algorithm>

#include "cpu/devrt/block_fibers.h"
#include "cpu/devrt/check_block.h"

namespace musashim::devrt::checks {

namespace {

// A thread that has ended, for gather().
const MusaCheckSite kEnded{};

}  // namespace

void BlockChecks::atBarrier(const MusaCheckSite& site) { sites_[currentThread()] = &site; }

bool BlockChecks::atWarpOperation(const MusaCheckSite& site, uint32_t mask) {
  const uint32_t thread = currentThread();
  sites_[thread] = &site;
  const uint32_t lane = thread % block_->warp_size % 32;
  if ((mask >> lane & 1) || !(site.checks & MUSA_CHECK_SYNC)) return true;
  std::vector<std::string> lines = where(site);
  lines.push_back(fmt::format("The mask {:#010x} does not name the calling lane {}", mask, lane));
  reports_->error("Barrier error detected. Invalid arguments.", lines);
  return false;
}

// Threads by where `siteOf(thread)` says they are; null leaves a thread out.
template <typename SiteOf>
std::vector<BlockChecks::Gathering> BlockChecks::gather(SiteOf siteOf) const {
  std::vector<Gathering> gatherings;
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    const MusaCheckSite* site = siteOf(thread);
    if (!site) continue;
    auto known = std::find_if(gatherings.begin(), gatherings.end(),
                              [site](const Gathering& gathering) { return gathering.site == site; });
    if (known == gatherings.end()) {
      gatherings.push_back({site, 1, thread});
    } else {
      ++known->threads;
    }
  }
  return gatherings;
}

std::vector<std::string> BlockChecks::describe(const std::vector<Gathering>& gatherings) const {
  std::vector<std::string> lines;
  for (const Gathering& gathering : gatherings) {
    std::string who = "Thread " + indexText(threadIndex(gathering.first));
    if (gathering.threads > 1) who += fmt::format(" and {} more", gathering.threads - 1);
    const bool one = gathering.threads == 1;
    if (gathering.site == &kEnded) {
      lines.push_back(who + (one ? " has exited" : " have exited"));
    } else {
      lines.push_back(who + (one ? " waits at " : " wait at ") + placeText(*gathering.site));
    }
  }
  return lines;
}

void BlockChecks::barrierComplete() {
  race_.barrier();
  if (!(enabled.load(std::memory_order_relaxed) & MUSA_CHECK_SYNC)) return;
  const std::vector<Gathering> gatherings = gather([this](uint32_t thread) -> const MusaCheckSite* {
    if (!fibers_.isLive(thread)) return endedByUs_[thread] ? nullptr : &kEnded;
    return sites_[thread];
  });
  if (gatherings.size() < 2) return;
  const Gathering& waiting = gatherings[gatherings.front().site == &kEnded];
  std::vector<std::string> lines{
      "at " + placeText(*waiting.site),
      fmt::format("by thread {} in block {}", indexText(threadIndex(waiting.first)),
                  indexText(block_->block_idx))};
  for (std::string& line : describe(gatherings)) lines.push_back(std::move(line));
  reports_->errorOnce(waiting.site, "Barrier error detected. Divergent thread(s) in block.", lines);
}

void BlockChecks::warpOperationComplete(const WarpRecord& record) {
  std::vector<uint16_t> synchronized;
  std::vector<std::string> ended;
  const MusaCheckSite* site = nullptr;
  uint32_t caller = 0;
  for (uint32_t lane = 0; lane < record.lanes && record.first + lane < threads_; ++lane) {
    const uint32_t thread = record.first + lane;
    if (record.has(lane)) {
      const MusaCheckSite* here = sites_[thread];
      if (!site) caller = thread;
      if (!site) site = here;
      if (here && here->kind == MUSA_SITE_SYNCWARP) synchronized.push_back(static_cast<uint16_t>(thread));
    } else if ((record.mask >> (lane % 32) & 1) && !fibers_.isLive(thread) && !endedByUs_[thread]) {
      ended.push_back(fmt::format("Thread {} (lane {}) has exited", indexText(threadIndex(thread)), lane));
    }
  }
  if ((enabled.load(std::memory_order_relaxed) & MUSA_CHECK_RACE) && synchronized.size() > 1) {
    race_.syncWarp(synchronized);
  }
  if (ended.empty() || !site || !(site->checks & MUSA_CHECK_SYNC)) return;
  std::vector<std::string> lines{
      "at " + placeText(*site),
      fmt::format("by thread {} in block {}", indexText(threadIndex(caller)), indexText(block_->block_idx)),
      fmt::format("The mask {:#010x} names threads that have exited", record.mask)};
  constexpr size_t kShown = 4;
  if (ended.size() > kShown) {
    ended[kShown - 1] = fmt::format("and {} more", ended.size() - kShown + 1);
    ended.resize(kShown);
  }
  lines.insert(lines.end(), ended.begin(), ended.end());
  reports_->errorOnce(site, "Barrier error detected. Divergent thread(s) in warp.", lines);
}

void BlockChecks::deadlocked() {
  if (!(enabled.load(std::memory_order_relaxed) & MUSA_CHECK_SYNC)) return;
  const std::vector<Gathering> gatherings = gather([this](uint32_t thread) -> const MusaCheckSite* {
    if (!fibers_.isLive(thread)) return endedByUs_[thread] ? nullptr : &kEnded;
    return sites_[thread];
  });
  std::vector<std::string> lines;
  for (const Gathering& gathering : gatherings) {
    if (gathering.site == &kEnded) continue;
    lines = {"at " + placeText(*gathering.site),
             fmt::format("by thread {} in block {}", indexText(threadIndex(gathering.first)),
                         indexText(block_->block_idx))};
    break;
  }
  for (std::string& line : describe(gatherings)) lines.push_back(std::move(line));
  reports_->error("Barrier error detected. Threads of the block wait for each other for ever.", lines);
}

}  // namespace musashim::devrt::checks
