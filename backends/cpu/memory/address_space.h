// Mapping memory files of devices at addresses of the user's choice.
//
// Each physical memory is a file of its own, without a name, so that a descriptor for
// it keeps it alive in whatever process holds one.
#pragma once

#include <array>
#include <atomic>

#include "cpu/memory/ledger.h"
#include "interface/physical_memory.h"

namespace musashim::backend::cpu {

class CpuAddressSpace final : public AddressSpace {
 public:
  // How much a device has, by index; 0: there is no such device.
  using DeviceBytes = std::array<uint64_t, DeviceBoard::kDevices>;

  CpuAddressSpace(MemoryLedger& ledger, const DeviceBytes& devices) : ledger_(ledger), devices_(devices) {}

  size_t granularity() const override { return size_t{2} << 20; }
  Status createMemory(size_t device, size_t bytes, std::shared_ptr<PhysicalMemory>& memory) override;
  Status importMemory(int fd, std::shared_ptr<PhysicalMemory>& memory) override;
  Status reserve(size_t bytes, size_t alignment, void* hint, void** start) override;
  void release(void* start, size_t bytes) override;
  Status map(void* at, const PhysicalMemory& memory) override;
  void unmap(void* at, size_t bytes) override;
  Status setAccess(void* at, size_t bytes, MemoryAccess access) override;

 private:
  MemoryLedger& ledger_;
  const DeviceBytes devices_;
};

}  // namespace musashim::backend::cpu
