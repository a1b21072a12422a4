#include "musa/api/driver.h"

#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/cuda_capability.h"
#include "musa/context/device_attributes.h"
#include "musa/context/visible_devices.h"
#include "musa/trace/listener.h"
#include "musa/trace/watch.h"

namespace musashim::musa {

std::atomic<Driver*> Driver::instance_{nullptr};

Result Driver::initialize() {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  static bool forked = false;
  MUSA_REQUIRE(!forked, MUSA_ERROR_NOT_INITIALIZED, "a forked child of a process that called muInit");
  if (!get()) {
    const std::string& wrong = core::cudaCapability().error;
    static bool told = false;
    if (!wrong.empty() && !std::exchange(told, true)) fmt::print(stderr, "musashim: {}\n", wrong);
    MUSA_REQUIRE(wrong.empty(), MUSA_ERROR_INVALID_VALUE, wrong);
    pthread_atfork(nullptr, nullptr, [] {
      if (instance_.exchange(nullptr)) forked = true;
    });
    auto* created = new Driver(backend::activeBackend());
    if (isWatched()) watchDevices(created->backend());
    instance_.store(created, std::memory_order_release);
  }
  MUSA_REQUIRE(driver().deviceCount() != 0, MUSA_ERROR_NO_DEVICE, "the backend offers no visible device");
  return {};
}

Driver::Driver(backend::Backend& backend) : backend_(backend) {
  std::vector<std::string> uuids;
  for (size_t i = 0; i < backend.deviceCount(); ++i)
    uuids.push_back(uuidText(deviceUuid(backend.device(i), i)));
  const auto count = [] { return static_cast<int>(driver().deviceCount()); };
  const auto attribute = [](int id, int ordinal, int& value) {
    DeviceState* device = driver().device(ordinal);
    return device != nullptr && deviceAttribute(*device, id, value).code() == MUSA_SUCCESS;
  };
  for (size_t index : visibleDevices(uuids)) {
    devices_.push_back(std::make_unique<DeviceState>(backend.device(index), static_cast<int>(devices_.size()),
                                                     static_cast<int>(index)));
    devices_.back()->backend().answerWith({devices_.back()->ordinal(), count, attribute});
    devices_.back()->setPool(pools.create(*devices_.back(), Pool::Origin::kDevice));
  }
}

DeviceState* Driver::deviceOfBackend(size_t index) const {
  for (const auto& device : devices_) {
    if (device->index() == index) return device.get();
  }
  return nullptr;
}

Context* Driver::createContext(DeviceState& device, bool primary, unsigned flags) {
  std::lock_guard change(device.contextsChange);
  Context* context = contexts.create(device, primary, flags);
  if (primary) device.primaryId.store(context->id());
  tellResource(MUSHIM_CONTEXT_CREATED, context->handle(), nullptr);
  std::lock_guard lock(contextsMutex_);
  live_.push_back(context);
  return context;
}

void Driver::endContext(DeviceState& device, Context* context) {
  std::lock_guard change(device.contextsChange);
  bool alone = true;
  {
    std::lock_guard lock(contextsMutex_);
    if (std::erase(live_, context) == 0) return;  // by another thread meanwhile
    for (Context* other : live_) alone = alone && &other->device() != &device;
  }
  tellResource(MUSHIM_CONTEXT_ENDS, context->handle(), nullptr);
  contexts.retire(context);
  context->clear(alone);
  contexts.destroyRetired(context);
}

template <class Visit>
void Driver::forEachContext(const DeviceState* device, Visit&& visit) {
  std::lock_guard lock(contextsMutex_);  // contexts may end meanwhile, but for this
  for (Context* context : live_) {
    if (!device || &context->device() == device) visit(*context);
  }
}

std::vector<Context*> Driver::contextsOf(const DeviceState* device) {
  std::vector<Context*> found;
  forEachContext(device, [&](Context& context) { found.push_back(&context); });
  return found;
}

std::vector<backend::Fence> Driver::pending(const DeviceState* device) {
  std::vector<backend::Fence> fences;
  forEachContext(device, [&](Context& context) { context.appendPending(fences); });
  return fences;
}

void Driver::synchronizeContexts(const DeviceState* device) {
  waitForAll(pending(device));
  forEachContext(device, [](Context& context) { context.endRetiredStreams(); });
}

DeviceState::DeviceState(backend::Device& device, int ordinal, int index)
    : backend_(device), ordinal_(ordinal), index_(index) {}

MUuuid DeviceState::uuid() const { return deviceUuid(backend_, static_cast<size_t>(index_)); }

Context* DeviceState::retainPrimary() {
  std::lock_guard lock(mutex_);
  if (!primary_) primary_ = driver().createContext(*this, true, primaryFlags.load());
  ++retained_;
  return primary_;
}

Result DeviceState::releasePrimary() {
  std::lock_guard lock(mutex_);
  MUSA_REQUIRE(retained_ > 0, MUSA_ERROR_INVALID_CONTEXT, "the primary context is not retained");
  if (--retained_ == 0) endPrimary();
  return {};
}

void DeviceState::resetPrimary() {
  std::lock_guard lock(mutex_);
  if (!backend_.fault().isOk()) {
    for (Context* context : driver().contextsOf(this)) {
      if (context != primary_) driver().endContext(*this, context);
    }
  }
  endPrimary();
  retained_ = 0;
}

void DeviceState::endPrimary() {
  if (primary_) {
    driver().endContext(*this, primary_);
    primary_ = nullptr;
  }
  if (!backend_.fault().isOk()) backend_.reset();
}

Context* DeviceState::activePrimary() {
  std::lock_guard lock(mutex_);
  return primary_;
}

bool DeviceState::primaryActive() {
  std::lock_guard lock(mutex_);
  return primary_ != nullptr;
}

}  // namespace musashim::musa
