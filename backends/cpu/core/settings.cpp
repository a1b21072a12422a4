#include "cpu/core/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <vector>

#include "cpu/core/machine_file.h"
#include "cpu/core/profiles.h"

namespace musashim::backend::cpu {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string archName(const DeviceProfile& profile) { return fmt::format("mp_{}", profile.arch / 10); }

const DeviceProfile* findProfile(const std::string& name) {
  std::string wanted = lower(name);
  for (const ProfileEntry& entry : profiles()) {
    if (wanted == entry.profile.id || (entry.defaultForArch && wanted == archName(entry.profile))) {
      return &entry.profile;
    }
  }
  return nullptr;
}

std::string profileNames() {
  std::string names;
  for (const ProfileEntry& entry : profiles()) {
    if (entry.defaultForArch) names += archName(entry.profile) + ", ";
  }
  for (const ProfileEntry& entry : profiles()) {
    std::string id = entry.profile.id;
    std::transform(id.begin(), id.end(), id.begin(), [](unsigned char c) { return std::toupper(c); });
    names += id + (&entry == &profiles().back() ? "" : ", ");
  }
  return names;
}

std::optional<uint64_t> number(const std::string& text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A row of the table: what a variable means. `apply` says whether the value will do.
struct Setting {
  const char* name;
  std::string accepted;
  bool (*apply)(Settings& settings, const std::string& value);
};

template <typename Field, uint64_t kUnit, uint64_t kLowest, uint64_t kHighest, Field Settings::* kField>
bool applyNumber(Settings& settings, const std::string& text) {
  std::optional<uint64_t> value = number(text);
  if (!value || *value < kLowest || *value > kHighest) return false;
  settings.*kField = static_cast<Field>(*value * kUnit);
  return true;
}

constexpr size_t kMostDevices = 64;
constexpr uint64_t kKiB = 1024, kMiB = 1024 * 1024;

const Setting* settingsTable(size_t& count) {
  // Never destroyed: threads run until the process is gone.
  static const auto& table = *new std::vector<Setting>{
      {"MUSASHIM_BACKEND", "cpu, null",
       [](Settings& s, const std::string& v) {
         s.backend = v;
         return v == "cpu" || v == "null";
       }},
      {"MUSASHIM_DEVICES", "0 to 64", applyNumber<unsigned, 1, 0, kMostDevices, &Settings::devices>},
      {"MUSASHIM_ARCH", profileNames(),
       [](Settings& s, const std::string& v) {
         const DeviceProfile* found = findProfile(v);
         if (found) s.profile = found;
         return found != nullptr;
       }},
      {"MUSASHIM_OVERCOMMIT", "0, 1",
       [](Settings& s, const std::string& v) {
         s.overcommit = v == "1";
         return v == "0" || v == "1";
       }},
      {"MUSASHIM_PROTECT", "0, 1",
       [](Settings& s, const std::string& v) {
         s.protect = v == "1";
         return v == "0" || v == "1";
       }},
      {"MUSASHIM_SESSION", "a word of up to 24 letters, digits, '-' and '_'; none",
       [](Settings& s, const std::string& v) {
         s.session = v == "none" ? "" : v;
         return v.size() <= 24 && std::all_of(v.begin(), v.end(), [](unsigned char c) {
                  return std::isalnum(c) || c == '-' || c == '_';
                });
       }},
      {"MUSASHIM_THREADS", "1 to 1024", applyNumber<unsigned, 1, 1, 1024, &Settings::threads>},
      {"MUSASHIM_CPU_LEVEL", "1 to 4", applyNumber<unsigned, 1, 1, 4, &Settings::cpuLevel>},
      {"MUSASHIM_RESERVE_MIB", "0 to 1048576",
       applyNumber<size_t, kMiB, 0, 1048576, &Settings::reserveBytes>},
      {"MUSASHIM_PAST_CACHES_MIB", "0 to 1048576",
       applyNumber<std::optional<size_t>, kMiB, 0, 1048576, &Settings::pastCachesBytes>},
      {"MUSASHIM_FIBER_STACK_KIB", "16 to 65536",
       applyNumber<size_t, kKiB, 16, 65536, &Settings::fiberStackBytes>},
      {"MUSASHIM_PRINTF_KIB", "1 to 1048576", applyNumber<size_t, kKiB, 1, 1048576, &Settings::printfBytes>},
      {"MUSASHIM_HEAP_KIB", "0 to 67108864", applyNumber<size_t, kKiB, 0, 67108864, &Settings::heapBytes>},
  };
  count = table.size();
  return table.data();
}

}  // namespace

Settings readSettings(const char* (*get)(const char* name)) {
  Settings result;
  result.profile = findProfile("mp_31");
  result.session = "user";
  // libmccl's machine is that of the devices: as many, at the same places, unless their number is set.
  for (const char* name : {"MCCL_TOPO_FILE", "NCCL_TOPO_FILE"}) {
    const char* machine = get(name);
    if (!machine || *machine == '\0') continue;
    result.places = devicesOfMachine(machine);
    if (!result.places.empty())
      result.devices = static_cast<unsigned>(std::min(result.places.size(), kMostDevices));
    break;
  }
  if (const char* path = get("MUSASHIM_MACHINE"); path && *path) {
    for (const char* other : {"MUSASHIM_DEVICES", "MUSASHIM_ARCH"}) {
      const char* value = get(other);
      if (!value || *value == '\0') continue;
      result.error = fmt::format(
          "{}={} cannot be used with MUSASHIM_MACHINE, which says what the devices are", other, value);
      return result;
    }
    if (const std::string wrong = readMachine(path, result.machine); !wrong.empty()) {
      result.error = "MUSASHIM_MACHINE: " + wrong;
      return result;
    }
    result.devices = static_cast<unsigned>(result.machine.devices.size());
  }
  size_t count;
  const Setting* table = settingsTable(count);
  for (const Setting* setting = table; setting != table + count; ++setting) {
    const char* value = get(setting->name);
    if (!value || *value == '\0' || setting->apply(result, value)) continue;
    result.error =
        fmt::format("{}={} is not usable: accepted are {}", setting->name, value, setting->accepted);
    break;
  }
  return result;
}

const Settings& settings() {
  static const Settings* const read =
      new Settings(readSettings([](const char* name) -> const char* { return std::getenv(name); }));
  return *read;
}

}  // namespace musashim::backend::cpu
