// What PyTorch asks of an accelerator as a whole.
#include <ATen/CPUFunctions.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>

#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Generator.h"

namespace at::musa {
namespace {

using c10::DeviceIndex;

class PinnedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* memory = nullptr;
    if (bytes > 0) C10_MUSA_CHECK(musaMallocHost(&memory, bytes));
    return {memory, memory, &give, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }

 private:
  static void give(void* memory) {
    if (memory != nullptr) (void)musaFreeHost(memory);
  }
};

struct Hooks final : PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return c10::musa::device_count() > 0; }
  bool hasPrimaryContext(DeviceIndex /*device*/) const override { return true; }
  DeviceIndex deviceCount() const override { return c10::musa::device_count(); }
  void setCurrentDevice(DeviceIndex device) const override { c10::musa::set_device(device); }
  DeviceIndex getCurrentDevice() const override { return c10::musa::current_device(); }
  DeviceIndex exchangeDevice(DeviceIndex device) const override {
    const DeviceIndex before = c10::musa::current_device();
    if (device >= 0) c10::musa::set_device(device);
    return before;
  }
  DeviceIndex maybeExchangeDevice(DeviceIndex device) const override { return exchangeDevice(device); }
  const Generator& getDefaultGenerator(DeviceIndex device) const override { return defaultGenerator(device); }
  Generator getNewGenerator(DeviceIndex device) const override { return newGenerator(device); }
  c10::Device getDeviceFromPtr(void* memory) const override {
    musaPointerAttributes attributes{};
    C10_MUSA_CHECK(musaPointerGetAttributes(&attributes, memory));
    return {c10::musa::kDevice, static_cast<DeviceIndex>(attributes.device)};
  }
  bool isPinnedPtr(const void* memory) const override {
    musaPointerAttributes attributes{};
    if (musaPointerGetAttributes(&attributes, memory) != musaSuccess) return (void)musaGetLastError(), false;
    return attributes.type == musaMemoryTypeHost;
  }
  c10::Allocator* getPinnedMemoryAllocator() const override {
    static PinnedAllocator* const kAllocator = new PinnedAllocator;
    return kAllocator;
  }
  void resizePrivateUse1Bytes(const c10::Storage& storage, std::size_t bytes) const override {
    const c10::musa::DeviceScope scope(storage.device().index());
    c10::DataPtr fresh = storage.allocator()->allocate(bytes);
    const std::size_t kept = std::min(bytes, storage.nbytes());
    if (kept > 0) C10_MUSA_CHECK(musaMemcpy(fresh.get(), storage.data(), kept, musaMemcpyDeviceToDevice));
    storage.set_data_ptr_noswap(std::move(fresh));
    storage.set_nbytes(bytes);
  }
};

}  // namespace

void registerHooks() { RegisterPrivateUse1HooksInterface(new Hooks); }

}  // namespace at::musa
