// Emulated devices on this machine's processors.
#pragma once

#include <memory>
#include <vector>

#include "cpu/core/device.h"
#include "cpu/core/settings.h"
#include "cpu/core/slow_links.h"
#include "cpu/exec/queue.h"
#include "cpu/memory/address_space.h"
#include "cpu/memory/arena.h"
#include "cpu/memory/ledger.h"
#include "cpu/memory/protection_keys.h"
#include "cpu/process/device_board.h"
#include "cpu/process/imports.h"
#include "cpu/process/shared_event.h"
#include "interface/backend.h"

namespace musashim::backend::cpu {

class CpuBackend final : public Backend {
 public:
  static Status create(const Settings& settings, std::unique_ptr<Backend>& backend);

  std::string_view name() const override { return "cpu"; }
  size_t deviceCount() const override { return devices_.size(); }
  Device& device(size_t index) override { return *devices_[index]; }
  Status allocateHost(size_t bytes, void** pointer) override { return hostMemory_->allocate(bytes, pointer); }
  Status releaseHost(void* pointer) override { return hostMemory_->release(pointer); }
  void hostRegistered(void* pointer, size_t bytes) override {
    devrt::checks::allocated(pointer, bytes, devrt::checks::MemoryKind::kRegistered);
  }
  void hostUnregistered(void* pointer) override { devrt::checks::released(pointer); }
  Status openMemory(const ShareTicket& ticket, OpenedMemory& opened) override;
  Status closeMemory(void* base, bool& last) override { return imports_.close(base, last); }
  Status makeDescriptor(const ShareTicket& word, int& fd) override { return cpu::makeDescriptor(word, fd); }
  Status readDescriptor(int fd, ShareTicket& word) override { return cpu::readDescriptor(fd, word); }
  AddressSpace* addressSpace() override { return addressSpace_.get(); }
  Status createSharedEvent(std::unique_ptr<SharedEvent>& event) override {
    return CpuSharedEvent::create(event);
  }
  Status openSharedEvent(const ShareTicket& ticket, std::unique_ptr<SharedEvent>& event) override {
    return CpuSharedEvent::open(ticket, event);
  }
  uint32_t openMemoryToThread() override { return openToThread(ProtectionKeys::all()); }
  void restoreThread(uint32_t before) override { cpu::restoreThread(before); }
  Monitor* monitor() override { return board_.get(); }
  std::vector<DeviceLink> links() const override { return links_; }
  void failHostCall(Status fault) override { CpuQueue::failHostCall(std::move(fault)); }
  void observe(CommandObserver* observer) override;
  int64_t now() const override;

 private:
  void connect(const std::vector<MachineLink>& links);
  CpuBackend(MachineMemory machine, MemoryLedger::Options options, std::unique_ptr<DeviceBoard> board)
      : board_(std::move(board)), ledger_(std::move(machine), options, board_.get()) {}

  const std::unique_ptr<DeviceBoard> board_;
  MemoryLedger ledger_;
  std::unique_ptr<Arena> hostMemory_;
  std::vector<std::unique_ptr<CpuDevice>> devices_;
  ImportTable imports_;
  std::vector<DeviceLink> links_;
  std::unique_ptr<SlowLinks> slowLinks_;  // null: none is
  std::unique_ptr<CpuAddressSpace> addressSpace_;
};

}  // namespace musashim::backend::cpu
