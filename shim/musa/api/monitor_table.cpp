// What tools see of the devices' use by all processes; see musashim_tables.h.
#include "musa/api/monitor_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "interface/backend.h"
#include "musa/api/driver.h"
#include "musa/context/visible_devices.h"

namespace musashim::musa {
namespace {

// No muInit: a tool looks at every device, and has no context.
backend::Backend& machine() { return backend::activeBackend(); }

unsigned int deviceCount() { return static_cast<unsigned int>(machine().deviceCount()); }

template <size_t kSize>
void copy(const std::string& text, char (&to)[kSize]) {
  text.copy(to, kSize - 1);
}

// Stable over runs, as the UUID is, and as long as the vendor's are: "MY10YL225BF06077".
std::string serialOf(const backend::DeviceProfile& profile, const MUuuid& uuid) {
  std::string serial = profile.serialPrefix;
  for (size_t i = 0; i < 5; ++i) serial += fmt::format("{:02X}", static_cast<unsigned char>(uuid.bytes[i]));
  return serial;
}

void describeBoard(const backend::DeviceProfile& profile, MUshimDevice& device) {
  device.powerLimitMilliwatts = profile.powerLimitMilliwatts;
  device.idleMilliwatts = profile.idleMilliwatts;
  device.fullMilliwatts = profile.fullMilliwatts;
  device.idleCelsius = profile.idleCelsius;
  device.fullCelsius = profile.fullCelsius;
  device.fans = profile.fans;
  device.idleFanPercent = profile.idleFanPercent;
  device.fullFanPercent = profile.fullFanPercent;
  device.mostFanRpm = profile.mostFanRpm;
  copy(profile.mtbios, device.mtbios);
  copy(profile.memoryType, device.memoryType);
  copy(profile.memoryVendor, device.memoryVendor);
}

void describeReadings(const backend::DeviceReadings& readings, MUshimDevice& device) {
  device.hasTemperature = readings.celsius.has_value();
  device.hasPower = readings.milliwatts.has_value();
  device.hasFan = readings.fanPercent.has_value();
  device.hasEcc = readings.eccCorrected.has_value();
  device.celsius = readings.celsius.value_or(0);
  device.milliwatts = readings.milliwatts.value_or(0);
  device.fanPercent = readings.fanPercent.value_or(0);
  device.eccCorrected = readings.eccCorrected.value_or(0);
  device.eccUncorrected = readings.eccUncorrected.value_or(0);
}

MUresult describe(unsigned int index, MUshimDevice* device) {
  if (!device) return MUSA_ERROR_INVALID_VALUE;
  if (index >= deviceCount()) return MUSA_ERROR_INVALID_DEVICE;
  const backend::Device& found = machine().device(index);
  const backend::DeviceProfile& profile = found.profile();
  const PciPlace place = pciPlace(found, static_cast<int>(index));
  *device = {};
  copy(profile.name, device->name);
  device->uuid = deviceUuid(found, index);
  device->pciDomain = place.domain;
  device->pciBus = place.bus;
  device->pciDevice = place.device;
  device->pciVendorId = profile.pciVendorId;
  device->pciDeviceId = profile.pciDeviceId;
  device->major = static_cast<int>(profile.major);
  device->minor = static_cast<int>(profile.minor);
  device->multiprocessors = profile.multiprocessors;
  device->clockKHz = profile.clockKHz;
  device->memoryClockKHz = profile.memoryClockKHz;
  device->memoryBusBits = profile.memoryBusBits;
  device->memoryBytes = profile.memoryBytes;
  device->boardMemoryBytes = profile.boardMemoryBytes;
  const backend::DeviceReadings readings = found.readings();
  describeReadings(readings, *device);
  describeBoard(profile, *device);
  copy(readings.serial.empty() ? serialOf(profile, device->uuid) : readings.serial, device->serial);
  return MUSA_SUCCESS;
}

MUresult memoryUsed(unsigned int index, unsigned long long* bytes) {
  if (!bytes) return MUSA_ERROR_INVALID_VALUE;
  if (index >= deviceCount()) return MUSA_ERROR_INVALID_DEVICE;
  backend::Monitor* monitor = machine().monitor();
  if (!monitor) return MUSA_ERROR_NOT_SUPPORTED;
  *bytes = monitor->usedBytes(index);
  return MUSA_SUCCESS;
}

MUresult processes(unsigned int index, unsigned int* count, MUshimProcess* list) {
  if (!count || (*count != 0 && !list)) return MUSA_ERROR_INVALID_VALUE;
  if (index >= deviceCount()) return MUSA_ERROR_INVALID_DEVICE;
  backend::Monitor* monitor = machine().monitor();
  if (!monitor) return MUSA_ERROR_NOT_SUPPORTED;
  const std::vector<backend::ProcessUse> found = monitor->processesOn(index);
  const size_t shown = std::min<size_t>(found.size(), *count);
  for (size_t i = 0; i < shown; ++i) list[i] = {found[i].process, found[i].bytes};
  *count = static_cast<unsigned int>(found.size());
  return MUSA_SUCCESS;
}

unsigned long long runningDevices() {
  backend::Monitor* monitor = machine().monitor();
  return monitor ? monitor->runningDevices() : 0;
}

unsigned long long lostDevices() {
  backend::Monitor* monitor = machine().monitor();
  return monitor ? monitor->lostDevices() : 0;
}

MUresult machines(unsigned int* count, MUshimMachine* list) {
  if (!count || (*count != 0 && !list)) return MUSA_ERROR_INVALID_VALUE;
  const std::vector<backend::RunningMachine> found = backend::runningMachines();
  const size_t shown = std::min<size_t>(found.size(), *count);
  for (size_t i = 0; i < shown; ++i) {
    list[i] = {};
    found[i].session.copy(list[i].session, sizeof list[i].session - 1);
    found[i].product.copy(list[i].product, sizeof list[i].product - 1);
    list[i].devices = static_cast<unsigned int>(found[i].devices);
    list[i].processes = static_cast<unsigned int>(found[i].processes);
  }
  *count = static_cast<unsigned int>(found.size());
  return MUSA_SUCCESS;
}

MUresult links(unsigned int* count, MUshimLink* list) {
  if (!count || (*count != 0 && !list)) return MUSA_ERROR_INVALID_VALUE;
  const std::vector<backend::DeviceLink> found = machine().links();
  const size_t shown = std::min<size_t>(found.size(), *count);
  for (size_t i = 0; i < shown; ++i)
    list[i] = {static_cast<unsigned int>(found[i].a), static_cast<unsigned int>(found[i].b),
               found[i].mtlinks};
  *count = static_cast<unsigned int>(found.size());
  return MUSA_SUCCESS;
}

const char* runningKernel() {
  backend::Monitor* monitor = machine().monitor();
  return monitor ? monitor->runningKernel() : nullptr;
}

}  // namespace

const MUshimMonitorTable kMonitorTable = {sizeof(MUshimMonitorTable),
                                          deviceCount,
                                          describe,
                                          memoryUsed,
                                          processes,
                                          runningDevices,
                                          lostDevices,
                                          machines,
                                          links,
                                          runningKernel};

}  // namespace musashim::musa
