#include "cpu/exec/copy.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cpu/crew/crew.h"
#include "cpu/crew/parallel_job.h"
#include "cpu/devrt/checks/check_hooks.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/move_bytes.h"
#include "cpu/exec/scheduler.h"
#include "cpu/memory/arena.h"
#include "cpu/memory/huge_pages.h"
#include "cpu/memory/protection_keys.h"

namespace musashim::backend::cpu {

namespace {

// Below, waking a helper costs more than it saves.
constexpr size_t kWorthWaking = 4 << 20;
// Below, so does sharing with one who is awake.
constexpr size_t kWorthSharing = 256 << 10;
constexpr int64_t kSoon = 100'000;  // ns; as long as a helper stays awake
constexpr size_t kLeastPart = 64 << 10, kMostPart = 1 << 20;
constexpr size_t kParts = 4;                // for each thread, of a copy that is not large
constexpr size_t kWorthHelper = 128 << 10;  // for each of them

// Runs part(begin, count) over [0, units) in parts, on helpers too. Its owner begins at the front and helpers
// at the back: the next job over the same memory finds it in the same processors' caches.
template <typename Part>
class SplitJob final : public ParallelJob {
 public:
  SplitJob(size_t units, size_t unitsOfPart, Part part)
      : units_(units),
        unitsOfPart_(unitsOfPart),
        parts_((units + unitsOfPart - 1) / unitsOfPart),
        part_(part),
        back_(static_cast<int64_t>(parts_)) {}

  void workAsOwner() {
    while (claim()) run(front_.fetch_add(1, std::memory_order_relaxed));
  }
  void work() override {
    const ThreadAccess access(ProtectionKeys::all());
    while (!Crew::shouldMove(*this) && claim())
      run(static_cast<size_t>(back_.fetch_sub(1, std::memory_order_relaxed) - 1));
  }
  bool hasMore() const override { return taken() < parts_; }
  uint64_t taken() const override { return claimed_.load(std::memory_order_relaxed); }
  bool partsMayWait() const override { return false; }

 private:
  // One of the parts is the caller's, from whichever end: fewer are claimed at both than there are.
  bool claim() { return claimed_.fetch_add(1, std::memory_order_relaxed) < parts_; }
  void run(size_t index) {
    const size_t begin = index * unitsOfPart_;
    part_(begin, std::min(unitsOfPart_, units_ - begin));
  }

