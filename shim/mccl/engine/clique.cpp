#include "mccl/engine/clique.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "mccl/core/assign_changed.h"
#include "mccl/core/data_type.h"
#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

// Looks before a rank sleeps: generous only where every rank can have a processor.
int spinsFor(int ranks) { return ranks <= Helpers::processors() ? 2000 : 60; }

uint32_t jobOf(uint64_t sequence) { return static_cast<uint32_t>(sequence + 1); }

// What other ranks of this process have done before they counted is ordered before this by way of another
// process. ThreadSanitizer sees only what happens here.
template <class Count>
void seenHere(const std::atomic<Count>& count) {
  (void)count.load(std::memory_order_acquire);
}

}  // namespace

Clique::WorkScope::WorkScope(Clique& clique, int rank)
    : clique_(clique), workers_(clique.segment_->rank(rank).workers) {
  // Both sequentially consistent with abort(): either it waits for this, or this sees the stop.
  workers_.fetch_add(1);
  mayWork_ = clique_.control_.stopped.load() == 0;
}

Clique::WorkScope::~WorkScope() {
  workers_.fetch_sub(1);
  if (clique_.control_.stopped.load() != 0) clique_.notifyAll();
}

Clique::Clique(int ranks) : Clique(Segment::create(ranks, false), std::make_unique<OwnAddresses>()) {}

Clique::Clique(std::shared_ptr<Segment> segment, std::unique_ptr<AddressBook> addresses,
               std::vector<int> numbers)
    : segment_(std::move(segment)),
      addresses_(std::move(addresses)),
      numbers_(std::move(numbers)),
      control_(segment_->control()),
      waitPoint_(control_.waitWord, segment_->shared(), spinsFor(segment_->ranks())),
      plans_(segment_->ranks()),
      counts_(segment_->ranks()),
      stays_(segment_->ranks()) {
  for (int rank = 0; rank < ranks(); ++rank) {
    messagePoints_.emplace_back(segment_->rank(rank).messages, segment_->shared(), spinsFor(ranks()));
  }
  for (uint64_t slot = 0; slot < kSlots; ++slot) {
    for (int rank = 0; rank < ranks(); ++rank) posts_[slot].push_back(&segment_->post(slot, rank));
  }
}

void Clique::arrive(int rank, uint64_t sequence, const CollectiveTask& task) {
  if (stopped()) return;
  CollectiveTask posted = task;
  if (task.deviceFactor) std::memcpy(&posted.factor, task.deviceFactor, elementSize(task.type));
  assignChanged(segment_->post(sequence, rank), posted);
  findProcessor(rank);
  segment_->collectives(rank).store(sequence + 1, std::memory_order_release);
}

// Looks at the next rank first: where they come one after the other, the first look tells.
bool Clique::haveCome(int rank, uint64_t sequence) const {
  const auto has = [&](int other) {
    return segment_->collectives(other).load(std::memory_order_acquire) > sequence;
  };
  for (int other = rank + 1; other < ranks(); ++other) {
    if (!has(other)) return false;
  }
  for (int other = 0; other < rank; ++other) {
    if (!has(other)) return false;
  }
  return true;
}

bool Clique::allHaveCome(int rank) const {
  const uint64_t mine = segment_->collectives(rank).load(std::memory_order_relaxed);
  return mine == 0 || haveCome(rank, mine - 1);
}

// A turn of another rank is for nothing where those on the same processor have all come: then what is waited
// for happens on others, and soon.
template <class Ready>
bool Clique::waitFor(int rank, uint64_t sequence, Ready&& ready, Clock::time_point until) {
  constexpr int kLooks = 400;  // some turns' time
  if (ready()) return true;
  const bool isAlone = hasProcessorAlone(rank);
  if (!isAlone && !isAheadOnProcessor(rank, sequence) && spin(ready, kLooks)) return true;
  return waitPoint_.wait(ready, isAlone, until);
}

