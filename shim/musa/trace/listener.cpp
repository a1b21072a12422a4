#include "musa/trace/listener.h"

#include <time.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <variant>

#include "musa/api/driver.h"
#include "musa/trace/watch.h"
#include "support/ticks.h"
#include "timeline/timeline.h"

namespace musashim::musa {

std::atomic<const MUshimListener*> theListener{nullptr};

namespace {

std::mutex listenMutex;
std::atomic<bool> asked{false};

// Ticks as nanoseconds of CLOCK_REALTIME. The rate is that of the time since the library's first question, so
// it is good to a few parts in a million once 20 ms have passed; it is kept then, as times are to fit each
// other.
class Clock {
 public:
  int64_t at(int64_t ticks) const { return scale_.nanoseconds(ticks) + offset_; }

  void settle() {
    const std::lock_guard lock(mutex_);
    constexpr int64_t kShortest = 20'000'000;
    if (settled_) return;
    const int64_t missing = kShortest - (support::monotonicNanoseconds() - born_);
    if (missing > 0) {
      const timespec pause = {0, static_cast<long>(missing)};
      nanosleep(&pause, nullptr);
    }
    scale_.close();
    timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    offset_ = int64_t{real.tv_sec} * 1'000'000'000 + real.tv_nsec - scale_.nanoseconds(support::ticks());
    settled_ = true;
  }

 private:
  support::TickScale scale_;
  int64_t born_ = support::monotonicNanoseconds(), offset_ = 0;
  bool settled_ = false;
  std::mutex mutex_;
};

Clock& sharedClock() {
  static auto& clock = *new Clock;
  return clock;
}

unsigned long long now() {
  if (!currentListener()) sharedClock().settle();
  return static_cast<unsigned long long>(sharedClock().at(support::ticks()));
}

MUresult listen(const MUshimListener* listener) {
  const std::lock_guard lock(listenMutex);
  const MUshimListener* const before = currentListener();
  if (listener != nullptr && before != nullptr) return MUSA_ERROR_NOT_PERMITTED;
  if (listener == before) return MUSA_SUCCESS;
  sharedClock().settle();
  theListener.store(listener, std::memory_order_release);
  if (listener != nullptr) {
    beginWatching(listener->wantsArguments != 0);
  } else {
    endWatching(before->wantsArguments != 0);
  }
  return MUSA_SUCCESS;
}

constexpr MUshimListenTable kTable = {sizeof(MUshimListenTable), listen, now};

// Where an address is; `device` is set for a device's.
int placeOf(const void* pointer, unsigned& device) {
  const Allocation* allocation = driver().allocations().peek(reinterpret_cast<uintptr_t>(pointer));
  if (allocation == nullptr) return MUSHIM_PLACE_PAGEABLE;
  if (allocation->kind == MemoryKind::kManaged) return MUSHIM_PLACE_MANAGED;
  if (allocation->isPinnedHost()) return MUSHIM_PLACE_PINNED;
  if (!allocation->isDevice()) return MUSHIM_PLACE_PAGEABLE;
  device = static_cast<unsigned>(std::max(allocation->device, 0));
  return MUSHIM_PLACE_DEVICE;
}

void describe(const backend::Command& command, MUshimWork& work) {
  if (const auto* launch = std::get_if<backend::KernelLaunch>(&command)) {
    const MusaDim3 &grid = launch->grid, &block = launch->block;
    const unsigned grids[] = {grid.x, grid.y, grid.z}, blocks[] = {block.x, block.y, block.z};
    work.kind = MUSHIM_WORK_KERNEL;
    work.name = launch->kernel->info->name;
    std::copy(std::begin(grids), std::end(grids), work.grid);
    std::copy(std::begin(blocks), std::end(blocks), work.block);
    work.staticShared = launch->kernel->info->static_shared_bytes;
    work.dynamicShared = launch->dynamicSharedBytes;
  } else if (const auto* copy = std::get_if<backend::Copy>(&command)) {
    work.kind = MUSHIM_WORK_COPY;
    work.bytes = copy->width * copy->height * copy->depth;
    work.from = placeOf(copy->src, work.fromDevice);
    work.to = placeOf(copy->dst, work.toDevice);
  } else if (const auto* fill = std::get_if<backend::Fill>(&command)) {
    work.kind = MUSHIM_WORK_FILL;
    work.bytes = fill->width * fill->elementBytes * fill->height;
    work.value = fill->value;
    work.to = placeOf(fill->dst, work.toDevice);
  } else {
    work.kind = MUSHIM_WORK_HOST;
  }
}

}  // namespace

bool mayBeListenedTo() { return asked.load(std::memory_order_relaxed); }

const MUshimListenTable& listenTable() {
  (void)sharedClock();
  asked.store(true, std::memory_order_relaxed);
  return kTable;
}

void tellResource(int what, MUcontext context, MUstream stream) {
  if (const MUshimListener* listener = currentListener()) listener->resource(what, context, stream);
}

void tellWork(const MUshimListener& listener, const backend::CommandRun& run, int64_t begin, int64_t end) {
  MUshimWork work = {};
  work.begin = static_cast<unsigned long long>(sharedClock().at(begin));
  work.end = static_cast<unsigned long long>(sharedClock().at(end));
  work.correlation = static_cast<unsigned>(run.tag);
  // Lanes of graphs are no streams; their numbers are above those of streams.
  work.stream = run.queue < timeline::kFirstGraphLane
                    ? static_cast<unsigned>(run.queue >> 1)
                    : 1u << 31 | static_cast<unsigned>(run.queue >> 6 & 0x7fff'ffff);
  work.device = static_cast<unsigned>(run.device);
  if (DeviceState* device = driver().deviceOfBackend(run.device)) {
    work.device = static_cast<unsigned>(device->ordinal());
    work.context = static_cast<unsigned>(device->primaryId.load(std::memory_order_relaxed));
  }
  describe(run.command, work);
  listener.workEnded(&work);
}

}  // namespace musashim::musa
