#include "mtml/gmi/snapshot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "mtml/state/machine.h"

namespace musashim::gmi {
namespace {

template <class Value>
std::optional<Value> reading(MtmlReturn (*get)(const MtmlGpu*, Value*), const MtmlGpu* gpu) {
  Value value{};
  return get(gpu, &value) == MTML_SUCCESS ? std::optional(value) : std::nullopt;
}

void readGpu(const MtmlDevice* device, bool withLoad, Gpu& gpu) {
  MtmlGpu* part = nullptr;
  if (mtmlDeviceInitGpu(device, &part) != MTML_SUCCESS) return;
  mtmlGpuGetClock(part, &gpu.clock);
  mtmlGpuGetMaxClock(part, &gpu.maxClock);
  if (withLoad) {
    mtmlGpuGetUtilization(part, &gpu.load);
    gpu.celsius = reading<unsigned int>(mtmlGpuGetTemperature, part);
  }
  mtmlDeviceFreeGpu(part);
}

void readVideo(const MtmlDevice* device, Gpu& gpu) {
  MtmlVpu* part = nullptr;
  if (mtmlDeviceInitVpu(device, &part) != MTML_SUCCESS) return;
  mtmlVpuGetClock(part, &gpu.videoClock);
  MtmlCodecUtil load{};
  if (mtmlVpuGetUtilization(part, &load) == MTML_SUCCESS) {
    gpu.encoderLoad = load.encUtil;
    gpu.decoderLoad = load.decUtil;
  }
  mtmlDeviceFreeVpu(part);
}

// What libmtml tells of the board.
void readBoard(const MtmlDevice* device, bool withLoad, Gpu& gpu) {
  char text[MTML_DEVICE_SERIAL_NUMBER_BUFFER_SIZE] = "";
  if (mtmlDeviceGetSerialNumber(device, sizeof text, text) == MTML_SUCCESS) gpu.serial = text;
  if (mtmlDeviceGetMtBiosVersion(device, text, sizeof text) == MTML_SUCCESS) gpu.mtbios = text;
  MUshimDevice facts;
  // libmtml has no word for it.
  if (mtml::monitorTable()->device(gpu.index, &facts) == MUSA_SUCCESS)
    gpu.limitMilliwatts = facts.powerLimitMilliwatts;
  if (!withLoad) return;
  unsigned int value = 0, fans = 0;
  if (mtmlDeviceGetPowerUsage(device, &value) == MTML_SUCCESS) gpu.milliwatts = value;
  mtmlDeviceCountFan(device, &fans);
  for (unsigned int fan = 0; fan < fans; ++fan) {
    if (mtmlDeviceGetFanSpeed(device, fan, &value) == MTML_SUCCESS) gpu.fans.push_back(value);
  }
}

void readMemory(const MtmlDevice* device, Gpu& gpu) {
  MtmlMemory* part = nullptr;
  if (mtmlDeviceInitMemory(device, &part) != MTML_SUCCESS) return;
  mtmlMemoryGetTotal(part, &gpu.totalBytes);
  mtmlMemoryGetUsed(part, &gpu.usedBytes);
  mtmlMemoryGetUtilization(part, &gpu.memoryLoad);
  mtmlMemoryGetClock(part, &gpu.memoryClock);
  mtmlMemoryGetMaxClock(part, &gpu.maxMemoryClock);
  mtmlMemoryGetBusWidth(part, &gpu.busBits);
  mtmlMemoryGetBandwidth(part, &gpu.bandwidth);
  mtmlMemoryGetSpeed(part, &gpu.memoryTransfers);
  char vendor[MTML_MEMORY_VENDOR_BUFFER_SIZE] = "";
  if (mtmlMemoryGetVendor(part, sizeof vendor, vendor) == MTML_SUCCESS) gpu.memoryVendor = vendor;
  MtmlMemoryType type{};
  if (mtmlMemoryGetType(part, &type) == MTML_SUCCESS)
    gpu.memoryType = type == MTML_MEM_TYPE_GDDR6 ? "GDDR6" : "LPDDR4";
  MtmlEccMode mode{}, pending{};
  if (mtmlMemoryGetEccMode(part, &mode, &pending) == MTML_SUCCESS) {
    Gpu::Ecc ecc;
    mtmlMemoryGetEccErrorCounter(part, MTML_MEMORY_ERROR_TYPE_CORRECTED, MTML_VOLATILE_ECC,
                                 MTML_MEMORY_LOCATION_DRAM, &ecc.corrected);
    mtmlMemoryGetEccErrorCounter(part, MTML_MEMORY_ERROR_TYPE_UNCORRECTED, MTML_VOLATILE_ECC,
                                 MTML_MEMORY_LOCATION_DRAM, &ecc.uncorrected);
    gpu.ecc = ecc;
  }
  mtmlDeviceFreeMemory(part);
}

Gpu read(const MtmlDevice* device, bool withLoad) {
  Gpu gpu;
  char name[MTML_DEVICE_NAME_BUFFER_SIZE] = "", uuid[MTML_DEVICE_UUID_BUFFER_SIZE] = "";
  mtmlDeviceGetIndex(device, &gpu.index);
  mtmlDeviceGetName(device, name, sizeof name);
  mtmlDeviceGetUUID(device, uuid, sizeof uuid);
  mtmlDeviceGetPciInfo(device, &gpu.pci);
  gpu.name = name;
  gpu.isLost = mtml::isLost(gpu.index);
  gpu.uuid = uuid;
  readBoard(device, withLoad, gpu);
  readGpu(device, withLoad, gpu);
  readMemory(device, gpu);
  readVideo(device, gpu);
  for (const MUshimProcess& one : mtml::processesOn(gpu.index))
    gpu.processes.push_back({one.process, mtml::nameOf(one.process), one.bytes});
  return gpu;
}

}  // namespace

void chooseMachine() {
  for (const char* name :
       {"MUSASHIM_DEVICES", "MUSASHIM_ARCH", "MUSASHIM_MACHINE", "MCCL_TOPO_FILE", "NCCL_TOPO_FILE"}) {
    const char* value = std::getenv(name);
    if (value && *value) return;
  }
  if (!mtml::monitorTable()) return;
  const char* session = std::getenv("MUSASHIM_SESSION");
  if (!session || !*session) session = "user";
  std::vector<MUshimMachine> machines(64);
  auto count = static_cast<unsigned int>(machines.size());
  if (mtml::monitorTable()->machines(&count, machines.data()) != MUSA_SUCCESS) return;
  machines.resize(std::min<size_t>(count, machines.size()));
  std::erase_if(machines, [&](const MUshimMachine& one) { return std::strcmp(one.session, session) != 0; });
  const auto most = std::ranges::max_element(machines, {}, &MUshimMachine::processes);
  if (most == machines.end()) return;
  setenv("MUSASHIM_ARCH", most->product, 1);
  setenv("MUSASHIM_DEVICES", std::to_string(most->devices).c_str(), 1);
}

std::optional<std::string> Machine::open(Machine& machine) {
  if (const MtmlReturn result = mtmlLibraryInit(&machine.library_); result != MTML_SUCCESS) {
    return result == MTML_ERROR_DRIVER_NOT_LOADED
               ? "No devices were found"
               : fmt::format("Failed to initialize MTML: {}", mtmlErrorString(result));
  }
  mtmlLibraryCountDevice(machine.library_, &machine.count_);
  return std::nullopt;
}

Machine::~Machine() {
  if (library_) mtmlLibraryShutDown(library_);
}

std::string Machine::driverVersion() const {
  MtmlSystem* system = nullptr;
  char version[MTML_DRIVER_VERSION_BUFFER_SIZE] = "";
  if (mtmlLibraryInitSystem(library_, &system) != MTML_SUCCESS) return "";
  mtmlSystemGetDriverVersion(system, version, sizeof version);
  mtmlLibraryFreeSystem(system);
  return version;
}

std::vector<Gpu> Machine::look(const std::vector<unsigned int>& wanted, bool withLoad) const {
  std::vector<Gpu> gpus;
  for (const unsigned int index : wanted) {
    MtmlDevice* device = nullptr;
    if (mtmlLibraryInitDeviceByIndex(library_, index, &device) != MTML_SUCCESS) continue;
    gpus.push_back(read(device, withLoad));
    mtmlLibraryFreeDevice(device);
  }
  return gpus;
}

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[64];
  std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
  return text;
}

}  // namespace musashim::gmi
