#include "cpu/core/backend.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "cpu/core/cpu_level.h"
#include "cpu/devrt/control.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/observer.h"
#include "cpu/memory/page.h"
#include "support/last_cache.h"

namespace musashim::backend::cpu {

namespace {
constexpr uint64_t kLeastHostArena = 1ull << 30;
}  // namespace

Status CpuBackend::create(const Settings& settings, std::unique_ptr<Backend>& backend) {
  if (!settings.error.empty()) return {StatusCode::kInvalidValue, settings.error};
  devrt::useWideKernels(cpuLevel() >= 4);
  // A grid reads as well, mostly as much: of what is half as large again as the cache, little is found there
  // later. (Zen 5 with 32 MiB: grids that write 32 MiB lose by it, those that write 64 gain.)
  devrt::writePastCaches(settings.pastCachesBytes.value_or(support::lastCacheBytes() / 2 * 3));
  // Sapphire Rapids gains nothing by what is past the next page: sums of blocks from memory are 1.08 times as
  // fast with 2 KiB as with 4, sums by warps 1.17 times with 2.5 as with 12. On Zen 4 they gain by 4 and by
  // 12 (1.06 to 1.1, 1.05 to 1.08 times as fast), and warps lose by 2.
  if (isIntels()) devrt::askOnward(2048, 2560);
  devrt::readRowsByLoops(isIntels());
  if (settings.protect.value_or(true)) {
    const Status keys = ProtectionKeys::create(settings.devices);
    if (!keys.isOk() && settings.protect) {
      fmt::print(stderr,
                 "musashim: MUSASHIM_PROTECT=1: {}: host code that touches device memory gets no fault\n",
                 keys.message());
    }
  }
  MachineMemory machine;
  // Page-locked memory cannot exceed the machine's.
  uint64_t hostBytes = std::max(machine.total(), kLeastHostArena);
  // Processes that emulate other devices share none with us.
  const bool alone = settings.session.empty() || settings.devices == 0;
  auto board =
      DeviceBoard::join(alone ? "" : settings.session + "/" + settings.machineWord(), settings.devices);
  std::unique_ptr<CpuBackend> made(
      new CpuBackend(std::move(machine), {settings.overcommit, settings.reserveBytes}, std::move(board)));
  if (settings.devices > 0) {
    MUSASHIM_RETURN_IF_ERROR(Arena::create("musa-host", hostBytes, kPage, made->ledger_, made->hostMemory_,
                                           devrt::checks::MemoryKind::kHost));
  }
  made->devices_.resize(settings.devices);
  for (size_t i = 0; i < settings.devices; ++i) {
    MUSASHIM_RETURN_IF_ERROR(CpuDevice::create(i, settings, made->ledger_, made->devices_[i]));
  }
  made->connect(settings.machine.links);
  CpuAddressSpace::DeviceBytes deviceBytes{};
  for (size_t i = 0; i < settings.devices; ++i) deviceBytes[i] = settings.profileOf(i).memoryBytes;
  made->addressSpace_ = std::make_unique<CpuAddressSpace>(made->ledger_, deviceBytes);
  backend = std::move(made);
  return Status::ok();
}

void CpuBackend::connect(const std::vector<MachineLink>& links) {
  for (const MachineLink& link : links) {
    if (link.mtlinks != 0) links_.push_back({link.a, link.b, link.mtlinks});
    if (link.gigabytesPerSecond == 0) continue;
    if (!slowLinks_) {
      std::vector<SlowLinks::Memory> memory;
      for (const auto& device : devices_)
        memory.push_back({device->memory().base(), device->memory().size()});
      slowLinks_ = std::make_unique<SlowLinks>(std::move(memory));
      for (const auto& device : devices_) device->copyBy(*slowLinks_);
    }
    slowLinks_->add(link.a, link.b, link.gigabytesPerSecond);
  }
}

Status CpuBackend::openMemory(const ShareTicket& ticket, OpenedMemory& opened) {
  MUSASHIM_RETURN_IF_ERROR(imports_.open(ticket, opened));
  if (opened.device < devices_.size()) return Status::ok();
  bool last = false;
  MUSASHIM_RETURN_IF_ERROR(imports_.close(opened.base, last));
  return {StatusCode::kNotFound, "the memory is of a device that this process does not have"};
}

void CpuBackend::observe(CommandObserver* observer) { commandObserver.store(observer); }

int64_t CpuBackend::now() const { return monotonicNow(); }

}  // namespace musashim::backend::cpu
