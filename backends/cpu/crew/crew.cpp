#include "cpu/crew/crew.h"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "cpu/crew/block_signals.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/spin_lock.h"
#include "cpu/memory/protection_keys.h"
#include "support/processor.h"

namespace musashim::backend::cpu {

namespace {

constexpr unsigned kFan = 16;                 // whom each of the crew wakes, and an owner
constexpr int kLooks = 40;                    // one to two microseconds between two looks at the clock
constexpr int kOwnersLooks = 4000;            // before an owner sleeps until the last helper has left
constexpr int64_t kShortWatch = 20'000;       // ns
constexpr int64_t kLongWatch = 300'000;       // ns, while jobs follow each other
constexpr int64_t kClose = 100'000;           // ns between jobs, in the mean, that do
constexpr unsigned kForgets = 64;             // calls after which fewer helpers are wanted
constexpr int64_t kLongestPause = 4'000'000;  // ns; longer ones count as this

constexpr uint32_t kOpen = CrewPlace::kOpen, kOwnerSleeps = CrewPlace::kOwnerSleeps,
                   kCount = CrewPlace::kCount;

// What the calling thread helps with.
struct Seat {
  const Crew* crew = nullptr;
  const ParallelJob* job = nullptr;
  unsigned number = 0;  // those who had come before
  bool moves = false;   // to another job: parts are left
};
constinit thread_local Seat seat;

}  // namespace

Crew::Crew(unsigned processors, unsigned ofMachine, OtherWork otherWork)
    : processors_(processors), watchers_(std::min(processors, ofMachine) - 1), otherWork_(otherWork) {}

// ---- Owners

void Crew::call(ParallelJob& job, unsigned helpers) {
  helpers = std::min(helpers, processors_ - 1);
  if (helpers == 0) return;
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (used + 1 == kOtherWork) return;
  } while (!used_.compare_exchange_weak(used, used | (used + 1), std::memory_order_acq_rel));
  const auto index = static_cast<unsigned>(std::countr_one(used));
  CrewPlace& place = places_[index];
  place.job = &job;
  place.seats = helpers;
  place.ownersProcessor = sched_getcpu();
  job.place_ = &place;
  noteCall(monotonicNow(), helpers);
  place.state.fetch_or(kOpen, std::memory_order_release);
  // Sequentially consistent, as the look at who sleeps: either they see the job, or this sees them.
  open_.fetch_or(uint64_t{1} << index);
  wake(helpers, kFan);
}

void Crew::dismiss(ParallelJob& job) {
  if (job.place_ == nullptr) return;
  CrewPlace& place = *std::exchange(job.place_, nullptr);
  const uint64_t bit = uint64_t{1} << (&place - places_.data());
  if ((open_.load(std::memory_order_relaxed) & bit) != 0) open_.fetch_and(~bit);
  uint32_t state = place.state.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
  for (int looks = 0; state != 0 && looks < kOwnersLooks; ++looks) {
    cpuPause();
    state = place.state.load(std::memory_order_acquire);
  }
  while ((state & kCount) != 0) {
    if ((state & kOwnerSleeps) != 0) {
      futexWait(place.state, state);
    } else {
      place.state.compare_exchange_strong(state, state | kOwnerSleeps);
    }
    state = place.state.load(std::memory_order_acquire);
  }
  place.state.fetch_and(~kOwnerSleeps, std::memory_order_relaxed);
  if ((open_.load(std::memory_order_relaxed) & bit) != 0) open_.fetch_and(~bit);
  used_.fetch_and(~bit, std::memory_order_acq_rel);
  lastEnd_.store(monotonicNow(), std::memory_order_relaxed);
  // This owner's processor may be of use to another's job.
  if ((open_.load() & ~kOtherWork) != 0) wake(processors_ - 1, 1);
}

unsigned Crew::helpersOf(const ParallelJob& job) const {
  return job.place_ == nullptr ? 0 : job.place_->came();
}

unsigned Crew::awake() const {
  const unsigned members = members_.load(std::memory_order_relaxed);
  return members - std::min(members, asleep_.load(std::memory_order_relaxed));
}

void Crew::tellOfOtherWork() {
  if (awake() > 0 && (open_.load(std::memory_order_relaxed) & kOtherWork) == 0) open_.fetch_or(kOtherWork);
}

void Crew::noteCall(int64_t now, unsigned helpers) {
  const unsigned wanted = wanted_.load(std::memory_order_relaxed);
  const unsigned less = wanted - (wanted + kForgets - 1) / kForgets;
  if (helpers != wanted) wanted_.store(std::max(helpers, less), std::memory_order_relaxed);
  const int64_t pause = std::clamp<int64_t>(now - lastEnd_.load(std::memory_order_relaxed), 0, kLongestPause);
  const int64_t mean = pause_.load(std::memory_order_relaxed);
  pause_.store(mean + (pause - mean) / 8, std::memory_order_relaxed);
}

// ---- Who computes

unsigned Crew::jobs() const {
  return static_cast<unsigned>(std::popcount(used_.load(std::memory_order_relaxed)));
}

unsigned Crew::computing() const {
  unsigned threads = 0;
  for (uint64_t used = used_.load(std::memory_order_relaxed); used != 0; used &= used - 1) {
    threads += 1 + places_[static_cast<unsigned>(std::countr_zero(used))].came();
  }
  return threads;
}

// Helpers that a job may have in any case.
unsigned Crew::fairShare(unsigned jobs) const { return std::max(1u, processors_ / std::max(1u, jobs)) - 1; }

bool Crew::shouldMove(const ParallelJob& job) {
  if (seat.job != &job) return false;
  const Crew& crew = *seat.crew;
  const unsigned jobs = crew.jobs();
  seat.moves = jobs > 1 && seat.number >= crew.fairShare(jobs) && crew.computing() > crew.processors_;
  return seat.moves;
}

