// The entries about groups of events.
#include "mupti/events/groups.h"

#include <utility>
#include <vector>

#include "mupti/library/entry.h"

namespace musashim::mupti {
namespace {

// Does what `act` says with a group; counting ones may be kept from it.
template <class Act>
MUptiResult withGroup(MUpti_EventGroup handle, bool whileEnabled, Act act) {
  const std::lock_guard lock(groups().mutex);
  Group* const group = groups().find(handle);
  if (group == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (group->isEnabled && !whileEnabled) return remember(MUPTI_ERROR_INVALID_OPERATION);
  return remember(act(*group));
}

// As documented: what was read begins again at 0.
uint64_t take(uint64_t& count) { return std::exchange(count, 0); }

}  // namespace
}  // namespace musashim::mupti

using namespace musashim::mupti;

// Work is counted as it ends, whatever runs beside it, so the modes count alike.
MUPTI_ENTRY MUptiResult MUPTIAPI muptiSetEventCollectionMode(MUcontext context,
                                                             MUpti_EventCollectionMode mode) {
  uint32_t id = 0;
  if (muptiGetContextId(context, &id) != MUPTI_SUCCESS) return remember(MUPTI_ERROR_INVALID_CONTEXT);
  if (mode != MUPTI_EVENT_COLLECTION_MODE_CONTINUOUS && mode != MUPTI_EVENT_COLLECTION_MODE_KERNEL)
    return remember(MUPTI_ERROR_INVALID_PARAMETER);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupCreate(MUcontext context, MUpti_EventGroup* eventGroup,
                                                       uint32_t flags) {
  if (eventGroup == nullptr || flags != 0) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *eventGroup = makeGroup(context);
  return *eventGroup != nullptr ? MUPTI_SUCCESS : remember(MUPTI_ERROR_INVALID_CONTEXT);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupDestroy(MUpti_EventGroup eventGroup) {
  const std::lock_guard lock(groups().mutex);
  const Group* const group = groups().find(eventGroup);
  if (group == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (group->isEnabled) return remember(MUPTI_ERROR_INVALID_OPERATION);
  groups().all.erase(eventGroup);
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupGetAttribute(MUpti_EventGroup eventGroup,
                                                             MUpti_EventGroupAttribute attrib,
                                                             size_t* valueSize, void* value) {
  return withGroup(eventGroup, true, [&](Group& group) {
    switch (attrib) {
      case MUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID:
        return give(valueSize, value, group.counts.empty() ? MUpti_EventDomainID{0} : kDomain);
      case MUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES:
        return give(valueSize, value, uint32_t{group.ofAllInstances});
      case MUPTI_EVENT_GROUP_ATTR_USER_DATA:
        return give(valueSize, value, group.userData);
      case MUPTI_EVENT_GROUP_ATTR_NUM_EVENTS:
        return give(valueSize, value, static_cast<uint32_t>(group.counts.size()));
      case MUPTI_EVENT_GROUP_ATTR_EVENTS: {
        std::vector<uint32_t> ids;
        for (const auto& [id, count] : group.counts) ids.push_back(id);
        return giveIds(valueSize, static_cast<uint32_t*>(value), ids);
      }
      case MUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT:
        return give(valueSize, value, uint32_t{1});
      case MUPTI_EVENT_GROUP_ATTR_PROFILING_SCOPE:
        return give(valueSize, value, MUPTI_EVENT_PROFILING_SCOPE_CONTEXT);
      default:
        return MUPTI_ERROR_INVALID_PARAMETER;
    }
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupSetAttribute(MUpti_EventGroup eventGroup,
                                                             MUpti_EventGroupAttribute attrib,
                                                             size_t valueSize, void* value) {
  if (value == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  const bool ofUser = attrib == MUPTI_EVENT_GROUP_ATTR_USER_DATA;
  if (!ofUser && attrib != MUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES)
    return remember(MUPTI_ERROR_INVALID_PARAMETER);  // the others are not the caller's
  if (valueSize < (ofUser ? sizeof(void*) : sizeof(uint32_t)))
    return remember(MUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
  return withGroup(eventGroup, ofUser, [&](Group& group) {
    if (ofUser) {
      group.userData = *static_cast<void**>(value);
    } else {
      group.ofAllInstances = *static_cast<uint32_t*>(value) != 0;
    }
    return MUPTI_SUCCESS;
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupAddEvent(MUpti_EventGroup eventGroup, MUpti_EventID event) {
  if (findEvent(event) == nullptr) return remember(MUPTI_ERROR_INVALID_EVENT_ID);
  return withGroup(eventGroup, false, [&](Group& group) {
    return group.counts.try_emplace(event, 0).second ? MUPTI_SUCCESS : MUPTI_ERROR_INVALID_OPERATION;
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupRemoveEvent(MUpti_EventGroup eventGroup,
                                                            MUpti_EventID event) {
  if (findEvent(event) == nullptr) return remember(MUPTI_ERROR_INVALID_EVENT_ID);
  return withGroup(eventGroup, false, [&](Group& group) {
    return group.counts.erase(event) != 0 ? MUPTI_SUCCESS : MUPTI_ERROR_INVALID_PARAMETER;
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupRemoveAllEvents(MUpti_EventGroup eventGroup) {
  return withGroup(eventGroup, false, [](Group& group) {
    group.counts.clear();
    return MUPTI_SUCCESS;
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupResetAllEvents(MUpti_EventGroup eventGroup) {
  return withGroup(eventGroup, true, [](Group& group) {
    for (auto& [id, count] : group.counts) count = 0;
    return MUPTI_SUCCESS;
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupEnable(MUpti_EventGroup eventGroup) {
  return setEnabled(eventGroup, true);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupDisable(MUpti_EventGroup eventGroup) {
  return setEnabled(eventGroup, false);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupReadEvent(MUpti_EventGroup eventGroup,
                                                          MUpti_ReadEventFlags flags, MUpti_EventID event,
                                                          size_t* eventValueBufferSizeBytes,
                                                          uint64_t* eventValueBuffer) {
  if (flags != MUPTI_EVENT_READ_FLAG_NONE || eventValueBufferSizeBytes == nullptr ||
      eventValueBuffer == nullptr)
    return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (findEvent(event) == nullptr) return remember(MUPTI_ERROR_INVALID_EVENT_ID);
  return withGroup(eventGroup, true, [&](Group& group) {
    if (!group.isEnabled) return MUPTI_ERROR_INVALID_OPERATION;
    const auto found = group.counts.find(event);
    if (found == group.counts.end()) return MUPTI_ERROR_INVALID_EVENT_ID;
    if (*eventValueBufferSizeBytes < sizeof(uint64_t)) return MUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    *eventValueBuffer = take(found->second);
    *eventValueBufferSizeBytes = sizeof(uint64_t);
    return MUPTI_SUCCESS;
  });
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupReadAllEvents(
    MUpti_EventGroup eventGroup, MUpti_ReadEventFlags flags, size_t* eventValueBufferSizeBytes,
    uint64_t* eventValueBuffer, size_t* eventIdArraySizeBytes, MUpti_EventID* eventIdArray,
    size_t* numEventIdsRead) {
  if (flags != MUPTI_EVENT_READ_FLAG_NONE || eventValueBufferSizeBytes == nullptr ||
      eventValueBuffer == nullptr || eventIdArraySizeBytes == nullptr || eventIdArray == nullptr ||
      numEventIdsRead == nullptr)
    return remember(MUPTI_ERROR_INVALID_PARAMETER);
  return withGroup(eventGroup, true, [&](Group& group) {
    if (!group.isEnabled) return MUPTI_ERROR_INVALID_OPERATION;
    const size_t count = group.counts.size();
    if (*eventValueBufferSizeBytes < count * sizeof(uint64_t) ||
        *eventIdArraySizeBytes < count * sizeof(MUpti_EventID))
      return MUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    for (auto& [id, value] : group.counts) {
      *eventIdArray++ = id;
      *eventValueBuffer++ = take(value);
    }
    *eventValueBufferSizeBytes = count * sizeof(uint64_t);
    *eventIdArraySizeBytes = count * sizeof(MUpti_EventID);
    *numEventIdsRead = count;
    return MUPTI_SUCCESS;
  });
}

// All events are of one domain and are counted at once: one pass of one group.
MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupSetsCreate(MUcontext context, size_t eventIdArraySizeBytes,
                                                           MUpti_EventID* eventIdArray,
                                                           MUpti_EventGroupSets** eventGroupPasses) {
  if (eventIdArray == nullptr || eventGroupPasses == nullptr || eventIdArraySizeBytes < sizeof(MUpti_EventID))
    return remember(MUPTI_ERROR_INVALID_PARAMETER);
  const std::span ids(eventIdArray, eventIdArraySizeBytes / sizeof(MUpti_EventID));
  for (const MUpti_EventID id : ids)
    if (findEvent(id) == nullptr) return remember(MUPTI_ERROR_INVALID_EVENT_ID);
  const MUpti_EventGroup group = makeGroup(context);
  if (group == nullptr) return remember(MUPTI_ERROR_INVALID_CONTEXT);
  for (const MUpti_EventID id : ids) (void)muptiEventGroupAddEvent(group, id);  // named twice, counted once
  *eventGroupPasses =
      new MUpti_EventGroupSets{1, new MUpti_EventGroupSet[1]{{1, new MUpti_EventGroup[1]{group}}}};
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupSetsDestroy(MUpti_EventGroupSets* eventGroupSets) {
  if (eventGroupSets == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  MUpti_EventGroup* const handles = eventGroupSets->sets->eventGroups;
  (void)setEnabled(*handles, false);
  (void)muptiEventGroupDestroy(*handles);
  delete[] handles;
  delete[] eventGroupSets->sets;
  delete eventGroupSets;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupSetEnable(MUpti_EventGroupSet* eventGroupSet) {
  if (eventGroupSet == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  for (uint32_t i = 0; i < eventGroupSet->numEventGroups; ++i)
    if (const MUptiResult result = setEnabled(eventGroupSet->eventGroups[i], true); result != MUPTI_SUCCESS)
      return result;
  return MUPTI_SUCCESS;
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGroupSetDisable(MUpti_EventGroupSet* eventGroupSet) {
  if (eventGroupSet == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  for (uint32_t i = 0; i < eventGroupSet->numEventGroups; ++i)
    if (const MUptiResult result = setEnabled(eventGroupSet->eventGroups[i], false); result != MUPTI_SUCCESS)
      return result;
  return MUPTI_SUCCESS;
}