// Whoever is here has done all collectives before.
bool Clique::complete(int rank, uint64_t sequence, Clock::time_point until) {
  const auto mayGoOn = [&] { return haveCome(rank, sequence) || stopped(); };
  const bool isLast = mayGoOn();
  if (!isLast && !waitFor(rank, sequence, mayGoOn, until)) return false;
  if (beyond_) return completeAcross(rank, sequence, until);
  return CollectivePlan::isSmall(segment_->post(sequence, rank), ranks(), control_.parts)
             ? completeSmall(rank, sequence, isLast, until)
             : completeLarge(rank, sequence, until);
}

size_t Clique::partsOf(uint64_t sequence, int rank) const {
  return CollectivePlan::partsOf(segment_->post(sequence, rank), ranks(), control_.parts);
}

bool Clique::arePartsDone(uint64_t sequence, size_t parts) const {
  for (size_t part = 0; part < parts; ++part) {
    if (segment_->rank(static_cast<int>(part)).partDone.load(std::memory_order_acquire) <= sequence)
      return false;
  }
  return true;
}

bool Clique::isDone(uint64_t sequence) const {
  const bool isSmall = CollectivePlan::isSmall(segment_->post(sequence, 0), ranks(), control_.parts);
  return segment_->isFinished(sequence) || (isSmall && arePartsDone(sequence, partsOf(sequence, 0)));
}

bool Clique::completeSmall(int rank, uint64_t sequence, bool isLast, Clock::time_point until) {
  constexpr int kLooksForOthers = 64;  // a few times what a line takes between processors
  const size_t parts = partsOf(sequence, rank), own = static_cast<size_t>(rank);
  const auto isDone = [&] { return arePartsDone(sequence, parts) || stopped(); };
  bool hasDoneOne = own < parts && doPart(rank, sequence, own);
  const bool isAtWork = control_.parts > 1 ? hasProcessorAlone(rank) : !isLast;
  if (isAtWork) (void)spin([&] { return isDone() || waitPoint_.hasSleepers(); }, kLooksForOthers);
  for (size_t part = 0; part < parts && !isDone(); ++part) hasDoneOne |= doPart(rank, sequence, part);
  if (!waitFor(rank, sequence, isDone, until)) return false;
  if (hasDoneOne) waitPoint_.notify();  // whoever has done the last part is here when all are done
  return true;
}

// Unless somebody does it, or has done it; then false.
bool Clique::doPart(int rank, uint64_t sequence, size_t part) {
  RankState& owner = segment_->rank(static_cast<int>(part));
  uint64_t taken = owner.partTaken.load(std::memory_order_relaxed);
  if (taken > sequence || !owner.partTaken.compare_exchange_strong(taken, sequence + 1)) return false;
  {
    WorkScope scope(*this, rank);
    if (!scope.mayWork() || !agree(sequence)) return false;
    const CollectiveTask& task = segment_->post(sequence, rank);
    if (!prepare(rank, sequence, CollectivePlan::partBytesOf(task, ranks(), control_.parts))) return false;
    plans_[rank].run(part);
  }
  // Last: a read-modify-write behind it would wait for the line to come from those who look at it.
  owner.partDone.store(sequence + 1, std::memory_order_release);
  return true;
}

bool Clique::completeLarge(int rank, uint64_t sequence, Clock::time_point until) {
  SlotState& slot = segment_->slot(sequence);
  const auto isDone = [&] { return segment_->isFinished(sequence) || stopped(); };
  const auto mayGoOn = [&] { return slot.ready.load(std::memory_order_acquire) == sequence + 1 || isDone(); };
  if (!isDone()) begin(rank, sequence);
  if (!waitFor(rank, sequence, mayGoOn, until)) return false;
  if (!isDone() && !isHelper(rank, segment_->post(sequence, rank))) {
    constexpr auto kForHelpers = std::chrono::microseconds(300);
    (void)waitPoint_.wait(isDone, false, std::min(until, Clock::now() + kForHelpers));
  }
  if (!isDone()) help(rank, sequence);
  const bool done = waitFor(rank, sequence, isDone, until);
  seenHere(slot.done);
  return done;
}

