// Which events there are, and what is told of them.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "mupti/events/events.h"
#include "mupti/library/entry.h"

namespace musashim::mupti {
namespace {

uint64_t product(const unsigned (&sizes)[3]) { return uint64_t{sizes[0]} * sizes[1] * sizes[2]; }

// By CUPTI's names, as its events for devices of its own tell them.
constexpr Event kEvents[] = {
    {1, "warps_launched", "Warps launched", "Number of warps of the blocks of kernels that have run.",
     [](const MUshimWork& kernel, unsigned warp) {
       return product(kernel.grid) * ((product(kernel.block) + warp - 1) / warp);
     }},
    {2, "threads_launched", "Threads launched", "Number of threads of the blocks of kernels that have run.",
     [](const MUshimWork& kernel, unsigned) { return product(kernel.grid) * product(kernel.block); }},
    {3, "sm_cta_launched", "Blocks launched", "Number of blocks of kernels that have run.",
     [](const MUshimWork& kernel, unsigned) { return product(kernel.grid); }},
};
constexpr char kDomainName[] = "device";

}  // namespace

std::span<const Event> events() { return kEvents; }

const Event* findEvent(MUpti_EventID id) {
  const auto* const found = std::find_if(std::begin(kEvents), std::end(kEvents),
                                         [&](const Event& event) { return event.id == id; });
  return found == std::end(kEvents) ? nullptr : found;
}

MUptiResult giveBytes(size_t* valueSize, void* value, const void* what, size_t bytes) {
  if (valueSize == nullptr || value == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (*valueSize < bytes) return remember(MUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
  std::memcpy(value, what, bytes);
  *valueSize = bytes;
  return MUPTI_SUCCESS;
}

MUptiResult giveText(size_t* valueSize, void* value, const char* text) {
  if (valueSize == nullptr || value == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *valueSize = std::min(*valueSize, std::strlen(text) + 1);
  std::memcpy(value, text, *valueSize);
  return MUPTI_SUCCESS;
}

MUptiResult giveIds(size_t* arraySizeBytes, uint32_t* array, std::span<const uint32_t> ids) {
  if (arraySizeBytes == nullptr || array == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  const size_t count = std::min(ids.size(), *arraySizeBytes / sizeof(uint32_t));
  std::copy_n(ids.begin(), count, array);
  *arraySizeBytes = count * sizeof(uint32_t);
  return MUPTI_SUCCESS;
}

bool isDevice(MUdevice device) {
  int devices = 0;
  return muDeviceGetCount(&devices) == MUSA_SUCCESS && device >= 0 && device < devices;
}

namespace {

MUptiResult domainAttribute(MUpti_EventDomainID domain, MUpti_EventDomainAttribute attribute,
                            size_t* valueSize, void* value) {
  if (domain != kDomain) return remember(MUPTI_ERROR_INVALID_EVENT_DOMAIN_ID);
  switch (attribute) {
    case MUPTI_EVENT_DOMAIN_ATTR_NAME:
      return giveText(valueSize, value, kDomainName);
    case MUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT:
    case MUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT:
      return give(valueSize, value, uint32_t{1});
    case MUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD:
      return give(valueSize, value, MUPTI_EVENT_COLLECTION_METHOD_INSTRUMENTED);
    default:
      return remember(MUPTI_ERROR_INVALID_PARAMETER);
  }
}

MUptiResult one(uint32_t* count, uint32_t number) {
  if (count == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *count = number;
  return MUPTI_SUCCESS;
}

constexpr uint32_t kDomains[] = {kDomain};

}  // namespace
}  // namespace musashim::mupti

using namespace musashim::mupti;

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetNumEventDomains(uint32_t* numDomains) { return one(numDomains, 1); }

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEnumEventDomains(size_t* arraySizeBytes,
                                                       MUpti_EventDomainID* domainArray) {
  return giveIds(arraySizeBytes, domainArray, kDomains);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiDeviceGetNumEventDomains(MUdevice device, uint32_t* numDomains) {
  if (!isDevice(device)) return remember(MUPTI_ERROR_INVALID_DEVICE);
  return one(numDomains, 1);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiDeviceEnumEventDomains(MUdevice device, size_t* arraySizeBytes,
                                                             MUpti_EventDomainID* domainArray) {
  if (!isDevice(device)) return remember(MUPTI_ERROR_INVALID_DEVICE);
  return giveIds(arraySizeBytes, domainArray, kDomains);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiDeviceGetEventDomainAttribute(MUdevice device,
                                                                    MUpti_EventDomainID eventDomain,
                                                                    MUpti_EventDomainAttribute attrib,
                                                                    size_t* valueSize, void* value) {
  if (!isDevice(device)) return remember(MUPTI_ERROR_INVALID_DEVICE);
  return domainAttribute(eventDomain, attrib, valueSize, value);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventDomainGetAttribute(MUpti_EventDomainID eventDomain,
                                                              MUpti_EventDomainAttribute attrib,
                                                              size_t* valueSize, void* value) {
  // How many a device has is asked by device.
  if (attrib == MUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT ||
      attrib == MUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT)
    return remember(MUPTI_ERROR_INVALID_PARAMETER);
  return domainAttribute(eventDomain, attrib, valueSize, value);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventDomainGetNumEvents(MUpti_EventDomainID eventDomain,
                                                              uint32_t* numEvents) {
  if (eventDomain != kDomain) return remember(MUPTI_ERROR_INVALID_EVENT_DOMAIN_ID);
  return one(numEvents, static_cast<uint32_t>(events().size()));
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventDomainEnumEvents(MUpti_EventDomainID eventDomain,
                                                            size_t* arraySizeBytes,
                                                            MUpti_EventID* eventArray) {
  if (eventDomain != kDomain) return remember(MUPTI_ERROR_INVALID_EVENT_DOMAIN_ID);
  std::vector<uint32_t> ids;
  for (const Event& event : events()) ids.push_back(event.id);
  return giveIds(arraySizeBytes, eventArray, ids);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGetAttribute(MUpti_EventID event, MUpti_EventAttribute attrib,
                                                        size_t* valueSize, void* value) {
  const Event* const known = findEvent(event);
  if (known == nullptr) return remember(MUPTI_ERROR_INVALID_EVENT_ID);
  switch (attrib) {
    case MUPTI_EVENT_ATTR_NAME:
      return giveText(valueSize, value, known->name);
    case MUPTI_EVENT_ATTR_SHORT_DESCRIPTION:
      return giveText(valueSize, value, known->shortText);
    case MUPTI_EVENT_ATTR_LONG_DESCRIPTION:
      return giveText(valueSize, value, known->longText);
    case MUPTI_EVENT_ATTR_CATEGORY:
      return give(valueSize, value, MUPTI_EVENT_CATEGORY_INSTRUCTION);
    case MUPTI_EVENT_ATTR_PROFILING_SCOPE:
      return give(valueSize, value, MUPTI_EVENT_PROFILING_SCOPE_CONTEXT);
    default:
      return remember(MUPTI_ERROR_INVALID_PARAMETER);
  }
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEventGetIdFromName(MUdevice device, const char* eventName,
                                                         MUpti_EventID* event) {
  if (eventName == nullptr || event == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (!isDevice(device)) return remember(MUPTI_ERROR_INVALID_DEVICE);
  for (const Event& known : events()) {
    if (std::string_view(eventName) != known.name) continue;
    *event = known.id;
    return MUPTI_SUCCESS;
  }
  return remember(MUPTI_ERROR_INVALID_EVENT_NAME);
}
