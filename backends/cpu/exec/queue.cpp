#include "cpu/exec/queue.h"

#include <mutex>
#include <utility>

#include "cpu/core/device.h"
#include "cpu/devrt/checks/check_hooks.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/copy.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/grid.h"
#include "cpu/exec/observer.h"
#include "cpu/exec/queue_pool.h"
#include "cpu/exec/scheduler.h"
#include "support/ticks.h"

namespace musashim::backend::cpu {

namespace {
// How often a waiting thread looks before it sleeps: some microseconds' worth.
constexpr int kLooks = 600;

constinit thread_local CpuDevice* calling = nullptr;  // whose HostCall the thread runs
}  // namespace

void CpuQueue::open(CpuDevice& device, int priority) {
  device_ = &device;
  running_ = &device.runningOn(number_);
  label = 0;
  priority_.store(priority, std::memory_order_relaxed);
  submitted_.store(0);
  completed_.store(0);
  dropped_.store(false);
  state_.store(kIdle);
}

uint64_t CpuQueue::submit(Command command, std::span<const Fence> waits) {
  uint64_t value;
  CommandObserver* const observer = commandObserver.load(std::memory_order_relaxed);
  const uint64_t tag = observer == nullptr ? 0 : observer->tag();
  {
    std::lock_guard lock(submitLock_);
    commands_.push(std::move(command), waits, tag);
    value = submitted_.load(std::memory_order_relaxed) + 1;
    submitted_.store(value);  // sequentially consistent, as giveUp()'s look at it
  }
  if (state_.load() != kIdle) return value;
  if (waits.empty()) {
    if (tryChange(kIdle, kQueued)) Scheduler::instance().makeReady(*this);
  } else if (tryChange(kIdle, kOwned)) {
    offer();
  }
  return value;
}

// By the owner: lists the queue, or leaves it to whoever completes what it waits for: no worker is to come
// for that.
void CpuQueue::offer() {
  for (;;) {
    if (completed_.load(std::memory_order_relaxed) == submitted_.load()) {
      if (giveUp()) return;
      continue;
    }
    PendingCommand& first = commands_.front();
    const Fence* fence = firstIncomplete(first);
    if (!fence) break;
    if (block(first, Fence(*fence))) return;
  }
  state_.store(kQueued);
  Scheduler::instance().makeReady(*this);
}

void CpuQueue::nudge() {
  if (state_.load(std::memory_order_relaxed) != kQueued) return;
  readyAt_.store(0, std::memory_order_relaxed);  // nobody may ever wait
  Scheduler::instance().hurry();
}

void CpuQueue::kick() {
  if (tryChange(kBlocked, kQueued)) Scheduler::instance().makeReady(*this);
}

// ---- Running

bool CpuQueue::runAsWorker() {
  const uint64_t before = completed_.load(std::memory_order_relaxed);
  const Fence blocker = drive(lastSubmitted(), Haste::kNone);
  return !blocker.queue || completed_.load(std::memory_order_relaxed) != before;
}

Fence CpuQueue::drive(uint64_t limit, Haste haste) {
  uint64_t done = completed_.load(std::memory_order_relaxed);
  LastEnd last;
  for (;;) {
    while (done < submitted_.load(std::memory_order_acquire)) {
      PendingCommand& pending = commands_.front();
      if (const Fence* fence = firstIncomplete(pending)) {
        Fence blocker = *fence;
        if (block(pending, blocker)) return blocker;
        last = {};
        done = completed_.load(std::memory_order_relaxed);
        continue;
      }
      if (CommandObserver* const observer = commandObserver.load(std::memory_order_relaxed)) [[unlikely]] {
        executeObserved(pending.command, done + 1, pending.tag, *observer, last);
      } else {
        execute(pending.command);
      }
      commands_.pop();
      complete(++done);
      if (done == limit) {
        handOver(haste);
        return {};
      }
    }
    if (giveUp()) return {};
    done = completed_.load(std::memory_order_relaxed);
  }
}

// By the owner, before a fence that `pending` waits for. False when the queue is still, or again, the
// caller's.
bool CpuQueue::block(PendingCommand& pending, const Fence& fence) {
  registerFences(pending);
  state_.store(kBlocked);
  // The fence may have completed, or the device stopped, before all could see us blocked. Nobody but the
  // owner may look at `pending`, so take the queue back first. Others may have run it meanwhile, even to its
  // end and into another life.
  const bool mayGoOn = fence.queue->isComplete(fence.value) || device_->skipsWork();
  return !mayGoOn || !tryChange(kBlocked, kOwned);
}

const Fence* CpuQueue::firstIncomplete(PendingCommand& pending) {
  if (pending.waits.empty() || device_->skipsWork()) return nullptr;
  for (const Fence& fence : pending.waits) {
    if (!fence.queue->isComplete(fence.value)) return &fence;
  }
  return nullptr;
}

void CpuQueue::registerFences(PendingCommand& pending) {
  for (size_t i = 0; i < pending.waits.size(); ++i) {
    if (pending.registered[i]) continue;
    pending.registered[i] = true;
    static_cast<CpuQueue&>(*pending.waits[i].queue).addDependent(*this, pending.waits[i].value);
  }
}

void CpuQueue::call(const HostCall& call, bool skip) {
  if (skip && !call.evenAfterFault) return;
  CpuDevice* const outer = std::exchange(calling, device_);  // a call may run others
  call.function(call.data, skip ? device_->skipReason() : Status::ok());
  calling = outer;
  devrt::checks::trustAll();  // a library's functions may write device memory
}

void CpuQueue::failHostCall(Status fault) {
  if (calling != nullptr) calling->raiseFault(std::move(fault));
}

void CpuQueue::execute(const Command& command) {
  if (std::holds_alternative<Marker>(command)) return;
  if (auto* sequence = std::get_if<Sequence>(&command)) {
    for (const Command& one : sequence->commands->commands) execute(one);
    return;
  }
  bool skip = device_->skipsWork();
  if (auto* hostCall = std::get_if<HostCall>(&command)) {
    call(*hostCall, skip);
    return;
  }
  if (auto* signal = std::get_if<SignalShared>(&command)) {
    signal->event->signal(signal->mark);
    return;
  }
  if (skip) return;
  if (auto* launch = std::get_if<KernelLaunch>(&command)) {
    if (device_->failsNextLaunch()) [[unlikely]]
      return;
    running_->store(device_->number() + 1, std::memory_order_relaxed);
    runGrid(*launch, *device_);
    running_->store(0, std::memory_order_relaxed);
  } else if (auto* copy = std::get_if<Copy>(&command)) {
    if (const SlowLinks* links = device_->slowLinks()) [[unlikely]] {
      links->run(*copy);
    } else {
      runCopy(*copy);
    }
  } else if (auto* fill = std::get_if<Fill>(&command)) {
    runFill(*fill);
  } else if (auto* stamp = std::get_if<Timestamp>(&command)) {
    stamp->slot->store(monotonicNow(), std::memory_order_release);
  } else if (auto* await = std::get_if<AwaitShared>(&command)) {
    await->event->wait(await->mark, [this] { return device_->skipsWork(); });
    devrt::checks::trustAll();  // the other process has written what it liked
  }
}

void CpuQueue::executeObserved(const Command& command, uint64_t number, uint64_t tag,
                               CommandObserver& observer, LastEnd& last) {
  if (auto* sequence = std::get_if<Sequence>(&command)) {
    for (const Command& one : sequence->commands->commands) executeObserved(one, number, tag, observer, last);
    return;
  }
  const bool isWork = std::holds_alternative<KernelLaunch>(command) ||
                      std::holds_alternative<Copy>(command) || std::holds_alternative<Fill>(command) ||
                      std::holds_alternative<HostCall>(command);
  if (!isWork) {
    execute(command);
    last = {};
    return;
  }
  const int64_t begin = number <= last.submitted ? last.at : support::ticks();
  execute(command);
  last.submitted = submitted_.load(std::memory_order_relaxed);
  last.at = support::ticks();
  const uint64_t queue = label != 0 ? label : reinterpret_cast<uint64_t>(this);
  observer.ran({command, device_->index(), queue, tag}, begin, last.at);
}

void CpuQueue::complete(uint64_t value) {
  completed_.store(value);  // sequentially consistent, as lowerAwaited()'s callers look at it
  if (value >= awaited_.load()) notify();
}

// Commands may be left that the owner does not care for, or has not seen: the workers' affair.
void CpuQueue::handOver(Haste haste) {
  if (completed_.load(std::memory_order_relaxed) == submitted_.load() && giveUp()) return;
  state_.store(kQueued);
  Scheduler& scheduler = Scheduler::instance();
  if (haste == Haste::kNone) scheduler.breathe(scheduler.urgency());
  scheduler.makeReady(*this);
}

// True when the queue is drained and given up; false when it is still ours.
bool CpuQueue::giveUp() {
  state_.store(kIdle);
  if (completed_.load(std::memory_order_relaxed) != submitted_.load()) {
    // submit() lists the queue if it saw kIdle; otherwise go on.
    return !tryChange(kIdle, kOwned);
  }
  if (dropped_.load()) QueuePool::instance().putBack(*this);
  return true;
}

void CpuQueue::handleDropped() {
  dropped_.store(true);
  QueuePool::instance().putBack(*this);
}

// Whoever comes last, the owner or the handle, succeeds.
bool CpuQueue::retire() { return dropped_.load() && isDrained() && tryChange(kIdle, kRetired); }

// ---- Waiting for others

void CpuQueue::lowerAwaited(uint64_t value) {
  if (value < awaited_.load(std::memory_order_relaxed)) awaited_.store(value);
}

void CpuQueue::addDependent(CpuQueue& queue, uint64_t value) {
  std::lock_guard lock(waitLock_);
  dependents_.push_back({&queue, value});
  lowerAwaited(value);
}

// Some number that someone waits for is complete.
void CpuQueue::notify() {
  std::vector<CpuQueue*> due;
  bool wake;
  {
    std::lock_guard lock(waitLock_);
    uint64_t done = completed_.load();
    uint64_t lowest = kNobody;
    std::erase_if(dependents_, [&](const Dependent& dependent) {
      if (dependent.value <= done) {
        due.push_back(dependent.queue);
        return true;
      }
      lowest = std::min(lowest, dependent.value);
      return false;
    });
    // Sleepers whose number is not complete yet register again.
    awaited_.store(lowest);
    wake = sleepers_ > 0;
    if (wake) wakeWord_.fetch_add(1);
  }
  if (wake) futexWake(wakeWord_);
  for (CpuQueue* queue : due) queue->kick();
}

void CpuQueue::wait(uint64_t value) {
  while (!isComplete(value)) help(value);
}

// Runs what stands in the way: this queue, or, from one to the next, those it waits for.
// No recursion: many queues may wait in a chain.
void CpuQueue::help(uint64_t value) {
  CpuQueue* queue = this;
  std::shared_ptr<Queue> held;
  while (!queue->isComplete(value)) {
    if (!queue->takeAsWaiter()) {
      queue->awaitOthers(value);
      return;
    }
    if (queue->isComplete(value)) {  // by another owner meanwhile
      queue->handOver(Haste::kCallerWaits);
      return;
    }
    Fence blocker = queue->drive(value, Haste::kCallerWaits);
    if (blocker.queue == nullptr) return;
    held = std::move(blocker.queue);
    queue = static_cast<CpuQueue*>(held.get());
    value = blocker.value;
  }
}

bool CpuQueue::takeAsWaiter() {
  if (!tryChange(kQueued, kOwned)) return tryChange(kBlocked, kOwned);
  if (readyAt_.load(std::memory_order_relaxed) != 0)
    Scheduler::instance().noteTakenByWaiter(readyAt_.exchange(0, std::memory_order_relaxed));
  return true;
}

bool CpuQueue::canTake() const {
  uint32_t state = state_.load(std::memory_order_relaxed);
  return state == kQueued || state == kBlocked;
}

// Another thread runs the queue: poll a little, then sleep.
void CpuQueue::awaitOthers(uint64_t value) {
  for (int look = 0; look < kLooks; ++look) {
    if (isComplete(value) || canTake()) return;
    cpuPause();
  }
  sleepUntilComplete(value);
}

void CpuQueue::sleepUntilComplete(uint64_t value) {
  {
    std::lock_guard lock(waitLock_);
    ++sleepers_;
  }
  for (;;) {
    uint32_t word;
    {
      std::lock_guard lock(waitLock_);
      word = wakeWord_.load();
      lowerAwaited(value);
    }
    // Either complete() sees our number, or we see its.
    if (completed_.load() >= value) break;
    futexWait(wakeWord_, word);
  }
  std::lock_guard lock(waitLock_);
  --sleepers_;
}

}  // namespace musashim::backend::cpu