// One rank's thread does the work of all ranks here, and the others wait for it.
bool Clique::completeAcross(int rank, uint64_t sequence, Clock::time_point until) {
  const auto isDone = [&] { return segment_->isFinished(sequence) || stopped(); };
  if (isDone()) return true;
  if (!beyond_->isRunBy(rank)) {
    waitPoint_.notify();  // whose thread it is may have come first, and sleep
    return waitFor(rank, sequence, isDone, until);
  }
  {
    WorkScope scope(*this, rank);
    if (!scope.mayWork() || !agree(sequence)) return true;
    if (!beyond_->run(sequence, posts_[sequence % kSlots], until)) return false;
  }
  if (!stopped()) segment_->slot(sequence).finished.store(sequence + 1);
  waitPoint_.notify();
  return true;
}

// Of a collective that all have come to: whether they called the same. Fails if not.
bool Clique::agree(uint64_t sequence) {
  for (int other = 1; other < ranks(); ++other) {
    const CollectiveTask &first = segment_->post(sequence, 0), &post = segment_->post(sequence, other);
    if (sameSignature(first, post)) continue;
    fail(mcclInvalidUsage, fmt::format("mismatched collective: rank {} called {}, rank {} called {}",
                                       numberOf(0), first.describe(), numberOf(other), post.describe()));
    return false;
  }
  return true;
}

// When all have come: cuts the work, which is left to all who are awake; others are woken for it where that
// pays. All are here, so all have left the collective that used this slot before.
void Clique::begin(int rank, uint64_t sequence) {
  SlotState& slot = segment_->slot(sequence);
  uint64_t begun = slot.begun.load(std::memory_order_relaxed);
  if (begun == sequence + 1 || !slot.begun.compare_exchange_strong(begun, sequence + 1) || !agree(sequence))
    return;
  const CollectiveTask& task = segment_->post(sequence, rank);
  const size_t chunks = CollectivePlan::chunksOf(task, ranks(), control_.chunkBytes);
  slot.chunks.store(chunks);
  slot.number.store(control_.large.fetch_add(1));
  slot.done.store(0, std::memory_order_relaxed);
  const size_t shares = control_.shares;
  for (size_t share = 0; share < shares; ++share)
    slot.shares[share].open(jobOf(sequence),
                            firstPiece(share + 1, shares, chunks) - firstPiece(share, shares, chunks));
  slot.ready.store(sequence + 1, std::memory_order_release);
  const int helpers = Helpers::processors() - 1;  // more could not help at the same time
  if (!isHelper(rank, task)) {
    waitPoint_.notify();  // helpers are among them
  } else if (helpers > 0 &&
             Helpers::wantedFor(CollectivePlan::trafficOf(task, ranks())) == Helpers::Wanted::kAlways) {
    waitPoint_.notify(helpers);
  }
}

// The plan of this rank's thread, with the addresses of this process. False when there is
// nothing to do with it.
bool Clique::prepare(int rank, uint64_t sequence, size_t pieceBytes) {
  const int unreachable =
      plans_[rank].prepare(posts_[sequence % kSlots], *addresses_,
                           {control_.algorithm, control_.chunkBytes, pieceBytes, segment_->rings()});
  if (unreachable < 0) return true;
  reportUnreachable(rank, unreachable, [&] { return isDone(sequence); });
  return false;
}

