// The whole seam between libmusa and a way of running device code.
// backends/README.md states who owns what and which threads may call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "interface/device.h"
#include "interface/monitor.h"
#include "interface/observer.h"
#include "interface/physical_memory.h"
#include "interface/sharing.h"
#include "interface/status.h"

namespace musashim::backend {

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  virtual size_t deviceCount() const = 0;
  virtual Device& device(size_t index) = 0;  // index < deviceCount()

  // Page-locked host memory, reachable by every device. Page aligned.
  virtual Status allocateHost(size_t bytes, void** pointer) = 0;
  virtual Status releaseHost(void* pointer) = 0;

  // Memory of the program's own that devices may reach from now on, and no more.
  // Only for backends that tell devices' memory from the host's.
  virtual void hostRegistered(void* /*pointer*/, size_t /*bytes*/) {}
  virtual void hostUnregistered(void* /*pointer*/) {}

  // What other processes share. openMemory(): kNotFound when it is gone, kInvalidValue
  // when the ticket names none, or memory of this process; opening twice gives the same
  // address, to be closed twice. closeMemory(): `last` when the mapping is gone; no work
  // may use it then.
  virtual Status openMemory(const ShareTicket& /*ticket*/, OpenedMemory& /*opened*/) {
    return {StatusCode::kNotSupported, "the backend shares no memory"};
  }
  virtual Status closeMemory(void* /*base*/, bool& /*last*/) {
    return {StatusCode::kNotSupported, "the backend shares no memory"};
  }
  // A descriptor that carries `word` to whoever gets a copy of it. readDescriptor():
  // kInvalidValue when it is none.
  virtual Status makeDescriptor(const ShareTicket& /*word*/, int& /*fd*/) {
    return {StatusCode::kNotSupported, "the backend shares nothing"};
  }
  virtual Status readDescriptor(int /*fd*/, ShareTicket& /*word*/) {
    return {StatusCode::kNotSupported, "the backend shares nothing"};
  }

  // Memory mapped where the user wants it; null when the backend has none.
  virtual AddressSpace* addressSpace() { return nullptr; }

  virtual Status createSharedEvent(std::unique_ptr<SharedEvent>& /*event*/) {
    return {StatusCode::kNotSupported, "the backend shares no events"};
  }
  virtual Status openSharedEvent(const ShareTicket& /*ticket*/, std::unique_ptr<SharedEvent>& /*event*/) {
    return {StatusCode::kNotSupported, "the backend shares no events"};
  }

  // Backends may keep host code from devices' memory, as hardware does. Lets the calling thread touch all of
  // it, until restoreThread() gets what this returned. (MemoryAccessScope does both.)
  virtual uint32_t openMemoryToThread() { return 0; }
  virtual void restoreThread(uint32_t /*before*/) {}

  // Null when the backend keeps no account of who uses its devices.
  virtual Monitor* monitor() { return nullptr; }

  // What the machine's description tells of links between devices.
  virtual std::vector<DeviceLink> links() const { return {}; }

  // Within a HostCall, on the thread that runs it: its device has failed, as by a fault of device code.
  // Nothing elsewhere.
  virtual void failHostCall(Status /*fault*/) {}

  // From the next submission on; null: nobody. An observer lives for ever.
  virtual void observe(CommandObserver* /*observer*/) {}

  // Monotonic time in nanoseconds, the clock of Timestamp commands.
  virtual int64_t now() const = 0;
};

// The backend that MUSASHIM_BACKEND names ("cpu" when unset), created on first use.
// Never null: an unusable setting gives a backend with no devices and a message on stderr.
Backend& activeBackend();

}  // namespace musashim::backend
