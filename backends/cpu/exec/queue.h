// A queue of the cpu backend.
//
// States:          submit            a thread takes it
//        kIdle ------------> kQueued ----------------> kOwned
//          ^                    ^  ^ fence complete      | |  |
//          |                    |  +------- kBlocked <---+ |  |
//          |                    +---------- work left -----+  |
//          +----------------------------- drained ------------+
// The owner alone runs commands. Workers take listed queues in kQueued; a thread in
// wait() takes kQueued and kBlocked ones (it then helps what they wait for).
//
// Queues are never freed, only used again (QueuePool): so a stale list
// entry or a late wake-up finds a queue, sees nothing to do, and that is all.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "cpu/exec/command_list.h"
#include "cpu/exec/spin_lock.h"
#include "interface/observer.h"
#include "interface/queue.h"

namespace musashim::backend::cpu {

class CpuDevice;

class CpuQueue final : public Queue {
 public:
  explicit CpuQueue(size_t number) : number_(number) {}  // in the pool

  uint64_t submit(Command command, std::span<const Fence> waits) override;
  uint64_t lastSubmitted() const override { return submitted_.load(std::memory_order_acquire); }
  bool isComplete(uint64_t value) const override {
    return completed_.load(std::memory_order_acquire) >= value;
  }
  void wait(uint64_t value) override;
  void nudge() override;
  void setPriority(int priority) override { priority_.store(priority, std::memory_order_relaxed); }

  // For QueuePool, with its lock held: a fresh or drained queue begins (again) at number 1.
  void open(CpuDevice& device, int priority);
  bool retire();  // true when it is drained and has no handle: nobody uses it now
  bool belongsTo(const CpuDevice& device) const { return device_ == &device && state_.load() != kRetired; }

  void handleDropped();  // nobody submits any more; goes back to the pool when drained
  void kick();           // look again: the device has faulted or is being reset
  bool isDrained() const { return completed_.load() == submitted_.load(); }

  // For Scheduler:
  int priority() const { return priority_.load(std::memory_order_relaxed); }
  bool tryList() { return !listed_.exchange(true); }
  void unlisted() { listed_.store(false); }
  bool tryOwnQueued() { return tryChange(kQueued, kOwned); }
  // Nobody is woken for it, by then; who waits for it is to run it.
  void noteReadyAt(int64_t now) { readyAt_.store(now, std::memory_order_relaxed); }
  int64_t readyAt() const { return readyAt_.load(std::memory_order_relaxed); }
  // False when all that is to do waits for other queues.
  bool runAsWorker();
  // For the HostCall that the calling thread runs.
  static void failHostCall(Status fault);
  CpuQueue* nextReady = nullptr;  // guarded by the scheduler's lock

 private:
  enum State : uint32_t { kIdle, kQueued, kOwned, kBlocked, kRetired };

  bool tryChange(State from, State to) {
    uint32_t expected = from;
    return state_.compare_exchange_strong(expected, to);
  }
  enum class Haste { kNone, kCallerWaits };
  // The owner runs what comes up to `limit` and gives the ownership up; the fence it stopped at.
  Fence drive(uint64_t limit, Haste haste);
  void offer();
  bool block(PendingCommand& pending, const Fence& fence);
  const Fence* firstIncomplete(PendingCommand& pending);
  void registerFences(PendingCommand& pending);
  void execute(const Command& command);
  void call(const HostCall& call, bool skip);
  // When the last command ended, and which one had been submitted by then: up to that, the end of one is the
  // begin of the next, which spares a look at the clock.
  struct LastEnd {
    int64_t at = 0;
    uint64_t submitted = 0;
  };
  void executeObserved(const Command& command, uint64_t number, uint64_t tag, CommandObserver& observer,
                       LastEnd& last);
  void complete(uint64_t value);
  void handOver(Haste haste);
  bool giveUp();
  void notify();
  void addDependent(CpuQueue& queue, uint64_t value);
  void lowerAwaited(uint64_t value);
  void help(uint64_t value);
  void awaitOthers(uint64_t value);
  void sleepUntilComplete(uint64_t value);
  bool canTake() const;
  bool takeAsWaiter();

  static constexpr uint64_t kNobody = std::numeric_limits<uint64_t>::max();

  const size_t number_;
  CpuDevice* device_ = nullptr;
  std::atomic<uint32_t>* running_ = nullptr;  // says to other processes on which device a kernel runs
  std::atomic<int> priority_{0};

  SpinLock submitLock_;
  CommandList commands_;
  alignas(64) std::atomic<uint64_t> submitted_{0};
  std::atomic<uint32_t> state_{kIdle};
  std::atomic<bool> listed_{false};   // in the scheduler's list
  std::atomic<int64_t> readyAt_{0};   // 0: not noted
  std::atomic<bool> dropped_{false};  // no handle left
  alignas(64) std::atomic<uint64_t> completed_{0};
  std::atomic<uint64_t> awaited_{kNobody};  // the lowest number that someone sleeps for

  struct Dependent {
    CpuQueue* queue;
    uint64_t value;
  };
  SpinLock waitLock_;  // guards what follows
  std::vector<Dependent> dependents_;
  unsigned sleepers_ = 0;
  std::atomic<uint32_t> wakeWord_{0};
};

}  // namespace musashim::backend::cpu