// ---- Helpers

void Crew::startMember(Crew& crew) {
  prctl(PR_SET_NAME, "musa-crew");
  crew.memberMain();
}

void Crew::memberMain() {
  ProtectionKeys::closeThread();
  const unsigned number = started_.fetch_add(1, std::memory_order_relaxed);
  int64_t until = 0;
  for (;;) {
    const uint64_t seen = open_.load(std::memory_order_acquire);
    if (seen != 0 && doSomething(seen)) {
      until = 0;
    } else if (isOver(monotonicNow(), number, until)) {
      sleep();
      until = 0;
    } else {
      watch(until, seen);
    }
  }
}

// Whether to stop watching, else until when. Calls go on as long as jobs end that want as many helpers: also
// who is late for each stays awake then, lest somebody has to wake it for each.
bool Crew::isOver(int64_t now, unsigned number, int64_t& until) const {
  if (number >= watchers_) return true;
  if (until == 0) until = now + patience();
  if (now >= until && number < wanted_.load(std::memory_order_relaxed))
    until = lastEnd_.load(std::memory_order_relaxed) + patience();
  return now >= until;
}

bool Crew::doSomething(uint64_t open) {
  if ((open & ~kOtherWork) != 0 && helpSomewhere(open & ~kOtherWork)) return true;
  return (open & kOtherWork) != 0 && doOtherWork();
}

// Whoever waits for it does it himself, and others have more of it in a moment. One of the crew looks.
bool Crew::doOtherWork() {
  for (int i = 0; i < kLooks; ++i) {
    if ((open_.load(std::memory_order_relaxed) & kOtherWork) == 0) return false;
    cpuPause();
  }
  return (open_.fetch_and(~kOtherWork) & kOtherWork) != 0 && otherWork_();
}

int64_t Crew::patience() const {
  return pause_.load(std::memory_order_relaxed) < kClose ? kLongWatch : kShortWatch;
}

// The job that has fewest helpers first. True when it has helped.
bool Crew::helpSomewhere(uint64_t open) {
  unsigned best = kPlaces, fewest = CrewPlace::kCount;
  for (; open != 0; open &= open - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(open));
    const unsigned came = places_[index].came();
    if (came >= fewest) continue;
    best = index;
    fewest = came;
  }
  return best != kPlaces && tryHelp(best);
}

bool Crew::tryHelp(unsigned index) {
  if (jobs() > 1 && computing() >= processors_) return false;
  CrewPlace& place = places_[index];
  const uint64_t bit = uint64_t{1} << index;
  const uint32_t before = place.state.fetch_add(1, std::memory_order_acq_rel);
  if ((before & kOpen) == 0) {
    leave(place);
    return false;
  }
  // As long as this counts as a helper the job is there, and the bit is the job's.
  const unsigned number = before & kCount;
  if (number + 1 >= place.seats && (open_.load(std::memory_order_relaxed) & bit) != 0) open_.fetch_and(~bit);
  const bool hasSeat = number < place.seats;
  if (hasSeat) {
    if (number + 1 < place.seats) wake(place.seats, kFan);
    support::leaveProcessor(place.ownersProcessor);  // there it would only take time from the owner
    seat = {this, place.job, number, false};
    place.job->work();
    const bool partsAreLeft = std::exchange(seat, {}).moves;
    if (partsAreLeft != ((open_.load(std::memory_order_relaxed) & bit) != 0))
      partsAreLeft ? open_.fetch_or(bit) : open_.fetch_and(~bit);
  }
  leave(place);
  return hasSeat;
}

// The owner may go on as soon as the last has left, and another job have the place.
void Crew::leave(CrewPlace& place) {
  if (place.state.fetch_sub(1, std::memory_order_acq_rel) == (kOwnerSleeps | 1)) futexWake(place.state, 1);
}

// Until something is wanted, or changes. Whoever else can run on this processor goes first.
void Crew::watch(int64_t until, uint64_t seen) const {
  do {
    for (int i = 0; i < kLooks; ++i) {
      if (open_.load(std::memory_order_relaxed) != seen) return;
      cpuPause();
    }
    sched_yield();
    if (seen != 0) return;  // there may be room now
  } while (monotonicNow() < until);
}

void Crew::sleep() {
  const uint32_t word = wakeWord_.load(std::memory_order_relaxed);
  asleep_.fetch_add(1);
  if (open_.load() == 0 || jobs() > 1) futexWait(wakeWord_, word);
  asleep_.fetch_sub(1);
}

// As many as `wanted` should be awake: wakes up to `most` of those who sleep, or gets new ones.
void Crew::wake(unsigned wanted, unsigned most) {
  const unsigned asleep = asleep_.load(), members = members_.load(std::memory_order_relaxed);
  const unsigned awake = members - std::min(members, asleep);
  if (awake >= wanted && most > 1) return;
  if (asleep > 0) {
    wakeWord_.fetch_add(1);
    futexWake(wakeWord_, static_cast<int>(std::min(wanted, most)));
  } else {
    for (unsigned i = 0; i < most; ++i) addMember();
  }
}

void Crew::addMember() {
  unsigned members = members_.load(std::memory_order_relaxed);
  do {
    if (members + 1 >= processors_) return;
  } while (!members_.compare_exchange_weak(members, members + 1, std::memory_order_relaxed));
  try {
    const BlockSignals block;
    std::thread(&Crew::startMember, std::ref(*this)).detach();
  } catch (const std::system_error&) {
    members_.fetch_sub(1, std::memory_order_relaxed);  // the owner does the job, with those who are there
  }
}

}  // namespace musashim::backend::cpu
