#include "cpu/devrt/checks/check_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

#include "abi/musa_check_abi.h"

namespace musashim::devrt::checks {

std::atomic<uint32_t> enabled{0};

// ---- Which bytes have been written

namespace {

constexpr uint8_t kWhole = MUSA_CHECK_WHOLE_WORD;

uint8_t* mapBytes(size_t bytes) {
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<uint8_t*>(memory);
}

// Calls visit(word, mask) for the words of four bytes that hold parts of [first, first + count) alone, and
// visitWhole(word, words) for those in between.
template <typename Visit, typename VisitWhole>
void forWords(size_t first, size_t count, Visit visit, VisitWhole visitWhole) {
  const auto part = [&] {
    const size_t begin = first % 4, here = std::min<size_t>(4 - begin, count);
    visit(first / 4, static_cast<uint8_t>(((1u << here) - 1) << begin));
    first += here;
    count -= here;
  };
  if (count > 0 && (first % 4 != 0 || count < 4)) part();
  if (count >= 4) {
    const size_t words = count / 4;
    visitWhole(first / 4, words);
    first += words * 4;
    count -= words * 4;
  }
  if (count > 0) part();
}

}  // namespace

WrittenMap::WrittenMap(size_t bytes) : size_(bytes / 4 + 16), map_(mapBytes(size_)) {}

WrittenMap::~WrittenMap() { munmap(map_, size_); }

void WrittenMap::mark(size_t first, size_t bytes) {
  forWords(
      first, bytes,
      [this](size_t word, uint8_t mask) {
        std::atomic_ref<uint8_t> bits(map_[word]);
        if ((bits.load(std::memory_order_relaxed) & mask) != mask)
          bits.fetch_or(mask, std::memory_order_relaxed);
      },
      [this](size_t word, size_t words) { memset(map_ + word, kWhole, words); });
}

size_t WrittenMap::count(size_t first, size_t bytes) const {
  size_t result = 0;
  const auto add = [&](size_t word, uint8_t mask) {
    const uint8_t bits = std::atomic_ref<uint8_t>(map_[word]).load(std::memory_order_relaxed);
    result += static_cast<size_t>(std::popcount(static_cast<uint8_t>(bits & mask)));
  };
  forWords(first, bytes, add, [&](size_t word, size_t words) {
    for (size_t at = word; at < word + words; ++at) add(at, kWhole);
  });
  return result;
}

size_t Allocation::writtenBytes(uintptr_t address, size_t size) const {
  return initialised.load(std::memory_order_relaxed) ? size : written->count(address - base, size);
}

bool Allocation::isWritten(uintptr_t address, size_t size) const {
  return writtenBytes(address, size) == size;
}

void Allocation::mark(uintptr_t address, size_t size) {
  if (initialised.load(std::memory_order_relaxed)) return;
  if (size == bytes) {
    initialised.store(true, std::memory_order_relaxed);
  } else {
    written->mark(address - base, size);
  }
}

// ---- Allocations

MemoryTable& MemoryTable::instance() {
  static auto* const table = new MemoryTable;
  return *table;
}

void MemoryTable::insert(uintptr_t base, size_t bytes, MemoryKind kind, std::string name) {
  auto allocation = std::make_unique<Allocation>();
  allocation->base = base;
  allocation->bytes = std::max<size_t>(bytes, 1);
  allocation->kind = kind;
  allocation->name = std::move(name);
  const bool followed = kind == MemoryKind::kDevice || kind == MemoryKind::kHeap;
  allocation->initialised = !followed || !(enabled.load() & MUSA_CHECK_INIT);
  if (!allocation->initialised) allocation->written = std::make_unique<WrittenMap>(bytes);
  std::unique_lock lock(mutex_);
  forgetFreed(base, bytes);
  std::unique_ptr<Allocation>& place = live_[base];
  if (place) retire(std::move(place));
  place = std::move(allocation);
  generation_.fetch_add(1, std::memory_order_release);
}

void MemoryTable::forgetFreed(uintptr_t base, size_t bytes) {
  auto at = freed_.lower_bound(base);
  if (at != freed_.begin() && std::prev(at)->first + std::prev(at)->second > base) --at;
  while (at != freed_.end() && at->first < base + bytes) at = freed_.erase(at);
}

// A thread may be looking at it just now.
void MemoryTable::retire(std::unique_ptr<Allocation> allocation) {
  retired_.push_back(std::move(allocation));
  if (retired_.size() > kRemembered) retired_.pop_front();
}

void MemoryTable::release(uintptr_t base) {
  std::unique_lock lock(mutex_);
  auto found = live_.find(base);
  if (found == live_.end()) return;
  freed_[base] = found->second->bytes;
  retire(std::move(found->second));
  live_.erase(found);
  generation_.fetch_add(1, std::memory_order_release);
}

void MemoryTable::releaseWithin(uintptr_t base, size_t bytes) {
  std::unique_lock lock(mutex_);
  for (auto at = live_.lower_bound(base); at != live_.end() && at->first - base < bytes;) {
    retire(std::move(at->second));
    at = live_.erase(at);
  }
  forgetFreed(base, bytes);
  generation_.fetch_add(1, std::memory_order_release);
}

void MemoryTable::trustAll() {
  std::shared_lock lock(mutex_);
  for (auto& [base, allocation] : live_) allocation->initialised.store(true, std::memory_order_relaxed);
}

Allocation* MemoryTable::find(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  auto next = live_.upper_bound(address);
  if (next == live_.begin()) return nullptr;
  Allocation* candidate = std::prev(next)->second.get();
  return candidate->contains(address) ? candidate : nullptr;
}

std::optional<MemoryTable::Range> MemoryTable::freedAt(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) return std::nullopt;
  auto [base, bytes] = *std::prev(next);
  if (address - base >= bytes) return std::nullopt;
  return Range{base, bytes, {}};
}

