// Storage of objects that users hold as opaque handles.
//
// Slots live in one reserved range of addresses that is never given back, so any
// value a user passes can be checked without a lock and without reading foreign
// memory: in the range, on a slot's start, and alive. A destroyed handle is known
// as such until its slot is used again, which happens in order of destruction.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

// Of the leak checker, where the program is built with one: objects that live here own memory, which is found
// by looking at what it knows.
extern "C" __attribute__((weak)) void __lsan_register_root_region(const void* begin, size_t size);

namespace musashim::core {

template <class T>
class HandleArena {
 public:
  // Throws std::bad_alloc when the addresses cannot be reserved.
  explicit HandleArena(size_t capacity) : capacity_(capacity) {
    void* range =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    slots_ = static_cast<Slot*>(range);
  }
  HandleArena(const HandleArena&) = delete;
  HandleArena& operator=(const HandleArena&) = delete;

  // Throws std::bad_alloc when all slots are in use.
  template <class... Args>
  T* create(Args&&... args) {
    Slot* slot = take();
    try {
      T* object = new (slot->storage) T(std::forward<Args>(args)...);
      slot->live.store(1, std::memory_order_release);
      return object;
    } catch (...) {
      giveBack(slot);
      throw;
    }
  }

  // `object` came from create() and is alive.
  void destroy(T* object) {
    retire(object);
    destroyRetired(object);
  }

  // In two steps: the handle becomes invalid at once, the object stays until the second.
  void retire(T* object) { slotOf(object)->live.store(0, std::memory_order_release); }
  void destroyRetired(T* object) {
    object->~T();
    giveBack(slotOf(object));
  }

  // The object behind `handle`, or null when it is not (or no longer) one of ours.
  T* get(const void* handle) const {
    uintptr_t distance = reinterpret_cast<uintptr_t>(handle) - reinterpret_cast<uintptr_t>(slots_);
    if (distance >= bytes() || distance % sizeof(Slot) != offsetof(Slot, storage)) return nullptr;
    const Slot& slot = slots_[distance / sizeof(Slot)];
    if (slot.live.load(std::memory_order_acquire) == 0) return nullptr;
    return const_cast<T*>(reinterpret_cast<const T*>(slot.storage));
  }

  // Calls `visit` for every object that is alive. The caller keeps others from creating
  // and destroying meanwhile.
  template <class Visit>
  void forEach(Visit&& visit) {
    size_t used;
    {
      std::lock_guard lock(mutex_);
      used = fresh_;
    }
    for (size_t i = 0; i < used; ++i) {
      if (slots_[i].live.load(std::memory_order_acquire)) visit(*reinterpret_cast<T*>(slots_[i].storage));
    }
  }

 private:
  struct Slot {
    std::atomic<uint32_t> live;
    alignas(T) std::byte storage[sizeof(T)];
  };

  static Slot* slotOf(T* object) {
    return reinterpret_cast<Slot*>(reinterpret_cast<char*>(object) - offsetof(Slot, storage));
  }

  size_t bytes() const { return capacity_ * sizeof(Slot); }

  Slot* take() {
    std::lock_guard lock(mutex_);
    if (fresh_ < capacity_ && free_.size() < kReuseDistance) return takeFresh();
    if (free_.empty()) throw std::bad_alloc();
    Slot* slot = free_.front();
    free_.pop_front();
    return slot;
  }

  // With the lock. Of the slots, the leak checker is to read no more than twice those that were ever used.
  Slot* takeFresh() {
    if (fresh_ == shown_ && __lsan_register_root_region) {
      shown_ = std::min(capacity_, fresh_ + std::max(fresh_, size_t{64}));
      __lsan_register_root_region(slots_ + fresh_, (shown_ - fresh_) * sizeof(Slot));
    }
    return &slots_[fresh_++];
  }

  void giveBack(Slot* slot) {
    std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }

  // Free slots kept back, so that a stale handle does not name a new object at once.
  static constexpr size_t kReuseDistance = 64;

  const size_t capacity_;
  Slot* slots_ = nullptr;
  std::mutex mutex_;
  size_t fresh_ = 0;
  size_t shown_ = 0;  // to the leak checker
  std::deque<Slot*> free_;
};

}  // namespace musashim::core
