#include "cpu/core/emulated_machine.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "cpu/core/profiles.h"
#include "cpu/core/yaml.h"

namespace musashim::backend::cpu {
namespace {

constexpr uint64_t kMostDevices = 64;
constexpr uint64_t kMiB = 1 << 20;

[[noreturn]] void fail(const YamlNode& at, std::string message) {
  throw YamlError{at.place, std::move(message)};
}

struct ErrorName {
  const char* word;
  StatusCode code;
  FaultRule::Counts counts;
};
constexpr std::array kErrors{
    ErrorName{"lost", StatusCode::kDeviceLost, FaultRule::Counts::kLaunches},
    ErrorName{"ecc_uncorrectable", StatusCode::kEccUncorrectable, FaultRule::Counts::kLaunches},
    ErrorName{"illegal_address", StatusCode::kIllegalAddress, FaultRule::Counts::kLaunches},
    ErrorName{"launch_failure", StatusCode::kLaunchFailure, FaultRule::Counts::kLaunches},
    ErrorName{"launch_timeout", StatusCode::kDeadlock, FaultRule::Counts::kLaunches},
    ErrorName{"out_of_memory", StatusCode::kOutOfMemory, FaultRule::Counts::kAllocations},
};

template <class Rows, class Name>
std::string listed(const Rows& rows, Name&& name) {
  std::string text;
  for (const auto& row : rows) text += (text.empty() ? "" : ", ") + std::string(name(row));
  return text;
}

// A mapping's values, each asked for by name; done() says which key nobody knows.
class Map {
 public:
  Map(const YamlNode& node, const char* what) : node_(node), what_(what) {
    if (node.kind != YamlNode::Kind::kMapping)
      fail(node, fmt::format("{} is a mapping of keys to values", what));
    for (size_t i = 0; i < size(); ++i) {
      if (!key(i).isScalar()) fail(key(i), "a key is a word");
      for (size_t other = 0; other < i; ++other) {
        if (key(other).text == key(i).text) fail(key(i), fmt::format("{} is given twice", key(i).text));
      }
    }
  }

  // Null where it is not given.
  const YamlNode* find(const char* name) {
    known_.push_back(name);
    for (size_t i = 0; i < size(); ++i) {
      if (key(i).text == name) return &node_.items[2 * i + 1];
    }
    return nullptr;
  }

  const YamlNode& need(const char* name) {
    if (const YamlNode* found = find(name)) return *found;
    fail(node_, fmt::format("{} needs {}", what_, name));
  }

  std::optional<uint64_t> number(const char* name, uint64_t least, uint64_t most) {
    return numberAs(name, least, most);
  }

  std::optional<double> decimal(const char* name, double least, double most) {
    return numberAs(name, least, most);
  }

  std::optional<std::string> word(const char* name, size_t most) {
    const YamlNode* node = find(name);
    if (!node) return std::nullopt;
    if (!node->isScalar() || node->text.empty() || node->text.size() > most)
      fail(*node, fmt::format("{} is a text of 1 to {} letters", name, most));
    return node->text;
  }

  void done() {
    for (size_t i = 0; i < size(); ++i) {
      if (std::ranges::find(known_, key(i).text) != known_.end()) continue;
      fail(key(i), fmt::format("unknown key {} of {}; known are {}", key(i).text, what_,
                               listed(known_, [](const std::string& one) { return one; })));
    }
  }

 private:
  template <class Value>
  std::optional<Value> numberAs(const char* name, Value least, Value most) {
    const YamlNode* node = find(name);
    if (!node) return std::nullopt;
    Value value = 0;
    const std::string& text = node->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber =
        node->isScalar() && node->isPlain && error == std::errc() && end == text.data() + text.size();
    if (!isNumber || !(value >= least && value <= most))  // a NaN is neither
      fail(*node, fmt::format("{} is a number from {} to {}", name, least, most));
    return value;
  }

  size_t size() const { return node_.items.size() / 2; }
  const YamlNode& key(size_t index) const { return node_.items[2 * index]; }

