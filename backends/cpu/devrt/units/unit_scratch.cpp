#include "cpu/devrt/units/unit_scratch.h"

#include <cstring>

namespace musashim::devrt {

namespace {

constexpr std::align_val_t kLine{64};
constexpr std::chrono::milliseconds kFirstPatience{50};

}  // namespace

bool Patience::isOver(const MusaUnit& unit) {
  if (program_ != unit.program) {
    program_ = unit.program;
    longest_ = kFirstPatience;
    begun_.reset();
  }
  const auto now = Clock::now();
  if (!begun_) {
    first_ = &unit;
    begun_ = now;
  }
  if (now - *begun_ < longest_) return false;
  begun_.reset();
  longest_ /= 2;
  return true;
}

UnitScratch::~UnitScratch() { operator delete(frames_, kLine); }

char* UnitScratch::framesOf(size_t bytes) {
  if (bytes > frameBytes_) {
    operator delete(frames_, kLine);
    frames_ = nullptr;
    frameBytes_ = 0;
    frames_ = static_cast<char*>(operator new(bytes, kLine));
    frameBytes_ = bytes;
  }
  return frames_;
}

void UnitScratch::tabulate(const MusaDim3& dim, uint32_t threads) {
  if (std::memcmp(&dim, &tabulated_, sizeof dim) == 0) return;
  tabulated_ = dim;
  threadIdx.resize(roundUp(threads, 128));
  MusaDim3 index{0, 0, 0};
  for (uint32_t i = 0; i < threads; ++i) {
    threadIdx[i] = index;
    if (++index.x < dim.x) continue;
    index.x = 0;
    if (++index.y < dim.y) continue;
    index.y = 0;
    ++index.z;
  }
}

}  // namespace musashim::devrt
