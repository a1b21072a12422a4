#include "mupti/library/devices.h"

#include "mupti.h"
#include "mupti/events/events.h"
#include "mupti/library/entry.h"

namespace musashim::mupti {

uint64_t memoryBandwidth(MUdevice device) {
  int kiloHertz = 0, bits = 0;
  (void)muDeviceGetAttribute(&kiloHertz, MU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, device);
  (void)muDeviceGetAttribute(&bits, MU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, device);
  return 2 * static_cast<uint64_t>(kiloHertz) * static_cast<uint64_t>(bits) / 8;
}

}  // namespace musashim::mupti

using namespace musashim::mupti;

MUPTI_ENTRY MUptiResult MUPTIAPI muptiDeviceGetAttribute(MUdevice device, MUpti_DeviceAttribute attrib,
                                                         size_t* valueSize, void* value) {
  if (valueSize == nullptr || value == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  int devices = 0;
  if (muDeviceGetCount(&devices) != MUSA_SUCCESS) return remember(MUPTI_ERROR_NOT_INITIALIZED);
  if (device < 0 || device >= devices) return remember(MUPTI_ERROR_INVALID_DEVICE);
  switch (attrib) {
    case MUPTI_DEVICE_ATTR_MAX_EVENT_ID:
      return give(valueSize, value, uint32_t{events().back().id});
    case MUPTI_DEVICE_ATTR_MAX_EVENT_DOMAIN_ID:
      return give(valueSize, value, uint32_t{kDomain});
    case MUPTI_DEVICE_ATTR_GLOBAL_MEMORY_BANDWIDTH:
      return give<uint64_t>(valueSize, value, memoryBandwidth(device));
    case MUPTI_DEVICE_ATTR_DEVICE_CLASS:
      return give(valueSize, value, MUPTI_DEVICE_ATTR_DEVICE_CLASS_TESLA);  // of a data centre
    default:
      // What a device does in a cycle, its units and links: no profile says.
      return remember(MUPTI_ERROR_NOT_SUPPORTED);
  }
}
