#include "cpu/devrt/schedule.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace musashim::devrt {

namespace {

Schedule readSchedule() {
  Schedule schedule;
  const char* text = getenv("MUSASHIM_SCHEDULE");
  if (text && *text && !parseSchedule(text, schedule)) {
    fmt::print(stderr,
               "musashim: MUSASHIM_SCHEDULE={} is not usable: accepted are forward, reverse, seed:N\n", text);
  }
  return schedule;
}

template <typename T>
void shuffle(Shuffler& random, std::span<T> values) {
  for (size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[random.below(left)]);
}

// Half of the bits that numbers below `count` need, rounded up.
unsigned halfBits(uint64_t count) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(count - 1) + 1) / 2);
}

bool readClearsShared() {
  const char* text = getenv("MUSASHIM_CLEAR_SHARED");
  if (!text || !*text || strcmp(text, "0") == 0) return false;
  if (strcmp(text, "1") == 0) return true;
  fmt::print(stderr, "musashim: MUSASHIM_CLEAR_SHARED={} is not usable: accepted are 0, 1\n", text);
  return false;
}

// A permutation of the numbers of 2 * half bits.
uint64_t feistel(uint64_t value, unsigned half, uint64_t seed) {
  const uint64_t mask = (uint64_t{1} << half) - 1;
  uint64_t left = value >> half, right = value & mask;
  for (uint64_t round = 0; round < 4; ++round) {
    const uint64_t mixed = Shuffler(seed ^ (right + 1) * 0x2545f4914f6cdd1du ^ round << 60).next();
    left = std::exchange(right, left ^ (mixed & mask));
  }
  return left << half | right;
}

}  // namespace

uint64_t Shuffler::next() {
  uint64_t mixed = state_ += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return mixed ^ mixed >> 31;
}

bool parseSchedule(const char* text, Schedule& schedule) {
  constexpr char kSeed[] = "seed:";
  if (strcmp(text, "forward") == 0) {
    schedule = {};
    return true;
  }
  if (strcmp(text, "reverse") == 0) {
    schedule = {Schedule::Kind::kReverse, 0};
    return true;
  }
  if (strncmp(text, kSeed, sizeof kSeed - 1) != 0) return false;
  const char* digits = text + sizeof kSeed - 1;
  if (!isdigit(static_cast<unsigned char>(*digits))) return false;
  char* end = nullptr;
  const uint64_t seed = strtoull(digits, &end, 10);
  if (*end != '\0') return false;
  schedule = {Schedule::Kind::kSeed, seed};
  return true;
}

const Schedule& processSchedule() {
  static const Schedule schedule = readSchedule();
  return schedule;
}

bool clearsShared() {
  static const bool clears = readClearsShared();
  return clears;
}

void clearShared(const MusaBlockContext& block) {
  std::fill_n(block.shared, size_t{block.dynamic_shared_offset} + block.dynamic_shared_bytes, 0);
}

uint64_t scheduledBlock(const Schedule& schedule, uint64_t position, uint64_t count) {
  if (schedule.isForward()) return position;
  if (schedule.kind == Schedule::Kind::kReverse) return count - 1 - position;
  // A permutation of a power of four, applied until it lands below the count: at most
  // four times on average, and never twice the same.
  do position = feistel(position, halfBits(count), schedule.seed);
  while (position >= count);
  return position;
}

void scheduleThreads(const Schedule& schedule, uint64_t block, uint32_t warpSize, std::span<uint16_t> order) {
  std::iota(order.begin(), order.end(), uint16_t{0});
  if (schedule.isForward()) return;
  if (schedule.kind == Schedule::Kind::kReverse) {
    std::reverse(order.begin(), order.end());
    return;
  }
  Shuffler random(schedule.seed ^ (block + 1) * 0xd1342543de82ef95u);
  const size_t warps = (order.size() + warpSize - 1) / warpSize;
  std::vector<uint16_t> warpOrder(warps);
  std::iota(warpOrder.begin(), warpOrder.end(), uint16_t{0});
  shuffle<uint16_t>(random, warpOrder);
  size_t filled = 0;
  for (uint16_t warp : warpOrder) {
    const size_t first = size_t{warp} * warpSize, lanes = std::min<size_t>(warpSize, order.size() - first);
    std::span<uint16_t> part = order.subspan(filled, lanes);
    std::iota(part.begin(), part.end(), static_cast<uint16_t>(first));
    shuffle(random, part);
    filled += lanes;
  }
}

}  // namespace musashim::devrt