void Clique::reportUnreachable(int rank, int other, const std::function<bool()>& isDone) {
  for (int i = 0; i < 100; ++i) {
    if (isDone() || stopped()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  fail(mcclSystemError,
       fmt::format("rank {} cannot map the memory of rank {}", numberOf(rank), numberOf(other)));
}

// Whether `rank` does work of others as soon as there is some. With many processes not all do where that is
// much: each would have to map the memory of all others, for no more than the processors can do. Where it is
// little, whoever has its turn does it, and none of them is a turn for nothing.
bool Clique::isHelper(int rank, const CollectiveTask& task) const {
  constexpr size_t kLittle = 8 << 20;
  return !segment_->shared() || ranks() <= Helpers::processors() || rank < 2 * Helpers::processors() ||
         CollectivePlan::trafficOf(task, ranks()) <= kLittle;
}

void Clique::help(int rank, uint64_t sequence) {
  SlotState& slot = segment_->slot(sequence);
  const size_t chunks = slot.chunks.load(std::memory_order_acquire), shares = control_.shares;
  const auto beginOf = [&](size_t share) { return firstPiece(share, shares, chunks); };
  if (std::none_of(slot.shares, slot.shares + shares, [](const auto& share) { return share.hasPieces(); }))
    return;
  WorkScope scope(*this, rank);
  if (!scope.mayWork() || !prepare(rank, sequence, 0)) return;
  const size_t own = ownShare(rank);
  const Order order = orderOf(slot.number.load(std::memory_order_relaxed));
  size_t done = 0;
  for (size_t i = 0; i < shares && !stopped(); ++i) {
    const size_t share = (own + i) % shares;
    const auto run = [&](size_t left) {
      plans_[rank].run(inOrder(order, beginOf(share), beginOf(share + 1), left), order);
    };
    done += slot.shares[share].take(jobOf(sequence), i == 0, run, [&] { return !stopped(); });
  }
  if (done == 0 || slot.done.fetch_add(done, std::memory_order_acq_rel) + done < chunks) return;
  slot.finished.store(sequence + 1);
  waitPoint_.notify();
}

std::string Clique::waitsInCollective(int rank, int forRank) const {
  const uint64_t awaited = segment_->collectives(forRank).load(std::memory_order_acquire);
  if (segment_->collectives(rank).load(std::memory_order_acquire) <= awaited) return "";
  return segment_->post(awaited, rank).describe();
}

// The first to fail says why, before anybody can see the error.
void Clique::stop(mcclResult_t result, const std::string& message) {
  if (control_.failed.exchange(1) == 0) {
    std::strncpy(control_.text, message.c_str(), sizeof control_.text - 1);
    control_.error.store(result, std::memory_order_release);
  } else {
    int none = mcclSuccess;  // the first may have died on the way
    if (stopped()) control_.error.compare_exchange_strong(none, result);
  }
  control_.stopped.store(1);
  notifyAll();
}

void Clique::notifyAll() {
  waitPoint_.notify();
  for (WaitPoint& point : messagePoints_) point.notify();
}

void Clique::fail(mcclResult_t result, const std::string& message) {
  if (control_.failed.load() == 0) (void)mccl::fail(result, "{}", message);
  stop(result, message);
}

void Clique::abort(const std::string& message) {
  stop(mcclRemoteError, message);
  waitPoint_.wait([&] { return nobodyWorks(); });
}

bool Clique::nobodyWorks() const {
  for (int rank = 0; rank < segment_->ranks(); ++rank) {
    const RankState& state = segment_->rank(rank);
    if (state.presence.load() != RankState::kDead && state.workers.load() != 0) return false;
  }
  return true;
}

mcclResult_t Clique::error() const {
  return static_cast<mcclResult_t>(control_.error.load(std::memory_order_acquire));
}

std::string Clique::errorText() const { return error() != mcclSuccess ? control_.text : ""; }

void Clique::noteDeath(int rank) {
  segment_->rank(rank).presence.store(RankState::kDead);
  notifyAll();
}

void Clique::noteLeaving(int rank) {
  uint32_t here = RankState::kHere;
  segment_->rank(rank).presence.compare_exchange_strong(here, RankState::kLeft);
}

}  // namespace musashim::mccl
