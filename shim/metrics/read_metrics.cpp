#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "metrics/metrics.h"

namespace musashim::metrics {
namespace {

using Json = nlohmann::json;

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(text.get()) : name;
}

Dim dimOf(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }

Device deviceFrom(const Json& json) {
  return {json.at("product"),
          json.at("warp_size"),
          json.at("multiprocessors"),
          json.at("threads_per_multiprocessor"),
          json.at("blocks_per_multiprocessor"),
          json.at("shared_bytes_per_multiprocessor"),
          json.at("clock_khz"),
          json.at("memory_bytes_per_second")};
}

Access accessFrom(const Json& json) {
  return {json.at("access"), json.at("memory"), json.at("bytes"),       json.at("requests"),
          json.at("lanes"),  json.at("parts"),  json.at("least_parts"), json.at("serial_lanes")};
}

Kernel kernelFrom(const Json& json) {
  Kernel kernel;
  kernel.name = demangled(json.at("kernel"));
  kernel.blocks = json.at("blocks");
  kernel.counted = json.at("counted_blocks");
  kernel.cut = json.at("cut_blocks");
  if (json.contains("sampling_error")) kernel.samplingError = json.at("sampling_error");
  for (const Json& launch : json.at("launches")) {
    kernel.launches.push_back({dimOf(launch.at("grid")), dimOf(launch.at("block")), launch.at("shared_bytes"),
                               launch.at("count"), launch.at("product")});
  }
  std::map<std::pair<std::string, uint64_t>, Line> lines;
  const auto lineOf = [&](const Json& at) -> Line& {
    Line& line = lines[{at.at("file"), at.at("line")}];
    line.file = at.at("file");
    line.number = at.at("line");
    return line;
  };
  for (const Json& row : json.at("lines")) {
    Line& line = lineOf(row);
    for (const auto& [kind, counts] : row.at("instructions").items())
      line.classes[kind] = {counts.at(0), counts.at(1)};
  }
  for (const Json& row : json.at("accesses")) lineOf(row).accesses.push_back(accessFrom(row));
  for (auto& [place, line] : lines) kernel.lines.push_back(std::move(line));
  return kernel;
}

}  // namespace

Instructions Line::all() const {
  Instructions sum;
  for (const auto& [kind, counts] : classes) sum.add(counts);
  return sum;
}

Instructions Kernel::all() const {
  Instructions sum;
  for (const Line& line : lines) sum.add(line.all());
  return sum;
}

Access Kernel::sum(const std::string& memory) const {
  Access sum;
  sum.memory = memory;
  for (const Line& line : lines) {
    for (const Access& access : line.accesses) {
      if (access.memory != memory) continue;
      sum.requests += access.requests;
      sum.lanes += access.lanes;
      sum.parts += access.parts;
      sum.leastParts += access.leastParts;
      sum.serialLanes += access.serialLanes;
    }
  }
  return sum;
}

uint64_t Kernel::operations() const {
  uint64_t sum = 0;
  for (const Line& line : lines) {
    for (const auto& [kind, counts] : line.classes) {
      if (kind == "fp32" || kind == "fp64" || kind == "fp16" || kind == "special") sum += counts.lanes;
      if (kind == "fp32_fma" || kind == "fp64_fma") sum += 2 * counts.lanes;
    }
  }
  return sum;
}

Occupancy occupancyOf(const Launch& launch, const Device& device) {
  const uint64_t warps = (launch.block.count() + device.warpSize - 1) / device.warpSize;
  const uint64_t mostWarps = device.threads / device.warpSize;
  const std::pair<uint64_t, const char*> limits[] = {
      {mostWarps / std::max<uint64_t>(1, warps), "threads"},
      {device.blocks, "blocks"},
      {launch.sharedBytes == 0 ? UINT64_MAX : device.sharedBytes / launch.sharedBytes, "shared memory"}};
  const auto least = std::min_element(std::begin(limits), std::end(limits),
                                      [](const auto& a, const auto& b) { return a.first < b.first; });
  const uint64_t blocks = launch.grid.count(),
                 fit = std::max<uint64_t>(1, least->first * device.multiprocessors);
  const uint64_t waves = (blocks + fit - 1) / fit;
  return {least->first * warps, mostWarps, least->second, waves, blocks - (waves - 1) * fit, fit};
}

const Device& Metrics::deviceOf(const Kernel& kernel) const {
  static const auto* const kUnknown = new Device;
  if (kernel.launches.empty()) return *kUnknown;
  const auto found = devices.find(kernel.launches.front().product);
  return found == devices.end() ? *kUnknown : found->second;
}

bool readMetrics(const std::string& path, Metrics& metrics, std::string& error) {
  std::ifstream file(path);
  if (!file) {
    error = "cannot read '" + path + "'";
    return false;
  }
  try {
    const Json json = Json::parse(file);
    if (!json.is_object() || json.value("musashim_metrics", 0) != 1) {
      error = "'" + path + "' is no file of mcc -fmusa-profile (musa_metrics.json)";
      return false;
    }
    metrics.sampling = json.at("sampling");
    for (const Json& device : json.at("devices")) {
      const Device known = deviceFrom(device);
      metrics.devices[known.product] = known;
    }
    for (const Json& kernel : json.at("kernels")) metrics.kernels.push_back(kernelFrom(kernel));
  } catch (const Json::exception& problem) {
    error = "'" + path + "': " + problem.what();
    return false;
  }
  std::sort(metrics.kernels.begin(), metrics.kernels.end(), [](const Kernel& a, const Kernel& b) {
    const uint64_t ofA = a.all().warps, ofB = b.all().warps;
    return ofA != ofB ? ofA > ofB : a.name < b.name;
  });
  return true;
}

}  // namespace musashim::metrics
