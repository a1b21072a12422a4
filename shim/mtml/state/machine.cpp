#include "mtml/state/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

namespace musashim::mtml {

const MUshimMonitorTable* monitorTable() {
  static const MUshimMonitorTable* const kTable = []() -> const MUshimMonitorTable* {
    const void* table = nullptr;
    constexpr MUuuid kId = MUSASHIM_MONITOR_TABLE;
    return muGetExportTable(&table, &kId) == MUSA_SUCCESS ? static_cast<const MUshimMonitorTable*>(table)
                                                          : nullptr;
  }();
  return kTable;
}

std::vector<MUshimProcess> processesOn(unsigned int device) {
  std::vector<MUshimProcess> list(64);
  for (;;) {
    auto count = static_cast<unsigned int>(list.size());
    if (monitorTable()->processes(device, &count, list.data()) != MUSA_SUCCESS) return {};
    const bool isWhole = count <= list.size();
    list.resize(count);
    if (isWhole) break;
  }
  std::ranges::sort(list, {}, &MUshimProcess::process);
  return list;
}

std::string nameOf(int process) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", process), std::ios::binary);
  std::string first;
  if (std::getline(file, first, '\0') && !first.empty()) return first;
  std::ifstream comm(fmt::format("/proc/{}/comm", process));
  if (std::getline(comm, first) && !first.empty()) return first;
  return std::to_string(process);
}

unsigned long long memoryUsed(unsigned int device) {
  unsigned long long bytes = 0;
  return monitorTable()->memoryUsed(device, &bytes) == MUSA_SUCCESS ? bytes : 0;
}

bool isLost(unsigned int device) { return (monitorTable()->lostDevices() >> device & 1) != 0; }

std::string uuidText(const MUshimDevice& device) {
  std::string text;
  for (size_t i = 0; i < sizeof device.uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(device.uuid.bytes[i]));
  }
  return text;
}

std::string sbdfText(const MUshimDevice& device) {
  return fmt::format("{:08x}:{:02x}:{:02x}.0", device.pciDomain, device.pciBus, device.pciDevice);
}

std::string driverVersion() {
  int version = 0;
  if (muDriverGetVersion(&version) != MUSA_SUCCESS) return "";
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace musashim::mtml
