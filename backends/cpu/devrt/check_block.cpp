#include "cpu/devrt/check_block.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "cpu/devrt/block_fibers.h"
#include "cpu/devrt/check_place.h"
#include "cpu/devrt/control.h"

namespace musashim::devrt::checks {

namespace {

__thread BlockChecks* currentChecks __attribute__((tls_model("initial-exec"))) = nullptr;

bool reads(const MusaCheckSite& site) { return site.kind != MUSA_SITE_WRITE; }
bool writes(const MusaCheckSite& site) { return site.kind != MUSA_SITE_READ; }

const char* actionOf(const MusaCheckSite& site) {
  if (site.kind == MUSA_SITE_ATOMIC) return "Atomic";
  return site.kind == MUSA_SITE_WRITE ? "Write" : "Read";
}

}  // namespace

BlockChecks* BlockChecks::current() { return currentChecks; }
void BlockChecks::setCurrent(BlockChecks* checks) { currentChecks = checks; }

void BlockChecks::beginBlock(const MusaBlockContext& block, uint32_t threads) {
  auto* grid = static_cast<GridState*>(block.grid_state);
  block_ = &block;
  reports_ = &grid->reports.get(*grid->kernel);
  threads_ = threads;
  failed_ = false;
  sharedBase_ = reinterpret_cast<uintptr_t>(block.shared);
  sharedBytes_ = size_t{block.dynamic_shared_offset} + block.dynamic_shared_bytes;
  paramsBase_ = reinterpret_cast<uintptr_t>(block.params);
  paramsBytes_ = grid->kernel->param_bytes;
  sites_.assign(threads, nullptr);
  endedByUs_.assign(threads, false);
  if (enabled.load() & MUSA_CHECK_RACE) race_.beginBlock(threads, block.warp_size, sharedBytes_);
  currentChecks = this;
}

void BlockChecks::endBlock() { currentChecks = nullptr; }

void BlockChecks::endThread() {
  failed_ = true;
  endedByUs_[currentThread()] = true;
  fibers_.endThread();
}

uint32_t BlockChecks::currentThread() const { return __musa_thread.linear_idx; }

MusaDim3 BlockChecks::threadIndex(uint32_t thread) const {
  const MusaDim3& dim = block_->block_dim;
  return {thread % dim.x, thread / dim.x % dim.y, thread / dim.x / dim.y};
}

// ---- Accesses

bool BlockChecks::access(uintptr_t address, const MusaCheckSite& site) {
  if (!check(address, site.bytes, site, false)) return false;
  if (site.order != MUSA_ORDER_RELAXED && (site.checks & MUSA_CHECK_RACE)) order(address, site);
  return true;
}

// No other thread of the block runs between this and the atomic itself.
void BlockChecks::order(uintptr_t address, const MusaCheckSite& site) {
  const auto thread = static_cast<uint16_t>(currentThread());
  if (site.order & MUSA_ORDER_ACQUIRE) race_.acquire(address, thread);
  if (site.order & MUSA_ORDER_RELEASE) race_.release(address, thread);
}

bool BlockChecks::store(uintptr_t address, const MusaCheckSite& site, uint64_t value, bool known) {
  // Two threads that store what is there already do no harm.
  const bool same = known && isShared(address) && address + site.bytes <= sharedBase_ + sharedBytes_ &&
                    memcmp(reinterpret_cast<const void*>(address), &value, site.bytes) == 0;
  return check(address, site.bytes, site, same);
}

bool BlockChecks::range(uintptr_t address, uint64_t bytes, const MusaCheckSite& site) {
  return bytes == 0 || check(address, bytes, site, false);
}

bool BlockChecks::check(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue) {
  if (site.space == MUSA_SPACE_SHARED || isShared(address)) {
    return checkShared(address, bytes, site, sameValue);
  }
  if (isOwnStack(address)) return checkAlignment(address, bytes, site);
  return checkMemory(address, bytes, site);
}

bool BlockChecks::isOwnStack(uintptr_t address) const {
  const uintptr_t top = fibers_.currentStackTop(), bytes = fibers_.pool().stackBytes();
  return address - (top - bytes) < bytes;
}

bool BlockChecks::isParameter(uintptr_t address, uint64_t bytes) const {
  return address - paramsBase_ < paramsBytes_ && bytes <= paramsBytes_ - (address - paramsBase_);
}

bool BlockChecks::checkAlignment(uintptr_t address, uint64_t bytes, const MusaCheckSite& site) {
  if ((address & (site.align - 1)) == 0 || !(site.checks & MUSA_CHECK_MEMORY)) return true;
  const uintptr_t shown = isShared(address) ? address - sharedBase_ : address;
  return invalid(address, bytes, site, {fmt::format("Address {:#x} is misaligned", shown)});
}

// Places of the source mostly stay with one allocation.
Allocation* BlockChecks::findAllocation(uintptr_t address, const MusaCheckSite& site) {
  MemoryTable& table = MemoryTable::instance();
  CacheLine& line = cache_[reinterpret_cast<uintptr_t>(&site) / sizeof site % cache_.size()];
  const uint64_t generation = table.generation();
  if (line.generation == generation && line.allocation->contains(address)) return line.allocation;
  Allocation* found = table.find(address);
  if (found) line = {found, generation};
  return found;
}

bool BlockChecks::checkMemory(uintptr_t address, uint64_t bytes, const MusaCheckSite& site) {
  Allocation* allocation = findAllocation(address, site);
  if (!allocation) {
    const bool unknown = !MemoryTable::isComplete() && !MemoryTable::instance().freedAt(address);
    if (isParameter(address, bytes) || unknown || !(site.checks & MUSA_CHECK_MEMORY)) return true;
    return outOfBounds(address, bytes, site);
  }
  const uint64_t left = allocation->base + allocation->bytes - address;
  if (bytes > left && (site.checks & MUSA_CHECK_MEMORY)) return outOfBounds(address, bytes, site);
  if (!checkAlignment(address, bytes, site)) return false;
  if (!allocation->initialised.load(std::memory_order_relaxed)) {
    checkWritten(*allocation, address, std::min(bytes, left), site);
  }
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

bool BlockChecks::checkShared(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue) {
  const bool dynamic = site.space == MUSA_SPACE_SHARED && site.variable_bytes == 0;
  const uintptr_t begin = sharedBase_ + (dynamic ? block_->dynamic_shared_offset : 0);
  const size_t size = sharedBytes_ - (begin - sharedBase_);
  const bool inside = address - begin < size && bytes <= size - (address - begin);
  if (!inside) return (site.checks & MUSA_CHECK_MEMORY) ? outOfBounds(address, bytes, site) : true;
  if (!checkAlignment(address, bytes, site)) return false;
  if (site.checks & MUSA_CHECK_RACE) checkRace(address, bytes, site, sameValue);
  return true;
}

void BlockChecks::checkRace(uintptr_t address, uint64_t bytes, const MusaCheckSite& site, bool sameValue) {
  const auto thread = static_cast<uint16_t>(currentThread());
  const bool atomic = site.kind == MUSA_SITE_ATOMIC;
  for (size_t at = address - sharedBase_, end = at + bytes; at < end;) {
    const size_t word = at / 4, first = at % 4, last = std::min(end - word * 4, size_t{4});
    const auto mask = static_cast<uint8_t>(((1u << last) - 1) & ~((1u << first) - 1));
    const RaceShadow::Hazard hazard =
        writes(site) ? race_.write(word, mask, thread, &site, atomic) : race_.read(word, mask, thread, &site);
    if (hazard.kind) reportRace(hazard, word, site, sameValue);
    at = word * 4 + last;
  }
}

const char* BlockChecks::excuseOf(const RaceShadow::Access& earlier, const MusaCheckSite& site,
                                  bool sameValue) const {
  if (sameValue && earlier.site->kind == MUSA_SITE_WRITE) return ", both with the same value";
  if (site.kind == MUSA_SITE_ATOMIC || earlier.site->kind == MUSA_SITE_ATOMIC) return ", one of them atomic";
  const bool sameWarp = earlier.thread / block_->warp_size == currentThread() / block_->warp_size;
  return sameWarp ? ", both of one warp" : nullptr;
}

void BlockChecks::reportRace(const RaceShadow::Hazard& hazard, size_t word, const MusaCheckSite& site,
                             bool sameValue) {
  Race race;
  race.hazard = hazard.kind;
  race.first = {hazard.earlier.site, actionOf(*hazard.earlier.site), threadIndex(hazard.earlier.thread)};
  race.second = {&site, actionOf(site), __musa_thread.thread_idx};
  race.block = block_->block_idx;
  race.offset = word * 4;
  race.excuse = excuseOf(hazard.earlier, site, sameValue);
  reports_->race(race);
}

// ---- Reports about accesses

std::vector<std::string> BlockChecks::where(const MusaCheckSite& site) const {
  const auto& grid = *static_cast<const GridState*>(block_->grid_state);
  const std::string kernel = demangled(grid.kernel->name);
  std::vector<std::string> lines{"at " + placeText(site)};
  if (kernel != site.function) lines.push_back("in kernel " + kernel);
  lines.push_back(fmt::format("by thread {} in block {}", indexText(__musa_thread.thread_idx),
                              indexText(block_->block_idx)));
  return lines;
}

const char* BlockChecks::spaceOf(uintptr_t address, const MusaCheckSite& site) const {
  constexpr uintptr_t kNear = 64 << 10;
  if (site.space == MUSA_SPACE_LOCAL || fibers_.pool().isStack(address)) return "__local__";
  const bool nearShared = sharedBytes_ > 0 && address - (sharedBase_ - kNear) < sharedBytes_ + 2 * kNear &&
                          !isDeviceRange(address);
  return site.space == MUSA_SPACE_SHARED || nearShared ? "__shared__" : "__global__";
}

bool BlockChecks::invalid(uintptr_t address, uint64_t bytes, const MusaCheckSite& site,
                          const std::vector<std::string>& why) {
  const char* action = site.kind == MUSA_SITE_ATOMIC ? "atomic" : writes(site) ? "write" : "read";
  std::vector<std::string> lines = where(site);
  lines.insert(lines.end(), why.begin(), why.end());
  reports_->error(fmt::format("Invalid {} {} of size {} bytes", spaceOf(address, site), action, bytes),
                  lines);
  return false;
}

bool BlockChecks::outOfBounds(uintptr_t address, uint64_t bytes, const MusaCheckSite& site) {
  const bool shared = strcmp(spaceOf(address, site), "__shared__") == 0;
  return invalid(address, bytes, site,
                 shared ? whyOutOfShared(address, bytes) : whyOutOfBounds(address, bytes));
}

std::vector<std::string> BlockChecks::whyOutOfShared(uintptr_t address, uint64_t bytes) const {
  return {fmt::format("Address {:#x} is out of bounds", address - sharedBase_),
          "and is " + distanceText(address, bytes, sharedBase_, sharedBytes_) +
              fmt::format(" the block's shared memory of size {} bytes", sharedBytes_)};
}

std::vector<std::string> BlockChecks::whyOutOfBounds(uintptr_t address, uint64_t bytes) const {
  std::vector<std::string> lines{fmt::format("Address {:#x} is out of bounds", address)};
  if (fibers_.pool().isStack(address)) {
    lines.push_back("and is local memory of another thread");
    return lines;
  }
  for (std::string& line : describeAddress(address, bytes)) lines.push_back(std::move(line));
  return lines;
}

void BlockChecks::reportOutOfVariable(uintptr_t address, uintptr_t base, const MusaCheckSite& site) {
  const bool shared = site.space == MUSA_SPACE_SHARED;
  const uintptr_t origin = shared ? sharedBase_ : 0;
  invalid(address, site.bytes, site,
          {fmt::format("Address {:#x} is out of bounds", address - origin),
           fmt::format("and is {} the variable '{}' at {:#x} of size {} bytes",
                       distanceText(address, site.bytes, base, site.variable_bytes),
                       site.variable ? demangled(site.variable) : "?", base - origin, site.variable_bytes)});
}

void BlockChecks::reportFree(uintptr_t address, bool freedBefore, const MusaCheckSite& site) {
  if (!(site.checks & MUSA_CHECK_MEMORY)) return;
  std::vector<std::string> lines = where(site);
  lines.push_back(fmt::format("Address {:#x}", address));
  reports_->error(std::string("Malloc/Free error encountered: ") +
                      (freedBefore ? "Double free" : "Invalid pointer to free"),
                  lines);
}

}  // namespace musashim::devrt::checks
