// The driver's state: devices, contexts, handles. One per process, never destroyed,
// because threads and static objects of the user may call until the very end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/handle_arena.h"
#include "interface/backend.h"
#include "musa/api/result.h"
#include "musa/context/context.h"
#include "musa/graph/exec/graph_exec.h"
#include "musa/graph/nodes/graph_memory.h"
#include "musa/graph/user_object.h"
#include "musa/memory/advice.h"
#include "musa/memory/allocations.h"
#include "musa/memory/array/image.h"
#include "musa/memory/pool/pool.h"
#include "musa/memory/vmm/vmm.h"
#include "musa/module/library.h"
#include "musa/module/linker.h"
#include "musa/module/module.h"
#include "musa/module/retired_images.h"
#include "musa/stream/event.h"

namespace musashim::musa {

using PciPlace = backend::PciAddress;

// Where the emulated machine has device number `index` of the backend.
inline PciPlace pciPlace(const backend::Device& device, int index) {
  return device.pciAddress().value_or(PciPlace{0, 0x2a + index, 0});
}

// A visible device. `ordinal` counts visible devices, `index` the backend's.
class DeviceState {
 public:
  DeviceState(backend::Device& device, int ordinal, int index);

  backend::Device& backend() const { return backend_; }
  const backend::DeviceProfile& profile() const { return backend_.profile(); }
  int ordinal() const { return ordinal_; }
  size_t index() const { return static_cast<size_t>(index_); }
  PciPlace pci() const { return pciPlace(backend_, index_); }
  MUuuid uuid() const;
  Pool& pool() const { return *pool_; }  // the default one
  void setPool(Pool* pool) { pool_ = memPool_ = pool; }
  // The one that allocations without a pool come from.
  Pool& memPool() const { return *memPool_.load(); }
  void useMemPool(Pool& pool) { memPool_.store(&pool); }
  void forgetMemPool(Pool& pool) {
    Pool* current = &pool;
    memPool_.compare_exchange_strong(current, pool_);
  }

  // The primary context exists while it is retained.
  Context* retainPrimary();
  Result releasePrimary();
  // Ends it whoever retains it, and clears a fault of the device. A faulted device loses
  // its other contexts as well.
  void resetPrimary();
  bool primaryActive();
  Context* activePrimary();  // null while nobody retains it

  std::atomic<unsigned> primaryFlags{0};
  // Of the primary context there is, or was; 0: none yet.
  std::atomic<uint64_t> primaryId{0};
  // Held while a context of the device is made or ends: the end of the last one resets the device.
  std::mutex contextsChange;
  GraphMemoryUse graphMemory;

 private:
  void endPrimary();  // with mutex_

  backend::Device& backend_;
  const int ordinal_, index_;
  Pool* pool_ = nullptr;
  std::atomic<Pool*> memPool_{nullptr};
  std::mutex mutex_;
  Context* primary_ = nullptr;
  unsigned retained_ = 0;
};

class Driver {
 public:
  // Null until muInit has succeeded, and in a forked child of a process where it has:
  // there are no devices in it, as on hardware.
  static Driver* get() { return instance_.load(std::memory_order_acquire); }
  static Result initialize();

  backend::Backend& backend() { return backend_; }
  size_t deviceCount() const { return devices_.size(); }
  // The visible device that is number `index` of the backend; null when it is not visible.
  DeviceState* deviceOfBackend(size_t index) const;
  // Null when there is no such device.
  DeviceState* device(int ordinal) const {
    return ordinal >= 0 && static_cast<size_t>(ordinal) < devices_.size() ? devices_[ordinal].get() : nullptr;
  }
  AllocationTable& allocations() { return allocations_; }
  Mappings& mappings() { return mappings_; }
  AdviceTable& advice() { return advice_; }
  RetiredImages& retiredImages() { return retiredImages_; }

  // The work of every context on `device`, or on all devices when null, that is not done.
  std::vector<backend::Fence> pending(const DeviceState* device);
  // Waits for it.
  void synchronizeContexts(const DeviceState* device);
  Context* createContext(DeviceState& device, bool primary, unsigned flags);
  // Ends a context and all that lives there. Its handle is invalid at once; the call returns when
  // it is gone, also when another thread ends it.
  void endContext(DeviceState& device, Context* context);
  std::vector<Context*> contextsOf(const DeviceState* device);
  // Runs `body` unless the context has begun to end; it does not meanwhile.
  template <class Body>
  void whileAlive(const Context* context, Body&& body) {
    std::lock_guard lock(contextsMutex_);
    if (std::find(live_.begin(), live_.end(), context) != live_.end()) body();
  }

  uint64_t nextId() { return nextId_.fetch_add(1); }

  core::HandleArena<Context> contexts{1u << 12};
  core::HandleArena<Stream> streams{1u << 18};
  core::HandleArena<Event> events{1u << 20};
  core::HandleArena<Module> modules{1u << 16};
  core::HandleArena<Function> functions{1u << 18};
  core::HandleArena<Pool> pools{1u << 8};
  core::HandleArena<Graph> graphs{1u << 20};
  core::HandleArena<GraphNode> graphNodes{1u << 22};
  core::HandleArena<GraphExec> graphExecs{1u << 20};
  core::HandleArena<UserObject> userObjects{1u << 16};
  core::HandleArena<Library> libraries{1u << 14};
  core::HandleArena<Linker> linkers{1u << 14};
  core::HandleArena<LibraryKernel> libraryKernels{1u << 18};
  core::HandleArena<PhysicalHandle> physical{1u << 18};
  core::HandleArena<Array> arrays{1u << 16};
  core::HandleArena<MipmappedArray> mipmappedArrays{1u << 12};
  core::HandleArena<TextureObject> textures{1u << 16};
  core::HandleArena<SurfaceObject> surfaces{1u << 16};

 private:
  explicit Driver(backend::Backend& backend);
  template <class Visit>
  void forEachContext(const DeviceState* device, Visit&& visit);

  static std::atomic<Driver*> instance_;

  backend::Backend& backend_;
  std::vector<std::unique_ptr<DeviceState>> devices_;
  AllocationTable allocations_;
  Mappings mappings_;
  AdviceTable advice_;
  RetiredImages retiredImages_;
  std::mutex contextsMutex_;
  std::vector<Context*> live_;
  std::atomic<uint64_t> nextId_{1};
};

// The driver, after muInit.
inline Driver& driver() { return *Driver::get(); }

}  // namespace musashim::musa
