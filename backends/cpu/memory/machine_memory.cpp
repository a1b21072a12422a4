#include "cpu/memory/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

#include "support/control_groups.h"

namespace musashim::backend::cpu {

namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// "Name:   123 kB" of /proc/meminfo, in bytes.
std::optional<uint64_t> meminfoField(const std::string& path, const std::string& field) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(field + ":", 0) == 0) return std::stoull(line.substr(field.size() + 1)) * 1024;
  }
  return std::nullopt;
}

// One number of a control group's file; "max" is no limit.
std::optional<uint64_t> readNumber(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  if (!(file >> text)) return std::nullopt;
  if (text == "max") return kUnlimited;
  if (text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoull(text);
}

uint64_t statField(const std::string& path, const std::string& field) {
  std::ifstream file(path);
  std::string name;
  uint64_t value = 0;
  while (file >> name >> value) {
    if (name == field) return value;
  }
  return 0;
}

struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* reclaimable;
};
constexpr GroupFiles kVersion2{"/memory.max", "/memory.current", "inactive_file"};
constexpr GroupFiles kVersion1{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"};

uint64_t groupHeadroom(const std::string& folder, const GroupFiles& files) {
  std::optional<uint64_t> limit = readNumber(folder + files.limit);
  std::optional<uint64_t> usage = readNumber(folder + files.usage);
  if (!limit || !usage || *limit == kUnlimited) return kUnlimited;
  uint64_t held = *usage - std::min(*usage, statField(folder + "/memory.stat", files.reclaimable));
  return *limit - std::min(*limit, held);
}

}  // namespace

MachineMemory::MachineMemory(std::string procRoot, std::string cgroupRoot)
    : procRoot_(std::move(procRoot)), cgroupRoot_(std::move(cgroupRoot)) {}

uint64_t MachineMemory::total() const { return meminfoField(procRoot_ + "/meminfo", "MemTotal").value_or(0); }

uint64_t MachineMemory::available() const {
  uint64_t available = meminfoField(procRoot_ + "/meminfo", "MemAvailable").value_or(0);
  support::visitControlGroups(
      procRoot_, cgroupRoot_, "memory", [&available](const std::string& folder, bool isVersion2) {
        available = std::min(available, groupHeadroom(folder, isVersion2 ? kVersion2 : kVersion1));
      });
  return available;
}

}  // namespace musashim::backend::cpu
