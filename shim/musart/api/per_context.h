// What the program has of a thing in each context: looked up without a lock.
#pragma once

#include <musa.h>

#include <atomic>
#include <cstdint>

namespace musashim::musart {

// The number of the thread's current context; no two contexts of a process have the same.
inline MUresult currentContextId(unsigned long long& id) { return muCtxGetId(nullptr, &id); }

// A list that only grows, by a writer at a time; what contexts have left that are gone is used again. Most
// programs have a context for each device.
template <class Handle>
class PerContext {
 public:
  PerContext() = default;
  ~PerContext() {
    for (Entry* entry = first_.load(); entry != nullptr;) {
      Entry* next = entry->next;
      delete entry;
      entry = next;
    }
  }
  PerContext(const PerContext&) = delete;
  PerContext& operator=(const PerContext&) = delete;

  // Null if there is none.
  Handle of(unsigned long long context) const {
    for (const Entry* entry = first_.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
      if (entry->context.load(std::memory_order_acquire) == context)
        return entry->handle.load(std::memory_order_relaxed);
    }
    return nullptr;
  }

  bool contains(Handle handle) const {
    for (const Entry* entry = first_.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
      if (entry->context.load() != kNone && entry->handle.load() == handle) return true;
    }
    return false;
  }

  // For the current context, of which `context` is the number and which has none.
  void set(unsigned long long context, Handle handle) {
    MUcontext owner = nullptr;
    (void)muCtxGetCurrent(&owner);
    Entry* entry = first_.load();
    while (entry != nullptr && isInUse(*entry)) entry = entry->next;
    if (entry == nullptr) {
      entry = new Entry{.next = first_.load()};
      entry->fill(context, owner, handle);
      first_.store(entry, std::memory_order_release);
    } else {
      entry->context.store(kNone);
      entry->fill(context, owner, handle);
    }
  }

  void forget() {
    for (Entry* entry = first_.load(); entry != nullptr; entry = entry->next) entry->context.store(kNone);
  }

 private:
  static constexpr unsigned long long kNone = 0;  // contexts are numbered from 1

  struct Entry {
    std::atomic<unsigned long long> context{kNone};
    MUcontext owner = nullptr;
    std::atomic<Handle> handle{nullptr};
    Entry* next;

    void fill(unsigned long long id, MUcontext of, Handle what) {
      owner = of;
      handle.store(what, std::memory_order_relaxed);
      context.store(id, std::memory_order_release);
    }
  };

  static bool isInUse(const Entry& entry) {
    const unsigned long long id = entry.context.load();
    unsigned long long now = kNone;
    return id != kNone && muCtxGetId(entry.owner, &now) == MUSA_SUCCESS && now == id;
  }

  std::atomic<Entry*> first_{nullptr};
};

}  // namespace musashim::musart
