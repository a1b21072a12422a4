#include "cpu/process/shared_event.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cpu/exec/clock.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/spin_lock.h"

namespace musashim::backend::cpu {

namespace {

constexpr uint32_t kTimelines = 126;
constexpr unsigned kMarkBits = 48;
constexpr uint64_t kCountMask = (uint64_t{1} << kMarkBits) - 1;
// How long a wait sleeps before it looks whether what it waits for can still come.
constexpr int64_t kSleep = 20'000'000;
constexpr int kLooks = 200;  // before it sleeps at all

uint32_t timelineOf(uint64_t mark) { return static_cast<uint32_t>(mark >> kMarkBits); }
uint64_t countOf(uint64_t mark) { return mark & kCountMask; }

// This process, asked for once per process: a forked child is another one.
uint64_t ownStartTime() {
  static std::atomic<int32_t> process{0};
  static std::atomic<uint64_t> start{0};
  if (process.load() != getpid()) {
    start.store(startTimeOf(getpid()));
    process.store(getpid());
  }
  return start.load();
}

// What a ShareTicket for an event holds.
struct EventTicket {
  static constexpr uint32_t kMagic = 0x4574536d;
  uint32_t magic = kMagic;
  uint32_t reserved = 0;
  PeerFileName file;
  uint64_t key = 0;
};
static_assert(sizeof(EventTicket) <= sizeof(ShareTicket));

}  // namespace

struct CpuSharedEvent::Page {
  static constexpr uint64_t kMagic = 0x31544e45566d7361ull;

  // Owned by the process (owner, start) that records with it, one queue at a time.
  struct Timeline {
    std::atomic<int32_t> owner;  // 0: free
    uint32_t reserved;
    std::atomic<uint64_t> start;
    std::atomic<uint64_t> issued, done;
  };

  std::atomic<uint64_t> magic;
  uint64_t key;
  std::atomic<uint64_t> last;
  std::atomic<uint32_t> wakeWord, sleepers;
  Timeline timelines[kTimelines];
};

Status CpuSharedEvent::create(std::unique_ptr<SharedEvent>& event) {
  UniqueFd file;
  MUSASHIM_RETURN_IF_ERROR(createMemoryFile("musa-event", sizeof(Page), file));
  void* memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) {
    return {StatusCode::kOutOfMemory, fmt::format("cannot map a shared event: {}", strerror(errno))};
  }
  auto* page = static_cast<Page*>(memory);
  page->key = randomKey();
  page->magic.store(Page::kMagic, std::memory_order_release);
  EventTicket named;
  named.file = nameOf(file.get());
  named.key = page->key;
  ShareTicket ticket;
  memcpy(ticket.bytes, &named, sizeof named);
  event.reset(new CpuSharedEvent(page, std::move(file), ticket));
  return Status::ok();
}

Status CpuSharedEvent::open(const ShareTicket& ticket, std::unique_ptr<SharedEvent>& event) {
  EventTicket named;
  memcpy(&named, ticket.bytes, sizeof named);
  if (named.magic != EventTicket::kMagic) return {StatusCode::kInvalidValue, "not a name of an event"};
  UniqueFd file;
  MUSASHIM_RETURN_IF_ERROR(openPeerFile(named.file, sizeof(Page), file));
  void* memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) {
    return {StatusCode::kOutOfMemory, fmt::format("cannot map a shared event: {}", strerror(errno))};
  }
  auto* page = static_cast<Page*>(memory);
  if (page->magic.load(std::memory_order_acquire) != Page::kMagic || page->key != named.key) {
    munmap(memory, sizeof(Page));
    return {StatusCode::kNotFound, "the event is gone"};
  }
  event.reset(new CpuSharedEvent(page, UniqueFd(), ticket));
  return Status::ok();
}

CpuSharedEvent::CpuSharedEvent(Page* page, UniqueFd file, const ShareTicket& ticket)
    : page_(page), file_(std::move(file)), ticket_(ticket) {}