std::optional<MemoryTable::Range> MemoryTable::nearest(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  const Allocation* best = nullptr;
  uintptr_t distance = std::numeric_limits<uintptr_t>::max();
  for (const auto& [base, allocation] : live_) {
    uintptr_t end = base + allocation->bytes;
    uintptr_t here = address < base ? base - address : address - std::min(address, end - 1);
    if (here < distance) {
      distance = here;
      best = allocation.get();
    }
  }
  if (!best) return std::nullopt;
  return Range{best->base, best->bytes, best->name};
}

std::deque<MemoryTable::Range> MemoryTable::live(MemoryKind kind) const {
  std::shared_lock lock(mutex_);
  std::deque<Range> result;
  for (const auto& [base, allocation] : live_) {
    if (allocation->kind == kind) result.push_back({base, allocation->bytes, allocation->name});
  }
  return result;
}

// ---- Hooks

namespace {
std::atomic<bool> unseen{false};  // something was allocated before the checks began
}

bool MemoryTable::isComplete() { return !unseen.load(std::memory_order_relaxed); }

void allocated(const void* address, size_t bytes, MemoryKind kind) {
  if (on()) {
    MemoryTable::instance().insert(reinterpret_cast<uintptr_t>(address), bytes, kind);
  } else if (!unseen.load(std::memory_order_relaxed)) {
    unseen.store(true);
  }
}

void released(const void* address) {
  if (on()) MemoryTable::instance().release(reinterpret_cast<uintptr_t>(address));
}

void releasedAll(const void* address, size_t bytes) {
  if (on()) MemoryTable::instance().releaseWithin(reinterpret_cast<uintptr_t>(address), bytes);
}

void written(const void* address, size_t bytes) {
  if (!on()) return;
  uintptr_t first = reinterpret_cast<uintptr_t>(address);
  Allocation* allocation = MemoryTable::instance().find(first);
  if (!allocation) return;
  allocation->mark(first, std::min<size_t>(bytes, allocation->base + allocation->bytes - first));
}

void trustAll() {
  if (on()) MemoryTable::instance().trustAll();
}

}  // namespace musashim::devrt::checks
