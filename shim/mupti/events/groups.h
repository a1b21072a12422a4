// Groups of events, which count from when they are enabled to when they are not.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "mupti/events/events.h"

namespace musashim::mupti {

struct Group {
  MUcontext context = nullptr;
  uint32_t contextId = 0;
  unsigned warp = 32;
  bool isEnabled = false, ofAllInstances = false;
  void* userData = nullptr;
  std::map<MUpti_EventID, uint64_t> counts;
};

// All groups. What is done with one holds the lock.
struct Groups {
  std::mutex mutex;
  std::map<MUpti_EventGroup, std::unique_ptr<Group>> all;

  Group* find(MUpti_EventGroup handle) {
    const auto found = all.find(handle);
    return found == all.end() ? nullptr : found->second.get();
  }
};
Groups& groups();

// Empty groups of a context; null handle: the context is none.
MUpti_EventGroup makeGroup(MUcontext context);
// Listens as long as a group counts.
MUptiResult setEnabled(MUpti_EventGroup handle, bool enabled);

}  // namespace musashim::mupti