CpuSharedEvent::~CpuSharedEvent() {
  for (const auto& [queue, timeline] : timelines_) page_->timelines[timeline].owner.store(0);
  munmap(page_, sizeof(Page));
}

// A timeline without pending records: one of ours, a free one, or that of a dead process.
bool CpuSharedEvent::takeTimeline(uint32_t& timeline) {
  for (auto at = timelines_.begin(); at != timelines_.end(); ++at) {
    const Page::Timeline& own = page_->timelines[at->second];
    if (own.done.load() != own.issued.load()) continue;
    timeline = at->second;
    timelines_.erase(at);
    return true;
  }
  for (bool alsoDead : {false, true}) {
    for (uint32_t i = 0; i < kTimelines; ++i) {
      Page::Timeline& candidate = page_->timelines[i];
      int32_t owner = candidate.owner.load();
      if (owner != 0 && (!alsoDead || isProcessAlive(owner, candidate.start.load()))) continue;
      if (!candidate.owner.compare_exchange_strong(owner, getpid())) continue;
      candidate.start.store(ownStartTime());
      candidate.done.store(candidate.issued.load());  // what a dead process left
      timeline = i;
      return true;
    }
  }
  return false;
}

Status CpuSharedEvent::newMark(const Queue& queue, Mark& mark) {
  std::lock_guard lock(mutex_);
  auto [at, isNew] = timelines_.try_emplace(&queue, 0);
  if (isNew) {
    timelines_.erase(at);
    uint32_t timeline = 0;
    if (!takeTimeline(timeline)) {
      return {StatusCode::kOutOfMemory, fmt::format("{} queues have records pending", kTimelines)};
    }
    at = timelines_.emplace(&queue, timeline).first;
  }
  uint64_t count = page_->timelines[at->second].issued.fetch_add(1) + 1;
  mark = (uint64_t{at->second} << kMarkBits) | (count & kCountMask);
  return Status::ok();
}

void CpuSharedEvent::publish(Mark mark) { page_->last.store(mark); }

void CpuSharedEvent::signal(Mark mark) {
  page_->timelines[timelineOf(mark)].done.store(countOf(mark));
  if (page_->sleepers.load() == 0) return;
  page_->wakeWord.fetch_add(1);
  futexWakeShared(page_->wakeWord);
}

SharedEvent::Mark CpuSharedEvent::last() const { return page_->last.load(); }

bool CpuSharedEvent::isDone(Mark mark) const {
  uint32_t timeline = timelineOf(mark);
  return mark == 0 || timeline >= kTimelines || page_->timelines[timeline].done.load() >= countOf(mark);
}

bool CpuSharedEvent::isAbandoned(Mark mark) const {
  const Page::Timeline& timeline = page_->timelines[timelineOf(mark)];
  int32_t owner = timeline.owner.load();
  return owner != getpid() && !isProcessAlive(owner, timeline.start.load());
}

bool CpuSharedEvent::isReached(Mark mark) {
  if (isDone(mark)) return true;
  int64_t now = monotonicNow();
  if (now - askedAt_.load(std::memory_order_relaxed) < kSleep) return false;
  askedAt_.store(now, std::memory_order_relaxed);
  return isAbandoned(mark);
}

void CpuSharedEvent::wait(Mark mark, const std::function<bool()>& giveUp) {
  for (int look = 0; look < kLooks; ++look) {
    if (isDone(mark)) return;
    cpuPause();
  }
  for (;;) {
    uint32_t word = page_->wakeWord.load();
    page_->sleepers.fetch_add(1);
    // Either signal() sees a sleeper, or we see its mark.
    bool done = isDone(mark);
    if (!done) futexWaitForShared(page_->wakeWord, word, kSleep);
    page_->sleepers.fetch_sub(1);
    if (done || isDone(mark) || giveUp() || isAbandoned(mark)) return;
  }
}

}  // namespace musashim::backend::cpu
