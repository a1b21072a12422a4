#include <atomic>

#include "mupti/events/groups.h"
#include "mupti/library/entry.h"

namespace musashim::mupti {
namespace {

std::atomic<int> enabledGroups{0};

}  // namespace

Groups& groups() {
  static auto& all = *new Groups;
  return all;
}

bool countsEvents() { return enabledGroups.load(std::memory_order_relaxed) != 0; }

void countKernel(const MUshimWork& kernel) {
  if (!countsEvents()) return;
  const std::lock_guard lock(groups().mutex);
  for (auto& [handle, group] : groups().all) {
    if (!group->isEnabled || group->contextId != kernel.context) continue;
    for (auto& [id, count] : group->counts) count += findEvent(id)->count(kernel, group->warp);
  }
}

void endEvents() {
  const std::lock_guard lock(groups().mutex);
  for (auto& [handle, group] : groups().all) group->isEnabled = false;
  enabledGroups.store(0);
}

MUpti_EventGroup makeGroup(MUcontext context) {
  uint32_t contextId = 0, device = 0;
  int warp = 0;
  if (muptiGetContextId(context, &contextId) != MUPTI_SUCCESS ||
      muptiGetDeviceId(context, &device) != MUPTI_SUCCESS ||
      muDeviceGetAttribute(&warp, MU_DEVICE_ATTRIBUTE_WARP_SIZE, static_cast<MUdevice>(device)) !=
          MUSA_SUCCESS)
    return nullptr;
  auto group = std::make_unique<Group>();
  group->context = context;
  group->contextId = contextId;
  group->warp = static_cast<unsigned>(warp);
  const MUpti_EventGroup handle = group.get();
  const std::lock_guard lock(groups().mutex);
  groups().all.emplace(handle, std::move(group));
  return handle;
}

MUptiResult setEnabled(MUpti_EventGroup handle, bool enabled) {
  {
    const std::lock_guard lock(groups().mutex);
    Group* const group = groups().find(handle);
    if (group == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
    if (group->isEnabled == enabled) return MUPTI_SUCCESS;
    if (enabled)
      for (auto& [id, count] : group->counts) count = 0;
    group->isEnabled = enabled;
    enabledGroups.fetch_add(enabled ? 1 : -1);
  }
  const MUptiResult result = listenAsWanted();
  if (result != MUPTI_SUCCESS && enabled) (void)setEnabled(handle, false);
  return remember(result);
}

}  // namespace musashim::mupti
