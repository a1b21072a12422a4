// --query-gpu and --query-compute-apps.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/cuda_capability.h"
#include "mtml/smi/views.h"

namespace musashim::smi {
namespace {

using gmi::Gpu;
using gmi::mebibytes;
using gmi::Process;

constexpr const char* kNone = "[N/A]";

struct Value {
  std::string text;
  const char* unit = "";
};

std::string busId(const Gpu& gpu) {
  std::string text = gpu.pci.sbdf;
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string capability() {
  const core::CudaCapability capability = core::cudaCapability().capability;
  return fmt::format("{}.{}", capability.major, capability.minor);
}

Value orNone(const std::optional<unsigned int>& number, const char* unit) {
  return number ? Value{std::to_string(*number), unit} : Value{kNone};
}

struct GpuField {
  const char* name;
  const char* unit;  // in the head
  Value (*read)(const Gpu& gpu);
};

template <unsigned int Gpu::* kMember>
Value megahertz(const Gpu& gpu) {
  return {std::to_string(gpu.*kMember), " MHz"};
}
Value mib(unsigned long long bytes) { return {std::to_string(mebibytes(bytes)), " MiB"}; }

Value limit(const Gpu& gpu) { return {fmt::format("{:.2f}", gpu.limitMilliwatts / 1000.0), " W"}; }

constexpr std::array kGpuFields{
    GpuField{"index", "", [](const Gpu& gpu) { return Value{std::to_string(gpu.index)}; }},
    GpuField{"name", "", [](const Gpu& gpu) { return Value{gpu.name}; }},
    GpuField{"gpu_name", "", [](const Gpu& gpu) { return Value{gpu.name}; }},
    GpuField{"uuid", "", [](const Gpu& gpu) { return Value{"GPU-" + gpu.uuid}; }},
    GpuField{"gpu_uuid", "", [](const Gpu& gpu) { return Value{"GPU-" + gpu.uuid}; }},
    GpuField{"pci.bus_id", "", [](const Gpu& gpu) { return Value{busId(gpu)}; }},
    GpuField{"gpu_bus_id", "", [](const Gpu& gpu) { return Value{busId(gpu)}; }},
    GpuField{"compute_cap", "", [](const Gpu&) { return Value{capability()}; }},
    GpuField{"serial", "", [](const Gpu& gpu) { return Value{gpu.serial.empty() ? kNone : gpu.serial}; }},
    GpuField{"pstate", "", [](const Gpu&) { return Value{"P0"}; }},
    GpuField{"memory.total", " [MiB]", [](const Gpu& gpu) { return mib(gpu.totalBytes); }},
    GpuField{"memory.used", " [MiB]", [](const Gpu& gpu) { return mib(gpu.usedBytes); }},
    GpuField{"memory.free", " [MiB]", [](const Gpu& gpu) { return mib(gpu.totalBytes - gpu.usedBytes); }},
    GpuField{"utilization.gpu", " [%]", [](const Gpu& gpu) { return Value{std::to_string(gpu.load), " %"}; }},
    GpuField{"utilization.memory", " [%]",
             [](const Gpu& gpu) { return Value{std::to_string(gpu.memoryLoad), " %"}; }},
    GpuField{"temperature.gpu", "", [](const Gpu& gpu) { return orNone(gpu.celsius, ""); }},
    GpuField{"power.draw", " [W]",
             [](const Gpu& gpu) {
               return gpu.milliwatts ? Value{fmt::format("{:.2f}", *gpu.milliwatts / 1000.0), " W"}
                                     : Value{kNone};
             }},
    GpuField{"power.limit", " [W]", limit},
    GpuField{"enforced.power.limit", " [W]", limit},
    GpuField{"power.default_limit", " [W]", limit},
    GpuField{"power.max_limit", " [W]", limit},
    GpuField{"fan.speed", " [%]",
             [](const Gpu& gpu) {
               return gpu.fans.empty() ? Value{kNone} : Value{std::to_string(gpu.fans[0]), " %"};
             }},
    GpuField{"vbios_version", "", [](const Gpu& gpu) { return Value{gpu.mtbios}; }},
    GpuField{"clocks.sm", " [MHz]", megahertz<&Gpu::clock>},
    GpuField{"clocks.gr", " [MHz]", megahertz<&Gpu::clock>},
    GpuField{"clocks.mem", " [MHz]", megahertz<&Gpu::memoryClock>},
    GpuField{"clocks.video", " [MHz]", megahertz<&Gpu::videoClock>},
    GpuField{"clocks.max.sm", " [MHz]", megahertz<&Gpu::maxClock>},
    GpuField{"clocks.max.mem", " [MHz]", megahertz<&Gpu::maxMemoryClock>},
};

std::vector<std::string> split(const std::string& fields) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= fields.size();) {
    const size_t comma = std::min(fields.find(',', at), fields.size());
    std::string word = fields.substr(at, comma - at);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    words.push_back(word);
    at = comma + 1;
  }
  return words;
}

void append(std::string& line, const std::string& text) { line += (line.empty() ? "" : ", ") + text; }

std::string notKnown(const std::string& word) {
  return fmt::format("Field \"{}\" is not a valid field to query.", word);
}

std::string valueText(const Value& value, const Format& format) {
  return format.units ? value.text + value.unit : value.text;
}

}  // namespace

