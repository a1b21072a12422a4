#include "cpu/devrt/checks/check_block.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "cpu/devrt/checks/check_place.h"
#include "cpu/devrt/control.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/services/fault.h"
#include "cpu/devrt/services/memory_spaces.h"

namespace musashim::devrt::checks {

namespace {

// Looked at where every access is the runtime's affair.
const MusaCheckEntry noEntries[MUSA_CHECK_ENTRIES] = {};
const uint64_t noGeneration = 0;

// How often, before the block is given up: such a thread may wait for ever for what it cannot read.
constexpr uint32_t kMostRefused = 1u << 20;

bool reads(const MusaCheckSite& site) { return site.kind != MUSA_SITE_WRITE; }
bool writes(const MusaCheckSite& site) { return site.kind != MUSA_SITE_READ; }

}  // namespace

const MusaCheckSite kEnded{};
constexpr MusaCheckState kIdle = [] {
  MusaCheckState state{};
  state.entries = noEntries;
  state.generation = &noGeneration;
  return state;
}();

void BlockChecks::beginBlock(const MusaBlockContext& block) {
  auto* grid = static_cast<GridState*>(block.grid_state);
  block_ = &block;
  reports_ = &grid->reports.get(*grid->kernel);
  threads_ = block.block_dim.x * block.block_dim.y * block.block_dim.z;
  failed_ = false;
  refused_ = 0;
  sharedBase_ = reinterpret_cast<uintptr_t>(block.shared);
  sharedBytes_ = size_t{block.dynamic_shared_offset} + block.dynamic_shared_bytes;
  paramsBase_ = reinterpret_cast<uintptr_t>(block.params);
  paramsBytes_ = grid->kernel->param_bytes;
  places_.assign(threads_, nullptr);
  dead_.assign(threads_, false);
  meetings_.clear();
  MusaCheckState& state = __musa_check_state;
  state = kIdle;
  state.owner = this;
  state.entries = entries_.data();
  state.generation = MemoryTable::instance().generationWord();
  state.shared = sharedBase_;
  state.shared_bytes = sharedBytes_;
  state.dynamic = block.dynamic_shared_offset;
  state.live = threads_;
  state.places = places_.data();
  state.ended = &kEnded;
  state.threads = threads_;
  state.warp_size = block.warp_size;
  if ((enabled.load() & MUSA_CHECK_RACE) == 0) return;
  race_.beginBlock(threads_, block.warp_size, sharedBytes_, grid->kernel);
  state.words = race_.words();
  state.pitch = race_.pitch();
  state.clocks = race_.clocks();
  state.met = race_.met();
  state.epoch = race_.epoch();
}

MusaDim3 BlockChecks::threadIndex(uint32_t thread) const {
  const MusaDim3& dim = block_->block_dim;
  return {thread % dim.x, thread / dim.x % dim.y, thread / dim.x / dim.y};
}

// ---- Threads that did what they must not

// From now on no entry is filled: every access is looked at here, as this thread's must come to nothing.
void* BlockChecks::die(uint32_t thread) {
  failed_ = true;
  dead_[thread] = true;
  entries_.fill({});
  return nowhere_.data();
}

void* BlockChecks::refuse() {
  if (++refused_ > kMostRefused) raiseFault(StatusCode::kLaunchFailure, kFailed);
  return nowhere_.data();
}

// ---- Accesses

void* BlockChecks::access(void* address, const MusaCheckSite& site, uint32_t slot, uint32_t thread,
                          uint64_t value, bool known) {
  if (isDead(thread)) return refuse();
  thread_ = thread;
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (!check(at, site.bytes, site, slot)) return die(thread);
  if ((site.checks & MUSA_CHECK_RACE) == 0) return address;
  if (isShared(at)) checkRace(at, site.bytes, site, storesTheSame(at, site, value, known));
  if (site.order != MUSA_ORDER_RELAXED) order(at, site);
  return address;
}

void* BlockChecks::shared(void* address, const MusaCheckSite& site, uint32_t thread) {
  if (isDead(thread)) return refuse();
  thread_ = thread;
  return checkShared(reinterpret_cast<uintptr_t>(address), site.bytes, site) ? address : die(thread);
}

void BlockChecks::race(uintptr_t address, const MusaCheckSite& site, uint32_t thread, uint64_t value,
                       bool known) {
  if (isDead(thread)) return;
  thread_ = thread;
  checkRace(address, site.bytes, site, storesTheSame(address, site, value, known));
  if (site.order != MUSA_ORDER_RELAXED) order(address, site);
}

uint64_t BlockChecks::range(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, uint32_t thread) {
  if (bytes == 0 || isDead(thread)) return 0;
  thread_ = thread;
  if (!check(address, bytes, site, MUSA_CHECK_ENTRIES)) {
    die(thread);
    return 0;
  }
  if ((site.checks & MUSA_CHECK_RACE) && isShared(address)) checkRace(address, bytes, site, false);
  return bytes;
}

// No other thread of the block runs between this and the atomic itself.
void BlockChecks::order(uintptr_t address, const MusaCheckSite& site) {
  const auto thread = static_cast<uint16_t>(thread_);
  if (site.order & MUSA_ORDER_ACQUIRE) race_.acquire(address, thread);
  if (site.order & MUSA_ORDER_RELEASE) race_.release(address, thread);
}

// Two threads that store what is there already do no harm.
bool BlockChecks::storesTheSame(uintptr_t address, const MusaCheckSite& site, uint64_t value,
                                bool known) const {
  return known && isShared(address) && address + site.bytes <= sharedBase_ + sharedBytes_ &&
         memcmp(reinterpret_cast<const void*>(address), &value, site.bytes) == 0;
}

bool BlockChecks::check(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, uint32_t slot) {
  if (site.space == MUSA_SPACE_SHARED || isShared(address)) return checkShared(address, bytes, site);
  if (isOwnStack(address)) return checkAlignment(address, bytes, site);
  return checkMemory(address, bytes, site, slot);
}

bool BlockChecks::isOwnStack(uintptr_t address) { return isPrivate(address); }

bool BlockChecks::isStack(uintptr_t address) {
  const HostThread& host = HostThread::current();
  return host.fibers && host.fibers->pool().isStack(address);
}

bool BlockChecks::isParameter(uintptr_t address, uint64_t bytes) const {
  return address - paramsBase_ < paramsBytes_ && bytes <= paramsBytes_ - (address - paramsBase_);
}

bool BlockChecks::checkAlignment(uintptr_t address, uint64_t bytes, const MusaCheckSite& site) {
  if ((address & (site.align - 1)) == 0 || !(site.checks & MUSA_CHECK_MEMORY)) return true;
  const uintptr_t shown = isShared(address) ? address - sharedBase_ : address;
  return invalid(address, bytes, site, {fmt::format("Address {:#x} is misaligned", shown)});
}

// What compiled code asks first from now on, at this place of the source.
void BlockChecks::fillEntry(Allocation& allocation, uint64_t generation, uint32_t slot) {
  if (slot >= entries_.size() || failed_) return;
  const bool whole = allocation.initialised.load(std::memory_order_relaxed);
  entries_[slot] = {allocation.base, allocation.bytes, generation,
                    whole ? nullptr : allocation.written->map()};
}

bool BlockChecks::checkMemory(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, uint32_t slot) {
  MemoryTable& table = MemoryTable::instance();
  const uint64_t generation = table.generation();
  Allocation* allocation = table.find(address);
  if (!allocation) {
    const bool unknown = !MemoryTable::isComplete() && !table.freedAt(address);
    if (isParameter(address, bytes) || unknown || !(site.checks & MUSA_CHECK_MEMORY)) return true;
    return outOfBounds(address, bytes, site);
  }
  const uint64_t left = allocation->base + allocation->bytes - address;
  if (bytes > left && (site.checks & MUSA_CHECK_MEMORY)) return outOfBounds(address, bytes, site);
  if (!checkAlignment(address, bytes, site)) return false;
  if (!allocation->initialised.load(std::memory_order_relaxed)) {
    checkWritten(*allocation, address, std::min(bytes, left), site);
  }
  fillEntry(*allocation, generation, slot);
  return true;
}

void BlockChecks::checkWritten(Allocation& allocation, uintptr_t address, uint64_t bytes,
                               const MusaCheckSite& site) {
  if (reads(site) && (site.checks & MUSA_CHECK_INIT)) {
    const size_t written = allocation.writtenBytes(address, bytes);
    // Structures are copied with their padding, which nobody writes.
    const bool copiesPart = site.bytes != bytes || bytes > 16;
    if (copiesPart ? written == 0 : written < bytes) {
      std::vector<std::string> lines = where(site);
      lines.push_back(fmt::format("Address {:#x}", address));
      reports_->error(fmt::format("Uninitialized __global__ memory read of size {} bytes", bytes), lines);
    }
  }
  if (writes(site)) allocation.mark(address, bytes);
}

bool BlockChecks::checkShared(uintptr_t address, uint64_t bytes, const MusaCheckSite& site) {
  const bool dynamic = site.space == MUSA_SPACE_SHARED && site.variable_bytes == 0;
  const uintptr_t begin = sharedBase_ + (dynamic ? block_->dynamic_shared_offset : 0);
  const size_t size = sharedBytes_ - (begin - sharedBase_);
  const bool inside = address - begin < size && bytes <= size - (address - begin);
  if (!inside) return (site.checks & MUSA_CHECK_MEMORY) ? outOfBounds(address, bytes, site) : true;
  return checkAlignment(address, bytes, site);
}

void BlockChecks::checkRace(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue) {
  const auto thread = static_cast<uint16_t>(thread_);
  const bool atomic = site.kind == MUSA_SITE_ATOMIC;
  const size_t offset = address - sharedBase_;
  if (offset >= sharedBytes_ || bytes > sharedBytes_ - offset) return;  // not looked at, as memory
  for (size_t at = offset, end = at + bytes; at < end;) {
    const size_t word = at / 4, first = at % 4, last = std::min(end - word * 4, size_t{4});
    const auto mask = static_cast<uint8_t>(((1u << last) - 1) & ~((1u << first) - 1));
    const RaceShadow::Hazard hazard =
        writes(site) ? race_.write(word, mask, thread, &site, atomic) : race_.read(word, mask, thread, &site);
    if (hazard.kind) reportRace(hazard, word, site, sameValue);
    at = word * 4 + last;
  }
}

// ---- Those of a host thread

BlockChecks& BlockChecksPool::take() {
  if (spare_.empty()) {
    all_.push_back(std::make_unique<BlockChecks>());
    return *all_.back();
  }
  BlockChecks& checks = *spare_.back();
  spare_.pop_back();
  return checks;
}

void BlockChecksPool::give(BlockChecks& checks) {
  __musa_check_state = kIdle;
  spare_.push_back(&checks);
}

void BlockChecksPool::reset() {
  __musa_check_state = kIdle;
  spare_.clear();
  for (const auto& checks : all_) spare_.push_back(checks.get());
}

}  // namespace musashim::devrt::checks

extern "C" {
MUSADEVRT_API __thread MusaCheckState __musa_check_state __attribute__((tls_model("initial-exec"))) =
    musashim::devrt::checks::kIdle;
}
