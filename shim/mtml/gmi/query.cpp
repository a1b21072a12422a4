#include "mtml/gmi/query.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <array>

namespace musashim::gmi {
namespace {

struct PartName {
  const char* word;
  Part part;
};
constexpr std::array<PartName, 7> kParts{{{"MEMORY", Part::kMemory},
                                          {"UTILIZATION", Part::kUtilization},
                                          {"ECC", Part::kEcc},
                                          {"TEMPERATURE", Part::kTemperature},
                                          {"POWER", Part::kPower},
                                          {"CLOCK", Part::kClock},
                                          {"PIDS", Part::kPids}}};

// A line, or a heading with what is below it.
struct Item {
  std::string key, value;
  std::vector<Item> below;
};

constexpr size_t kKeyWidth = 42;

std::string orNone(const std::string& text) { return text.empty() ? "N/A" : text; }

Item memory(const Gpu& gpu) {
  return {"FB Memory Usage",
          "",
          {{"Total", fmt::format("{}MiB", mebibytes(gpu.totalBytes)), {}},
           {"Used", fmt::format("{}MiB", mebibytes(gpu.usedBytes)), {}},
           {"Free", fmt::format("{}MiB", mebibytes(gpu.totalBytes) - mebibytes(gpu.usedBytes)), {}}}};
}

Item load(const Gpu& gpu) {
  const auto percent = [](unsigned int value) { return fmt::format("{}%", value); };
  return {"Utilization",
          "",
          {{"Gpu", percent(gpu.load), {}},
           {"Memory", percent(gpu.memoryLoad), {}},
           {"Encoder", percent(gpu.encoderLoad), {}},
           {"Decoder", percent(gpu.decoderLoad), {}}}};
}

Item temperature(const Gpu& gpu) {
  return {
      "Temperature", "", {{"GPU Current Temp", gpu.celsius ? fmt::format("{}C", *gpu.celsius) : "N/A", {}}}};
}

// The vendor's tool has the space after the word as well, and programs that read it know.
Item power(const Gpu& gpu) {
  const auto watts = [](unsigned int milliwatts) { return fmt::format("{:.2f}W", milliwatts / 1000.0); };
  return {"Power Readings",
          "",
          {{"Power Draw ", gpu.milliwatts ? watts(*gpu.milliwatts) : "N/A", {}},
           {"Current Power Limit", watts(gpu.limitMilliwatts), {}}}};
}

Item fan(const Gpu& gpu) {
  Item item{"Fan", "", {{"Channel", std::to_string(gpu.fans.size()), {}}}};
  Item speed{"Speed", "N/A", {}};
  for (size_t i = 0; i < gpu.fans.size(); ++i)
    speed.below.push_back({fmt::format("Fan{}", i), fmt::format("{}%", gpu.fans[i]), {}});
  if (!speed.below.empty()) speed.value.clear();
  item.below.push_back(std::move(speed));
  return item;
}

void ecc(const Gpu& gpu, std::vector<Item>& items) {
  const char* const mode = gpu.ecc ? "Enabled" : "N/A";
  items.push_back({"Ecc Mode", "", {{"Current", mode, {}}, {"Pending", mode, {}}}});
  if (!gpu.ecc) return;
  items.push_back({"Ecc Errors",
                   "",
                   {{"Corrected", std::to_string(gpu.ecc->corrected), {}},
                    {"Uncorrected", std::to_string(gpu.ecc->uncorrected), {}}}});
}

// One section and no more: scripts take the only "Graphics" of the text (tutorial_on_musa,
// script/monitor/monitor_gpu.sh).
Item clocks(const Gpu& gpu) {
  const auto mhz = [](unsigned int value) { return fmt::format("{}MHz", value); };
  return {"Clocks",
          "",
          {{"Graphics", mhz(gpu.clock), {}},
           {"Memory", mhz(gpu.memoryClock), {}},
           {"Video", mhz(gpu.videoClock), {}}}};
}

std::vector<Item> identity(const Gpu& gpu) {
  const auto generation = [](unsigned int value) { return std::to_string(value); };
  const auto lanes = [](unsigned int value) { return fmt::format("{}x", value); };
  const Item link{
      "GPU Link Info",
      "",
      {{"PCIe Generation",
        "",
        {{"Max", generation(gpu.pci.pciMaxGen), {}}, {"Current", generation(gpu.pci.pciCurGen), {}}}},
       {"Link Width",
        "",
        {{"Max", lanes(gpu.pci.pciMaxWidth), {}}, {"Current", lanes(gpu.pci.pciCurWidth), {}}}}}};
  return {{"Index", std::to_string(gpu.index), {}},
          {"Product Name", gpu.name, {}},
          {"Product Brand", "MTT", {}},
          {"GPU UUID", gpu.uuid, {}},
          {"Serial Number", gpu.serial, {}},
          {"DeviceType", "Physical", {}},
          {"MPC Capable", "NO", {}},
          {"MTBios Version", gpu.mtbios, {}},
          {"PCI",
           "",
           {{"Bus", fmt::format("0x{:02X}", gpu.pci.bus), {}},
            {"Device", fmt::format("0x{:02X}", gpu.pci.device), {}},
            {"Domain", fmt::format("0x{:04X}", gpu.pci.segment), {}},
            {"Bus ID", gpu.pci.sbdf, {}},
            {"Vendor ID", fmt::format("0x{:04X}", gpu.pci.pciDeviceId & 0xffff), {}},
            {"Device ID", fmt::format("0x{:04X}", gpu.pci.pciDeviceId >> 16), {}},
            {"Subsystem Vendor ID", fmt::format("0x{:04X}", gpu.pci.pciSubsystemId & 0xffff), {}},
            {"Subsystem Device ID", fmt::format("0x{:04X}", gpu.pci.pciSubsystemId >> 16), {}},
            link}},
          {"FB Memory Spec",
           "",
           {{"Type", gpu.memoryType, {}},
            {"Vendor", gpu.memoryVendor, {}},
            {"Speed", fmt::format("{}Mbps", gpu.memoryTransfers), {}},
            {"Bandwidth", fmt::format("{}GBps", gpu.bandwidth), {}},
            {"Bus Width", fmt::format("{}bits", gpu.busBits), {}}}}};
}

Item processes(const Gpu& gpu) {
  Item item{"Processes", gpu.processes.empty() ? "None" : "", {}};
  for (const Process& one : gpu.processes) {
    item.below.push_back(
        {"Process ID",
         std::to_string(one.number),
         {{"Name", one.name, {}}, {"Used GPU Memory", fmt::format("{}MiB", mebibytes(one.bytes)), {}}}});
  }
  return item;
}

std::vector<Item> itemsOf(const Gpu& gpu, const Query& query) {
  const auto wants = [&](Part part) { return query.shows(part); };
  std::vector<Item> items = identity(gpu);
  if (!query.parts.empty()) items.resize(2);  // which one, and what it is
  if (gpu.isLost) {
    items.push_back({"State", "GPU is lost", {}});
    return items;
  }
  if (wants(Part::kMemory)) items.push_back(memory(gpu));
  if (wants(Part::kUtilization)) items.push_back(load(gpu));
  if (wants(Part::kEcc)) ecc(gpu, items);
  if (wants(Part::kTemperature)) items.push_back(temperature(gpu));
  if (wants(Part::kPower)) items.push_back(power(gpu));
  if (query.parts.empty()) items.push_back(fan(gpu));
  if (wants(Part::kClock)) items.push_back(clocks(gpu));
  if (wants(Part::kPids)) items.push_back(processes(gpu));
  return items;
}

// ---- Text

void write(const Item& item, size_t depth, std::string& text) {
  const std::string key = std::string(4 * depth, ' ') + item.key;
  if (item.value.empty() && !item.below.empty()) {
    text += key + '\n';
  } else {
    text += fmt::format("{:<{}}:  {}\n", key, kKeyWidth, orNone(item.value));
  }
  for (const Item& below : item.below) write(below, depth + 1, text);
}

// ---- JSON

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

void writeJson(const std::vector<Item>& items, size_t depth, std::string& text);

// Processes are a list; a lone value is a string, as the vendor's are.
void writeJsonValue(const Item& item, size_t depth, std::string& text) {
  const std::string indent(4 * depth, ' ');
  if (item.key != "Processes") {
    if (item.below.empty()) {
      text += quoted(orNone(item.value));
    } else {
      writeJson(item.below, depth, text);
    }
    return;
  }
  text += "[";
  for (const Item& process : item.below) {
    std::vector<Item> members{{"Process ID", process.value, {}}};
    members.insert(members.end(), process.below.begin(), process.below.end());
    text += (&process == &item.below.front() ? "\n" : ",\n") + indent + "    ";
    writeJson(members, depth + 1, text);
  }
  text += item.below.empty() ? "]" : "\n" + indent + "]";
}

void writeJson(const std::vector<Item>& items, size_t depth, std::string& text) {
  const std::string indent(4 * (depth + 1), ' ');
  text += "{\n";
  for (const Item& item : items) {
    text += indent + quoted(item.key) + ": ";
    writeJsonValue(item, depth + 1, text);
    text += &item == &items.back() ? "\n" : ",\n";
  }
  text += std::string(4 * depth, ' ') + "}";
}

std::string json(const std::vector<Item>& head, const std::vector<std::vector<Item>>& gpus) {
  std::string text = "{\n";
  for (const Item& item : head) text += "    " + quoted(item.key) + ": " + quoted(item.value) + ",\n";
  text += "    \"GPU\": [";
  for (const std::vector<Item>& gpu : gpus) {
    text += &gpu == &gpus.front() ? "\n        " : ",\n        ";
    writeJson(gpu, 2, text);
  }
  return text + "\n    ]\n}\n";
}

}  // namespace

bool Query::shows(Part part) const { return parts.empty() || std::ranges::find(parts, part) != parts.end(); }

bool Query::moves() const {
  return shows(Part::kUtilization) || shows(Part::kTemperature) || shows(Part::kPower);
}

std::optional<Part> partOf(const std::string& word) {
  for (const PartName& one : kParts) {
    if (strcasecmp(one.word, word.c_str()) == 0) return one.part;
  }
  return std::nullopt;
}

std::string partNames() {
  std::string names;
  for (const PartName& one : kParts) names += (names.empty() ? "" : ",") + std::string(one.word);
  return names;
}

std::string query(const std::vector<Gpu>& gpus, unsigned int attached, const std::string& driver,
                  const Query& query) {
  const std::vector<Item> head{{"Timestamp", timestamp(), {}},
                               {"Driver Version", driver, {}},
                               {"Attached GPUs", std::to_string(attached), {}}};
  std::vector<std::vector<Item>> items;
  for (const Gpu& gpu : gpus) items.push_back(itemsOf(gpu, query));
  if (query.json) return json(head, items);
  std::string text;
  for (const Item& item : head) write(item, 0, text);
  for (size_t i = 0; i < gpus.size(); ++i) {
    text += fmt::format("\nGPU{} {}\n", gpus[i].index, gpus[i].pci.sbdf);
    for (const Item& item : items[i]) write(item, 1, text);
  }
  return text;
}

}  // namespace musashim::gmi
