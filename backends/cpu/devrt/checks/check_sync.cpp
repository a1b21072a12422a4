// Barriers and warp operations of checked kernels: who is missing, and where it is. Threads tell of their
// arrivals and their ends, whoever runs them and in whatever order; who has come is counted here.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cpu/devrt/barriers/named_barriers.h"
#include "cpu/devrt/checks/check_block.h"

namespace musashim::devrt::checks {

namespace {

constexpr uint32_t kGroup = 32;  // lanes that a mask has bits for

bool isOn(unsigned checks) { return (enabled.load(std::memory_order_relaxed) & checks) != 0; }

}  // namespace

// ---- Warp operations

uint32_t BlockChecks::warpOperation(const MusaCheckSite& site, uint32_t mask, uint32_t thread) {
  thread_ = thread;
  const uint32_t lane = thread % block_->warp_size % kGroup;
  if ((mask >> lane & 1) == 0 && isDead(thread)) return 1u << lane;
  if ((mask >> lane & 1) == 0 && (site.checks & MUSA_CHECK_SYNC) != 0) {
    std::vector<std::string> lines = where(site);
    lines.push_back(fmt::format("The mask {:#010x} does not name the calling lane {}", mask, lane));
    reports_->error("Barrier error detected. Invalid arguments.", lines);
    die(thread);
    return 1u << lane;  // alone it can go on
  }
  completeWith(thread);
  places_[thread] = &site;
  Meeting& meeting = meetingOf(site, mask, thread);
  if (thread < meeting.caller) meeting.caller = thread, meeting.site = &site;
  const uint32_t place = thread - meeting.first;
  meeting.arrived[place / kGroup] |= 1u << place % kGroup;
  if (isComplete(meeting)) finish(meeting);
  return mask;
}

BlockChecks::Meeting& BlockChecks::meetingOf(const MusaCheckSite& site, uint32_t mask, uint32_t thread) {
  const bool orders = site.kind == MUSA_SITE_SYNCWARP;
  const uint32_t lanes = orders ? block_->warp_size : kGroup;
  const uint32_t first = thread - thread % block_->warp_size % lanes;
  for (Meeting& meeting : meetings_) {
    if (meeting.first == first && meeting.mask == mask && meeting.orders == orders) return meeting;
  }
  meetings_.push_back({.first = first,
                       .lanes = std::min(lanes, threads_ - first),
                       .mask = mask,
                       .orders = orders,
                       .caller = thread,
                       .site = &site});
  __musa_check_state.meetings = static_cast<uint32_t>(meetings_.size());
  return meetings_.back();
}

bool BlockChecks::isComplete(const Meeting& meeting) const {
  for (uint32_t group = 0; group * kGroup < meeting.lanes; ++group) {
    for (uint32_t missing = meeting.mask & ~meeting.arrived[group]; missing != 0; missing &= missing - 1) {
      const uint32_t lane = group * kGroup + static_cast<uint32_t>(__builtin_ctz(missing));
      if (lane < meeting.lanes && !hasLeft(meeting.first + lane)) return false;
    }
  }
  return true;
}

// The operation is over, and the meeting is forgotten.
void BlockChecks::finish(Meeting& meeting) {
  const Meeting over = meeting;
  meeting = meetings_.back();
  meetings_.pop_back();
  __musa_check_state.meetings = static_cast<uint32_t>(meetings_.size());
  conclude(over);
}

// A thread goes on: on a warp of 128 lanes, the operation was about fewer than it seemed to be.
void BlockChecks::completeWith(uint32_t thread) {
  for (Meeting& meeting : meetings_) {
    if (thread - meeting.first >= meeting.lanes || !meeting.has(thread - meeting.first)) continue;
    finish(meeting);
    return;
  }
}

void BlockChecks::conclude(const Meeting& meeting) {
  std::vector<uint16_t> synchronized;
  std::vector<std::string> ended;
  for (uint32_t lane = 0; lane < meeting.lanes; ++lane) {
    const uint32_t thread = meeting.first + lane;
    if (meeting.has(lane)) {
      synchronized.push_back(static_cast<uint16_t>(thread));
    } else if (meeting.names(lane) && hasLeft(thread) && !isDead(thread)) {
      ended.push_back(fmt::format("Thread {} (lane {}) has exited", indexText(threadIndex(thread)), lane));
    }
  }
  if (isOn(MUSA_CHECK_RACE) && meeting.orders && synchronized.size() > 1) race_.syncWarp(synchronized);
  const MusaCheckSite& site = *meeting.site;
  if (ended.empty() || !(site.checks & MUSA_CHECK_SYNC)) return;
  std::vector<std::string> lines{
      "at " + placeText(site), byThread(meeting.caller),
      fmt::format("The mask {:#010x} names threads that have exited", meeting.mask)};
  constexpr size_t kShown = 4;
  if (ended.size() > kShown) {
    ended[kShown - 1] = fmt::format("and {} more", ended.size() - kShown + 1);
    ended.resize(kShown);
  }
  lines.insert(lines.end(), ended.begin(), ended.end());
  reports_->errorOnce(&site, "Barrier error detected. Divergent thread(s) in warp.", lines);
}

// A thread that is still in a meeting has gone on from it, as it has come to its end.
void BlockChecks::left() {
  for (size_t at = 0; at < meetings_.size();) {
    if (isComplete(meetings_[at])) {
      finish(meetings_[at]);
    } else {
      ++at;
    }
  }
  const MusaCheckState& state = __musa_check_state;
  if (state.live > 0 && state.arrived == state.live) barrierComplete();
}

// ---- Barriers

// Threads by where they are.
std::vector<BlockChecks::Gathering> BlockChecks::gather() const {
  std::vector<Gathering> gatherings;
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    const MusaCheckSite* site = places_[thread];
    if (!site || isDead(thread)) continue;
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
  MusaCheckState& state = __musa_check_state;
  while (!meetings_.empty()) finish(meetings_.back());
  race_.barrier();
  state.epoch = race_.epoch();
  state.arrived = 0;
  const bool isPlain = std::exchange(state.mixed, 0) == 0 && state.live == threads_;
  if (isPlain || !isOn(MUSA_CHECK_SYNC)) return;
  const std::vector<Gathering> gatherings = gather();
  if (gatherings.size() < 2) return;
  const Gathering& waiting = gatherings[gatherings.front().site == &kEnded];
  std::vector<std::string> lines{"at " + placeText(*waiting.site), byThread(waiting.first)};
  for (std::string& line : describe(gatherings)) lines.push_back(std::move(line));
  reports_->errorOnce(waiting.site, "Barrier error detected. Divergent thread(s) in block.", lines);
}

void BlockChecks::metAtBarrier(const std::vector<uint16_t>& threads) {
  if (isOn(MUSA_CHECK_RACE) && threads.size() > 1) race_.meet(threads);
}

void BlockChecks::deadlocked() {
  if (!isOn(MUSA_CHECK_SYNC) || failed_) return;
  const std::vector<Gathering> gatherings = gather();
  std::vector<std::string> lines;
  for (const Gathering& gathering : gatherings) {
    if (gathering.site == &kEnded) continue;
    lines = {"at " + placeText(*gathering.site), byThread(gathering.first)};
    break;
  }
  for (std::string& line : describe(gatherings)) lines.push_back(std::move(line));
  for (std::string& line : namedBarriers().describe()) lines.push_back(std::move(line));
  reports_->error("Barrier error detected. Threads of the block wait for each other for ever.", lines);
}

}  // namespace musashim::devrt::checks