  const size_t units_, unitsOfPart_, parts_;
  Part part_;
  alignas(64) std::atomic<size_t> claimed_{0};
  std::atomic<size_t> front_{0};
  std::atomic<int64_t> back_;
};

// Smaller copies are shared if somebody is awake for them, or would be if they went on like this.
bool isWorthSharing(size_t bytes) {
  if (bytes < kWorthSharing) return false;
  Scheduler& scheduler = Scheduler::instance();
  if (scheduler.processors() < 2) return false;
  if (bytes >= kWorthWaking) return true;
  static std::atomic<int64_t> last{0};
  const int64_t now = monotonicNow();
  const bool goesOn = now - last.exchange(now, std::memory_order_relaxed) < kSoon;
  return goesOn || scheduler.helpersAwake() > 0;
}

template <typename Part>
void split(size_t units, size_t unitBytes, Part part) {
  const size_t bytes = units * unitBytes;
  if (!isWorthSharing(bytes)) {
    part(size_t{0}, units);
    return;
  }
  Scheduler& scheduler = Scheduler::instance();
  const size_t partBytes = std::clamp(bytes / (kParts * scheduler.processors()), kLeastPart, kMostPart);
  SplitJob<Part> job(units, std::max<size_t>(1, partBytes / unitBytes), part);
  scheduler.publish(
      job, static_cast<unsigned>(std::min<size_t>(bytes / kWorthHelper, scheduler.processors() - 1)));
  job.workAsOwner();
  scheduler.withdraw(job);
}

// Memory that a copy or a fill is the first to write gets huge pages then: a seventh of the time that its
// faults take.
void makePages(const void* dst, size_t bytes) {
  if (bytes < kWorthWaking) return;
  const std::vector<std::byte*> blocks = Arena::takeFresh(dst, bytes);
  if (blocks.empty()) return;
  split(blocks.size(), kHugePage, [&blocks](size_t begin, size_t count) {
    for (size_t block = begin; block < begin + count; ++block) makeHuge(blocks[block], kHugePage);
  });
}

// The same for rows, unless most of what they span is not written.
void makePages(const void* dst, size_t bytes, size_t spanned) {
  if (spanned / 2 <= bytes) makePages(dst, spanned);
}

void copyPlain(void* dst, const void* src, size_t bytes) {
  char* to = static_cast<char*>(dst);
  const char* from = static_cast<const char*>(src);
  devrt::checks::written(dst, bytes);
  if (to == from) return;
  bool overlap = to < from + bytes && from < to + bytes;
  if (overlap) {
    memmove(to, from, bytes);
  } else {
    const Through way = wayFor(bytes);
    split(bytes, 1, [=](size_t offset, size_t part) { moveBytes(to + offset, from + offset, part, way); });
  }
}

// Bytes from the first to the last one of a side.
size_t extent(const Copy& copy, size_t pitch, size_t slice) {
  return (copy.depth - 1) * slice + (copy.height - 1) * pitch + copy.width;
}

bool sidesOverlap(const Copy& copy) {
  const char* dst = static_cast<const char*>(copy.dst);
  const char* src = static_cast<const char*>(copy.src);
  return dst < src + extent(copy, copy.srcPitch, copy.srcSlice) &&
         src < dst + extent(copy, copy.dstPitch, copy.dstSlice);
}

// Rows `begin` to `begin + count`, counted through all slices.
void copyRows(const Copy& copy, size_t begin, size_t count) {
  size_t z = begin / copy.height, y = begin % copy.height;
  const Through way = wayFor(copy.width * copy.height * copy.depth);
  const bool checked = devrt::checks::on();
  while (count > 0) {
    const size_t rows = std::min(count, copy.height - y);
    char* to = static_cast<char*>(copy.dst) + z * copy.dstSlice + y * copy.dstPitch;
    const char* from = static_cast<const char*>(copy.src) + z * copy.srcSlice + y * copy.srcPitch;
    for (size_t row = 0; checked && row < rows; ++row)
      devrt::checks::written(to + row * copy.dstPitch, copy.width);
    moveRows(to, from, copy.width, rows, {copy.dstPitch, copy.srcPitch}, way);
    count -= rows;
    y = 0;
    ++z;
  }
}

void fillRow(char* row, const Fill& fill) {
  size_t bytes = fill.width * fill.elementBytes;
  devrt::checks::written(row, bytes);
  uint32_t value = fill.value;
  if (fill.elementBytes == 2) value = (value & 0xffff) * 0x10001u;
  if (fill.elementBytes == 1) value = (value & 0xff) * 0x1010101u;
  if (value == (value & 0xff) * 0x1010101u) {
    split(bytes, 1,
          [=](size_t offset, size_t part) { memset(row + offset, static_cast<int>(value & 0xff), part); });
    return;
  }
  // Parts begin at multiples of four bytes, so each sees the pattern from its start.
  split(bytes, 1, [=](size_t offset, size_t part) {
    char* at = row + offset;
    for (; part >= 4; part -= 4, at += 4) memcpy(at, &value, 4);
    memcpy(at, &value, part);
  });
}

}  // namespace

void runCopy(const Copy& copy) {
  if (copy.width == 0 || copy.height == 0 || copy.depth == 0) return;
  const ThreadAccess access(ProtectionKeys::all());
  char* dst = static_cast<char*>(copy.dst);
  const char* src = static_cast<const char*>(copy.src);
  bool densePlanes = copy.height == 1 || (copy.dstPitch == copy.width && copy.srcPitch == copy.width);
  size_t plane = copy.width * copy.height;
  if (densePlanes && (copy.depth == 1 || (copy.dstSlice == plane && copy.srcSlice == plane))) {
    makePages(dst, plane * copy.depth);
    copyPlain(dst, src, plane * copy.depth);
    return;
  }
  makePages(dst, plane * copy.depth, extent(copy, copy.dstPitch, copy.dstSlice));
  // Long rows are split themselves, short ones shared out.
  if (copy.width < kMostPart && !sidesOverlap(copy)) {
    split(copy.height * copy.depth, copy.width,
          [&copy](size_t begin, size_t count) { copyRows(copy, begin, count); });
    return;
  }
  for (size_t z = 0; z < copy.depth; ++z) {
    for (size_t y = 0; y < copy.height; ++y) {
      copyPlain(dst + z * copy.dstSlice + y * copy.dstPitch, src + z * copy.srcSlice + y * copy.srcPitch,
                copy.width);
    }
  }
}

void runFill(const Fill& fill) {
  if (fill.width == 0) return;
  const ThreadAccess access(ProtectionKeys::all());
  char* row = static_cast<char*>(fill.dst);
  const size_t width = fill.width * fill.elementBytes;
  if (fill.height > 0) makePages(row, width * fill.height, (fill.height - 1) * fill.pitch + width);
  for (size_t y = 0; y < fill.height; ++y) fillRow(row + y * fill.pitch, fill);
}

}  // namespace musashim::backend::cpu
