#include "cpu/exec/copy.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "cpu/devrt/check_hooks.h"
#include "cpu/exec/move_bytes.h"
#include "cpu/exec/parallel_job.h"
#include "cpu/exec/scheduler.h"

namespace musashim::backend::cpu {

namespace {

// Below, waking a helper costs more than it saves.
constexpr size_t kParallelBytes = 4 << 20;
constexpr size_t kPartBytes = 1 << 20;

// Runs part(begin, count) over [0, units) in parts, on helpers too. A part is about kPartBytes, a unit
// `unitBytes`.
template <typename Part>
class SplitJob final : public ParallelJob {
 public:
  SplitJob(size_t units, size_t unitsOfPart, Part part)
      : units_(units), unitsOfPart_(unitsOfPart), part_(part) {}
  void work() override {
    for (;;) {
      size_t begin = next_.fetch_add(unitsOfPart_, std::memory_order_relaxed);
      if (begin >= units_) return;
      part_(begin, std::min(unitsOfPart_, units_ - begin));
    }
  }
  bool hasMore() const override { return next_.load(std::memory_order_relaxed) < units_; }
  uint64_t taken() const override { return next_.load(std::memory_order_relaxed); }

 private:
  const size_t units_, unitsOfPart_;
  Part part_;
  std::atomic<size_t> next_{0};
};

template <typename Part>
void split(size_t units, size_t unitBytes, Part part) {
  if (units < kParallelBytes / unitBytes) {
    part(size_t{0}, units);
    return;
  }
  Scheduler& scheduler = Scheduler::instance();
  if (scheduler.processors() < 2) {
    part(size_t{0}, units);
    return;
  }
  SplitJob<Part> job(units, std::max<size_t>(1, kPartBytes / unitBytes), part);
  scheduler.publish(job, true);
  job.work();
  scheduler.withdraw(job);
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
  char* dst = static_cast<char*>(copy.dst);
  const char* src = static_cast<const char*>(copy.src);
  bool densePlanes = copy.height == 1 || (copy.dstPitch == copy.width && copy.srcPitch == copy.width);
  size_t plane = copy.width * copy.height;
  if (densePlanes && (copy.depth == 1 || (copy.dstSlice == plane && copy.srcSlice == plane))) {
    copyPlain(dst, src, plane * copy.depth);
    return;
  }
  // Long rows are split themselves, short ones shared out.
  if (copy.width < kPartBytes && !sidesOverlap(copy)) {
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
  char* row = static_cast<char*>(fill.dst);
  for (size_t y = 0; y < fill.height; ++y) fillRow(row + y * fill.pitch, fill);
}

}  // namespace musashim::backend::cpu
