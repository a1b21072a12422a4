// The threads that help with jobs: grids and copies that their owners share out.
//
// There is one for each processor but one. An owner calls for helpers; those who are awake watch one word and
// come by themselves, without a lock and without a system call of anybody. Of the others the owner wakes
// some, each of which wakes more as it comes: a tree, so that neither the owner nor the last helper waits for
// all of these wakes. Helpers stay awake for as long as calls follow each other closely. Who is awake and has
// no job to help with runs queues that wait for a thread.
//
// Owners and their helpers together do not outnumber the processors: where several jobs run at once, each has
// its part of the processors, and a helper that is one too many goes to another job between two parts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "cpu/crew/parallel_job.h"

namespace musashim::backend::cpu {

// Where a job is announced. Never freed: who is late finds it closed, or another job.
struct alignas(64) CrewPlace {
  static constexpr uint32_t kOpen = 1u << 31;         // helpers may come
  static constexpr uint32_t kOwnerSleeps = 1u << 30;  // until the last has left
  static constexpr uint32_t kCount = kOwnerSleeps - 1;

  unsigned came() const { return state.load(std::memory_order_relaxed) & kCount; }

  std::atomic<uint32_t> state{0};  // kOpen, kOwnerSleeps, and how many have come and not left
  unsigned seats = 0;
  int ownersProcessor = -1;
  ParallelJob* job = nullptr;
};

class Crew {
 public:
  // Something else that who is awake may do. False when there was nothing to do.
  using OtherWork = bool (*)();

  // `processors`: how many threads compute at once. `ofMachine`: how many of them there are processors for;
  // no more watch for calls.
  Crew(unsigned processors, unsigned ofMachine, OtherWork otherWork = nullptr);

  // Up to `helpers` may come until dismiss(). Without a place for the job, or without processors, nobody
  // comes.
  void call(ParallelJob& job, unsigned helpers);
  // Nobody comes any more; returns when those who came have left.
  void dismiss(ParallelJob& job);
  // Those who have come to it.
  unsigned helpersOf(const ParallelJob& job) const;
  // Who watches for calls, or helps: a job is helped with at once.
  unsigned awake() const;
  // There is other work. One of those who are awake does it, if nobody else has in a microsecond or two.
  void tellOfOtherWork();

  // For a helper of the job, between two parts: another job needs it more. False for anybody else.
  static bool shouldMove(const ParallelJob& job);

 private:
  static constexpr unsigned kPlaces = 63;  // jobs at once; the owners of others do them alone
  static constexpr uint64_t kOtherWork = uint64_t{1} << kPlaces;  // in open_

  static void startMember(Crew& crew);
  void memberMain();
  bool doSomething(uint64_t open);
  bool helpSomewhere(uint64_t open);
  bool doOtherWork();
  bool tryHelp(unsigned index);
  static void leave(CrewPlace& place);
  void watch(int64_t until, uint64_t seen) const;
  bool isOver(int64_t now, unsigned number, int64_t& until) const;
  void sleep();
  void wake(unsigned wanted, unsigned most);
  void addMember();

  unsigned jobs() const;
  unsigned computing() const;
  unsigned fairShare(unsigned jobs) const;
  int64_t patience() const;
  void noteCall(int64_t now, unsigned helpers);

  const unsigned processors_, watchers_;
  const OtherWork otherWork_;
  std::array<CrewPlace, kPlaces> places_;
  alignas(64) std::atomic<uint64_t> open_{
      0};  // places at which helpers are wanted, and kOtherWork: what they watch
  alignas(64) std::atomic<uint64_t> used_{0};  // places that have a job
  alignas(64) std::atomic<unsigned> asleep_{0};
  std::atomic<uint32_t> wakeWord_{0};
  std::atomic<unsigned> members_{0};
  std::atomic<unsigned> started_{0};             // of those, who run
  alignas(64) std::atomic<int64_t> lastEnd_{0};  // ns; when a job was dismissed
  std::atomic<int64_t> pause_{0};                // ns between jobs, a sliding mean
  std::atomic<unsigned> wanted_{0};              // helpers of late, at most
};

}  // namespace musashim::backend::cpu