  const YamlNode& node_;
  const char* const what_;
  std::vector<std::string> known_;
};

const std::vector<YamlNode>& listOf(const YamlNode& node, const char* what) {
  if (node.kind != YamlNode::Kind::kSequence || node.items.empty())
    fail(node, fmt::format("{} is a list of at least one", what));
  return node.items;
}

FaultRule readFault(const YamlNode& node) {
  Map map(node, "a fault");
  const YamlNode& error = map.need("error");
  const auto found = std::ranges::find_if(
      kErrors, [&](const ErrorName& one) { return error.isScalar() && error.text == one.word; });
  if (found == kErrors.end())
    fail(error,
         fmt::format("error is one of {}", listed(kErrors, [](const ErrorName& one) { return one.word; })));
  FaultRule rule;
  rule.error = found->code;
  rule.counts = found->counts;
  const bool ofLaunches = found->counts == FaultRule::Counts::kLaunches;
  const char* const key = ofLaunches ? "after_launches" : "after_allocations";
  const std::optional<uint64_t> after = map.number(key, 0, 1'000'000'000'000);
  if (!after) fail(node, fmt::format("{} needs {}", found->word, key));
  rule.after = *after;
  if (!ofLaunches) rule.times = map.number("times", 1, 1'000'000'000).value_or(0);
  map.done();
  return rule;
}

// "0000:3a:00.0"
PciAddress readPlace(const YamlNode& node, const std::string& text) {
  unsigned domain = 0, bus = 0, device = 0;
  int length = 0;
  const bool isPlace = std::sscanf(text.c_str(), "%4x:%2x:%2x.0%n", &domain, &bus, &device, &length) == 3 &&
                       static_cast<size_t>(length) == text.size() && device < 32;
  if (!isPlace) fail(node, "pci is a place as in \"0000:3a:00.0\"");
  return {static_cast<int>(domain), static_cast<int>(bus), static_cast<int>(device)};
}

const DeviceProfile& readProduct(const YamlNode& node) {
  for (const ProfileEntry& entry : profiles()) {
    if (node.isScalar() && strcasecmp(node.text.c_str(), entry.profile.id.c_str()) == 0) return entry.profile;
  }
  const auto upper = [](const ProfileEntry& entry) {
    std::string id = entry.profile.id;
    std::ranges::transform(id, id.begin(), [](unsigned char c) { return std::toupper(c); });
    return id;
  };
  fail(node, fmt::format("product is one of {}", listed(profiles(), upper)));
}

void readFigures(Map& map, DeviceProfile& profile) {
  if (const auto name = map.word("name", 31)) profile.name = *name;
  if (const auto mib = map.number("memory_mib", 64, 1 << 20)) {
    profile.memoryBytes = *mib * kMiB;
    profile.boardMemoryBytes = profile.memoryBytes;
  }
  const auto set = [&](const char* key, uint32_t& field, uint64_t most, uint32_t unit) {
    if (const auto value = map.number(key, 1, most)) field = static_cast<uint32_t>(*value) * unit;
  };
  set("multiprocessors", profile.multiprocessors, 1024, 1);
  set("clock_mhz", profile.clockKHz, 100'000, 1000);
  set("memory_clock_mhz", profile.memoryClockKHz, 100'000, 1000);
  set("memory_bus_bits", profile.memoryBusBits, 16'384, 1);
  set("power_limit_w", profile.powerLimitMilliwatts, 10'000, 1000);
  if (const auto version = map.word("mtbios", 63)) profile.mtbios = *version;
}

void readReadings(Map& map, DeviceProfile& profile, DeviceReadings& readings) {
  if (const auto value = map.number("temperature_c", 0, 200))
    readings.celsius = static_cast<unsigned>(*value);
  if (const auto value = map.number("power_w", 0, 10'000))
    readings.milliwatts = static_cast<unsigned>(*value) * 1000;
  if (const auto value = map.number("fan_percent", 0, 100)) {
    readings.fanPercent = static_cast<unsigned>(*value);
    profile.fans = std::max(profile.fans, 1u);  // one where the product has none of its own
  }
  if (const auto value = map.word("serial", 63)) readings.serial = *value;
  if (const YamlNode* node = map.find("ecc_errors")) {
    Map ecc(*node, "ecc_errors");
    readings.eccCorrected = ecc.number("corrected", 0, 1'000'000'000).value_or(0);
    readings.eccUncorrected = ecc.number("uncorrected", 0, 1'000'000'000).value_or(0);
    ecc.done();
  }
}

// One entry stands for `count` of them.
void readDevice(const YamlNode& node, std::vector<MachineDevice>& devices) {
  Map map(node, "a device");
  MachineDevice device;
  device.profile = readProduct(map.need("product"));
  const uint64_t count = map.number("count", 1, kMostDevices).value_or(1);
  readFigures(map, device.profile);
  readReadings(map, device.profile, device.readings);
  if (const YamlNode* place = map.find("pci")) {
    if (count != 1) fail(*place, "pci is the place of one device, and count says more");
    device.place = readPlace(*place, place->text);
    for (const MachineDevice& other : devices) {
      if (other.place && other.place->domain == device.place->domain &&
          other.place->bus == device.place->bus && other.place->device == device.place->device)
        fail(*place, "another device is there");
    }
  }
  if (const YamlNode* faults = map.find("faults")) {
    for (const YamlNode& fault : listOf(*faults, "faults")) device.faults.push_back(readFault(fault));
  }
  map.done();
  if (devices.size() + count > kMostDevices)
    fail(node, fmt::format("there are at most {} devices", kMostDevices));
  devices.insert(devices.end(), count, device);
}

size_t readDeviceNumber(const YamlNode& node, size_t devices) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), value);
  const bool isNumber =
      node.isScalar() && node.isPlain && error == std::errc() && end == node.text.data() + node.text.size();
  if (!isNumber || value >= devices)
    fail(node, fmt::format("a device's number is one from 0 to {}", devices - 1));
  return value;
}

void readLink(const YamlNode& node, EmulatedMachine& machine) {
  Map map(node, "a link");
  const YamlNode& between = map.need("between");
  if (between.kind != YamlNode::Kind::kSequence || between.items.size() != 2)
    fail(between, "between is a list of two devices' numbers");
  MachineLink link;
  link.a = readDeviceNumber(between.items[0], machine.devices.size());
  link.b = readDeviceNumber(between.items[1], machine.devices.size());
  if (link.a == link.b) fail(between, "a link is between two devices");
  for (const MachineLink& other : machine.links) {
    if (std::minmax(link.a, link.b) == std::minmax(other.a, other.b))
      fail(between, "these two have a link already");
  }
  const std::optional<uint64_t> mtlinks = map.number("mtlinks", 1, 64);
  const std::optional<double> speed = map.decimal("gigabytes_per_second", 0.001, 10'000);
  map.done();
  if (!mtlinks && !speed) fail(node, "a link needs mtlinks or gigabytes_per_second");
  link.mtlinks = static_cast<unsigned>(mtlinks.value_or(0));
  link.gigabytesPerSecond = speed.value_or(0);
  machine.links.push_back(link);
}

std::string textOf(const std::string& path, bool& isRead) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  isRead = file.is_open() && !file.bad();
  return text;
}

// FNV-1a: not for secrets, only for the same word of the same file.
uint64_t hashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::string readMachine(const std::string& path, EmulatedMachine& machine) {
  bool isRead = false;
  const std::string text = textOf(path, isRead);
  if (!isRead) return fmt::format("{}: the file cannot be read", path);
  try {
    const YamlNode root = parseYaml(text);
    Map map(root, "the machine");
    for (const YamlNode& device : listOf(map.need("devices"), "devices")) readDevice(device, machine.devices);
    if (const YamlNode* links = map.find("links")) {
      for (const YamlNode& link : listOf(*links, "links")) readLink(link, machine);
    }
    map.done();
  } catch (const YamlError& error) {
    return fmt::format("{}:{}:{}: {}", path, error.place.line, error.place.column, error.message);
  }
  machine.word = fmt::format("machine-{:016x}", hashOf(text));
  return "";
}

}  // namespace musashim::backend::cpu
