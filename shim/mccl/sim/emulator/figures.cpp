#include "mccl/sim/emulator/figures.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "mccl/core/log.h"
#include "mccl/sim/collectives.h"

namespace musashim::mccl::sim {
namespace {

struct Unit {
  const char* name;
  double size;
};
constexpr Unit kUnits[kItems] = {{"call-us", 1},
                                 {"turn-us", 1},
                                 {"look-us", 1},
                                 {"traffic-us-per-MB", 1e6},
                                 {"combined-us-per-MB", 1e6},
                                 {"far-us-per-MB", 1e6},
                                 {"follower-us", 1},
                                 {"gathered-us", 1},
                                 {"message-us", 1},
                                 {"awaited-us", 1},
                                 {"sent-us-per-MB", 1e6}};

mcclResult_t readText(const std::string& path, std::string& text) {
  std::ifstream file(path);
  std::stringstream all;
  if (file) all << file.rdbuf();
  if (!file || all.fail()) return fail(mcclSystemError, "{}: cannot be read", path);
  text = all.str();
  return mcclSuccess;
}

bool parseNumber(const std::string& text, double& number) {
  char* end = nullptr;
  number = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == 0 && std::isfinite(number) && number >= 0;
}

std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    while (!cell.empty() && (cell.back() == '\r' || cell.back() == ' ')) cell.pop_back();
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace

double timeOf(const EmulatedCall& call, const Figures& figures, Way& way) {
  const Work work = workOf(call, figures.cacheBytes, way);
  double time = 0;
  for (size_t i = 0; i < kItems; ++i) time += work[i] * figures.microseconds[i];
  return time;
}

std::string textOf(const Figures& figures) {
  std::string text = fmt::format("cache-bytes: {:g}\n", figures.cacheBytes);
  for (size_t i = 0; i < kItems; ++i)
    text += fmt::format("{}: {:.5g}\n", kUnits[i].name, figures.microseconds[i] * kUnits[i].size);
  return text;
}

mcclResult_t parseFigures(const std::string& text, const std::string& name, Figures& figures) {
  figures = {};
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) return fail(mcclInvalidUsage, "{}:1: no figures of an emulator", name);
    size_t found = 0;
    for (const auto& entry : root) {
      const std::string key = entry.first.Scalar();
      const int line = entry.first.Mark().line + 1;
      double* to = key == "cache-bytes" ? &figures.cacheBytes : nullptr;
      double unit = 1;
      for (size_t i = 0; i < kItems; ++i) {
        if (key != kUnits[i].name) continue;
        to = &figures.microseconds[i];
        unit = kUnits[i].size;
      }
      if (!to) return fail(mcclInvalidUsage, "{}:{}: \"{}\" is no figure of an emulator", name, line, key);
      double value = 0;
      if (!entry.second.IsScalar() || !parseNumber(entry.second.Scalar(), value))
        return fail(mcclInvalidUsage, "{}:{}: {} is no number from 0 on", name, line, key);
      *to = value / unit;
      ++found;
    }
    if (found != kItems + 1)
      return fail(mcclInvalidUsage, "{}: {} figures, and there should be {}", name, found, kItems + 1);
  } catch (const YAML::Exception& error) {
    return fail(mcclInvalidUsage, "{}:{}: no YAML: {}", name, error.mark.line + 1, error.msg);
  }
  return mcclSuccess;
}

mcclResult_t readFigures(const std::string& path, Figures& figures) {
  std::string text;
  MCCL_RETURN_IF_ERROR(readText(path, text));
  return parseFigures(text, path, figures);
}

mcclResult_t parseMeasurements(const std::string& text, const std::string& name,
                               const std::string& timeColumn, std::vector<Measurement>& measurements) {
  const std::string kColumns[] = {"collective", "ranks", "hosts", "bytes", timeColumn};
  std::stringstream lines(text);
  std::string line;
  if (!std::getline(lines, line)) return fail(mcclInvalidUsage, "{}:1: no measurements", name);
  const std::vector<std::string> head = cellsOf(line);
  size_t places[std::size(kColumns)];
  for (size_t i = 0; i < std::size(kColumns); ++i) {
    places[i] = static_cast<size_t>(std::find(head.begin(), head.end(), kColumns[i]) - head.begin());
    if (places[i] == head.size())
      return fail(mcclInvalidUsage, "{}:1: there is no column {}", name, kColumns[i]);
  }
  measurements.clear();
  for (int number = 2; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    const std::vector<std::string> cells = cellsOf(line);
    if (cells.size() != head.size())
      return fail(mcclInvalidUsage, "{}:{}: {} cells under {} columns", name, number, cells.size(),
                  head.size());
    const auto kind = kCollectives.find(cells[places[0]]);
    if (kind == kCollectives.end())
      return fail(mcclInvalidUsage, "{}:{}: \"{}\" is no collective", name, number, cells[places[0]]);
    double values[4];
    for (size_t i = 0; i < 4; ++i) {
      if (!parseNumber(cells[places[i + 1]], values[i]))
        return fail(mcclInvalidUsage, "{}:{}: {} is no number", name, number, kColumns[i + 1]);
    }
    const bool isShape = values[0] >= 1 && values[0] <= 4096 && values[1] >= 1 && values[1] <= values[0];
    if (!isShape || values[3] <= 0 || values[2] > 1e12) {
      return fail(mcclInvalidUsage, "{}:{}: {} ranks on {} hosts in {} us cannot be", name, number, values[0],
                  values[1], values[3]);
    }
    measurements.push_back({{kind->second, static_cast<int>(values[0]), static_cast<int>(values[1]),
                             static_cast<size_t>(values[2])},
                            values[3]});
  }
  if (measurements.empty()) return fail(mcclInvalidUsage, "{}:2: no measurements", name);
  return mcclSuccess;
}

mcclResult_t readMeasurements(const std::string& path, const std::string& timeColumn,
                              std::vector<Measurement>& measurements) {
  std::string text;
  MCCL_RETURN_IF_ERROR(readText(path, text));
  return parseMeasurements(text, path, timeColumn, measurements);
}

}  // namespace musashim::mccl::sim
