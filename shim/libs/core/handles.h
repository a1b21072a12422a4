// Which handles of a library there are: any value may come as one, so each is looked for.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace musashim::libs {

// `Context` is what the library's handles point to.
template <class Context>
class Handles {
 public:
  // Never destroyed: threads run until the process is gone.
  static Handles& instance() {
    static Handles& handles = *new Handles;
    return handles;
  }

  Context* make() {
    auto context = std::make_unique<Context>();
    Context* const handle = context.get();
    std::lock_guard lock(mutex_);
    handles_.emplace(handle, std::move(context));
    return handle;
  }
  // Null when there is no such handle (any more).
  Context* find(const Context* handle) {
    std::shared_lock lock(mutex_);
    const auto found = handles_.find(handle);
    return found == handles_.end() ? nullptr : found->second.get();
  }
  bool drop(const Context* handle) {
    std::lock_guard lock(mutex_);
    return handles_.erase(handle) != 0;
  }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<const Context*, std::unique_ptr<Context>> handles_;
};

}  // namespace musashim::libs