std::optional<std::string> queryGpus(const std::vector<Gpu>& gpus, const std::string& fields,
                                     const Format& format, const std::string& driver, std::string& error) {
  const std::vector<std::string> words = split(fields);
  std::string head;
  for (const std::string& word : words) {
    const auto field =
        std::ranges::find_if(kGpuFields, [&](const GpuField& one) { return word == one.name; });
    const bool isOfAll = word == "driver_version" || word == "count" || word == "timestamp";
    if (field == kGpuFields.end() && !isOfAll) {
      error = notKnown(word);
      return std::nullopt;
    }
    append(head, word + (isOfAll || !format.units ? "" : field->unit));
  }
  std::string text = format.head ? head + '\n' : "";
  for (const Gpu& gpu : gpus) {
    std::string line;
    for (const std::string& word : words) {
      if (word == "driver_version") {
        append(line, driver);
      } else if (word == "count") {
        append(line, std::to_string(gpus.size()));
      } else if (word == "timestamp") {
        append(line, gmi::timestamp());
      } else {
        const auto field =
            std::ranges::find_if(kGpuFields, [&](const GpuField& one) { return word == one.name; });
        append(line, valueText(field->read(gpu), format));
      }
    }
    text += line + '\n';
  }
  return text;
}

std::optional<std::string> queryProcesses(const std::vector<Gpu>& gpus, const std::string& fields,
                                          const Format& format, std::string& error) {
  const std::vector<std::string> words = split(fields);
  const auto read = [&](const std::string& word, const Gpu& gpu,
                        const Process& process) -> std::optional<Value> {
    if (word == "pid") return Value{std::to_string(process.number)};
    if (word == "process_name" || word == "name") return Value{process.name};
    if (word == "used_memory" || word == "used_gpu_memory") return mib(process.bytes);
    if (word == "gpu_uuid") return Value{"GPU-" + gpu.uuid};
    if (word == "gpu_name") return Value{gpu.name};
    if (word == "gpu_bus_id") return Value{busId(gpu)};
    return std::nullopt;
  };
  std::string head;
  for (const std::string& word : words) {
    const std::optional<Value> known = read(word, Gpu{}, Process{});
    if (!known) {
      error = notKnown(word);
      return std::nullopt;
    }
    append(head, word + (known->unit[0] != '\0' && format.units ? " [MiB]" : ""));
  }
  std::string text = format.head ? head + '\n' : "";
  for (const Gpu& gpu : gpus) {
    for (const Process& process : gpu.processes) {
      std::string line;
      for (const std::string& word : words) append(line, valueText(*read(word, gpu, process), format));
      text += line + '\n';
    }
  }
  return text;
}

}  // namespace musashim::smi
