#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "metrics/advice.h"
#include "metrics/derived.h"
#include "metrics/reports.h"

namespace musashim::metrics {
namespace {

std::string dimText(const Dim& of) {
  if (of.z != 1) return fmt::format("{}x{}x{}", of.x, of.y, of.z);
  return of.y != 1 ? fmt::format("{}x{}", of.x, of.y) : fmt::format("{}", of.x);
}

std::string placeText(const std::string& file, uint64_t line) {
  return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
}

void addMemory(std::string& out, const Kernel& kernel, const char* memory, const char* parts) {
  const Access sum = kernel.sum(memory);
  if (sum.requests == 0) return;
  out +=
      fmt::format("  {:<10} {:>12} requests {:>14} {}, {:.2f} each; {:.0f} % needed\n", memory, sum.requests,
                  sum.parts, parts, ratio(sum.parts, sum.requests), 100 * ratio(sum.leastParts, sum.parts));
}

void addLines(std::string& out, const Kernel& kernel, size_t rows) {
  std::vector<const Line*> lines;
  for (const Line& line : kernel.lines) lines.push_back(&line);
  std::sort(lines.begin(), lines.end(), [](const Line* a, const Line* b) {
    const uint64_t ofA = a->all().warps, ofB = b->all().warps;
    return ofA != ofB ? ofA > ofB : a->number < b->number;
  });
  if (lines.size() > rows) lines.resize(rows);
  const uint64_t all = kernel.all().warps;
  out += fmt::format("\n  {:<28} {:>7} {:>7} {:>12} {:>12}\n", "line", "instr %", "lanes", "sectors/req",
                     "turns/req");
  for (const Line* line : lines) {
    const LineFigures figures = figuresOf(*line);
    const auto number = [](double value) {
      return value == 0 ? std::string("-") : fmt::format("{:.1f}", value);
    };
    out += fmt::format("  {:<28} {:>7.1f} {:>7.1f} {:>12} {:>12}\n", placeText(line->file, line->number),
                       100 * ratio(line->all().warps, all), figures.lanes, number(figures.sectors),
                       number(figures.wavefronts));
  }
}

void addLaunches(std::string& out, const Kernel& kernel, const Device& device) {
  for (const Launch& launch : kernel.launches) {
    const Occupancy occupancy = occupancyOf(launch, device);
    out += fmt::format(
        "  {} x <<<{}, {}>>> on {}: {} bytes of shared memory, {} of {} warps a multiprocessor ({}), "
        "{} waves, {} of {} blocks in the last\n",
        launch.count, dimText(launch.grid), dimText(launch.block), launch.product, launch.sharedBytes,
        occupancy.warps, occupancy.mostWarps, occupancy.limit, occupancy.waves, occupancy.lastBlocks,
        occupancy.fit);
  }
}

}  // namespace

std::string sampleText(const Kernel& kernel) {
  std::string errors;
  for (const auto& [figure, error] : kernel.samplingError)
    errors += fmt::format("{}{} {:.1f} %", errors.empty() ? "" : ", ", figure, 100 * error);
  return fmt::format("counted: {} of {} blocks; all figures are of these; {}", kernel.counted, kernel.blocks,
                     errors.empty() ? "their error is not known" : "errors (2 sigma): " + errors);
}

LineFigures figuresOf(const Line& line) {
  LineFigures figures;
  const Instructions counts = line.all();
  figures.lanes = ratio(counts.lanes, counts.warps);
  uint64_t sectors = 0, requests = 0, wavefronts = 0, sharedRequests = 0;
  for (const Access& access : line.accesses) {
    if (access.memory == "device") {
      sectors += access.parts;
      requests += access.requests;
    } else if (access.memory == "shared") {
      wavefronts += access.parts;
      sharedRequests += access.requests;
    }
  }
  figures.sectors = ratio(sectors, requests);
  figures.wavefronts = ratio(wavefronts, sharedRequests);
  return figures;
}

KernelFigures figuresOf(const Kernel& kernel) {
  const Instructions all = kernel.all();
  const Access device = kernel.sum("device"), shared = kernel.sum("shared");
  KernelFigures figures;
  figures.activeLanes = ratio(all.lanes, all.warps);
  figures.sectorsPerRequest = ratio(device.parts, device.requests);
  figures.neededSectors = device.parts == 0 ? 1 : ratio(device.leastParts, device.parts);
  figures.bankConflicts = shared.requests == 0 ? 0 : ratio(shared.parts - shared.leastParts, shared.requests);
  figures.serialLanes = ratio(device.serialLanes + shared.serialLanes, device.requests + shared.requests);
  figures.intensity = ratio(kernel.operations(), 32 * device.parts);
  return figures;
}

std::string tablesOf(const Metrics& metrics, size_t rows) {
  std::string out;
  for (const Kernel& kernel : metrics.kernels) {
    const Device& device = metrics.deviceOf(kernel);
    const KernelFigures figures = figuresOf(kernel);
    out += kernel.name + "\n";
    addLaunches(out, kernel, device);
    if (kernel.counted != kernel.blocks) out += "  " + sampleText(kernel) + "\n";
    if (kernel.cut != 0)
      out += fmt::format("  {} blocks were too long to be put together whole: active lanes are too few\n",
                         kernel.cut);
    out += fmt::format("  {} instructions of warps, {:.1f} of {} lanes active; {:.2f} operations a byte\n",
                       kernel.all().warps, figures.activeLanes, device.warpSize, figures.intensity);
    addMemory(out, kernel, "device", "sectors");
    addMemory(out, kernel, "shared", "turns");
    addMemory(out, kernel, "local", "sectors");
    addLines(out, kernel, rows);
    for (const Advice& advice : adviceFor(kernel, device)) {
      const std::string place = advice.file.empty() ? "launch" : placeText(advice.file, advice.line);
      out += fmt::format("\n  {}: {} [{}]\n      {}\n", place, advice.text, advice.rule, advice.remedy);
    }
    out += "\n";
  }
  if (out.empty()) out = "no kernel of a profiled image has run\n";
  return out;
}

std::string jsonOf(const Metrics& metrics) {
  nlohmann::json out = nlohmann::json::array();
  for (const Kernel& kernel : metrics.kernels) {
    const KernelFigures figures = figuresOf(kernel);
    nlohmann::json row = {
        {"kernel", kernel.name}, {"blocks", kernel.blocks}, {"counted_blocks", kernel.counted}};
    if (kernel.counted != kernel.blocks) row["sampling_error"] = kernel.samplingError;
    for (const auto& [name, member] : kFigureNames) row[name] = figures.*member;
    out.push_back(std::move(row));
  }
  return out.dump(2) + "\n";
}

}  // namespace musashim::metrics
