// One emulated device of a backend.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "interface/device_queries.h"
#include "interface/kernel.h"
#include "interface/monitor.h"
#include "interface/pci_address.h"
#include "interface/profile.h"
#include "interface/queue.h"
#include "interface/sharing.h"
#include "interface/status.h"

namespace musashim::backend {

struct MemoryInfo {
  size_t freeBytes = 0;   // what allocate() could still give, machine limits included
  size_t totalBytes = 0;  // the profile's
};

class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceProfile& profile() const = 0;

  // Where the emulated machine has it; none: anywhere.
  virtual std::optional<PciAddress> pciAddress() const { return std::nullopt; }

  virtual DeviceReadings readings() const { return {}; }

  // Device memory. Alignment is at least 256 bytes. kOutOfMemory when the profile or
  // the machine cannot hold it; never more than can be touched.
  virtual Status allocate(size_t bytes, void** pointer) = 0;
  virtual Status release(void* pointer) = 0;  // as allocate() returned it; not in use any more
  virtual MemoryInfo memoryInfo() const = 0;

  // A name by which other processes open the `bytes` that allocate() gave at `pointer`,
  // until release(). The same name every time.
  virtual Status shareMemory(void* /*pointer*/, size_t /*bytes*/, ShareTicket& /*ticket*/) {
    return {StatusCode::kNotSupported, "the backend shares no memory"};
  }

  // Lower numbers run first where threads are scarce (CUDA's convention: 0 is the least).
  virtual std::shared_ptr<Queue> createQueue(int priority) = 0;

  // How well this machine runs an image for `processor`, as a bundle's entry names it ("x86-64-v4"): more is
  // better, negative is not at all. Empty: the entry does not say.
  virtual int imageRank(std::string_view processor) const { return processor.empty() ? 0 : -1; }

  // `image` is one ELF image (an entry of a bundle) for profile().arch.
  virtual Status loadImage(std::span<const std::byte> image, std::unique_ptr<Image>& loaded) = 0;

  // The first fault of device code since the last reset, or ok.
  virtual Status fault() const = 0;

  // Waits for running commands, drops pending ones, releases all memory and clears
  // the fault. Images and queues of before must not be used again.
  virtual void reset() = 0;

  // Lets kernels of this device touch memory of `peer`, a device of the same backend, or takes that back; as
  // often taken as given, it is gone.
  virtual void setPeerAccess(const Device& /*peer*/, bool /*on*/) {}

  // Before any work.
  virtual void answerWith(const DeviceQueries& /*queries*/) {}

  // Writes what kernels have printed so far to stdout, as a synchronisation does.
  virtual void flushPrintf() = 0;
};

}  // namespace musashim::backend
