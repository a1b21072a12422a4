#include "libs/musparse/api/handle.h"

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

struct musparseContext {
  musashim::musparse::Settings settings;
};

namespace musashim::musparse {
namespace {

// Any value may come as a handle, so each is looked for.
struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<musparseHandle_t, std::unique_ptr<musparseContext>> handles;
};

Registry& registry() {
  static Registry& registry = *new Registry;  // never destroyed: threads run until the process is gone
  return registry;
}

}  // namespace

Settings* findSettings(musparseHandle_t handle) {
  std::shared_lock lock(registry().mutex);
  const auto found = registry().handles.find(handle);
  return found == registry().handles.end() ? nullptr : &found->second->settings;
}

musparseHandle_t makeHandle() {
  auto context = std::make_unique<musparseContext>();
  const musparseHandle_t handle = context.get();
  std::lock_guard lock(registry().mutex);
  registry().handles.emplace(handle, std::move(context));
  return handle;
}

bool dropHandle(musparseHandle_t handle) {
  std::lock_guard lock(registry().mutex);
  return registry().handles.erase(handle) != 0;
}

}  // namespace musashim::musparse
