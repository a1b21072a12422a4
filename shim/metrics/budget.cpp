#include "metrics/budget.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "metrics/derived.h"

namespace musashim::metrics {
namespace {

using Json = nlohmann::json;

constexpr double kNoise = 0.01;

const Kernel* find(const Metrics& metrics, const std::string& name) {
  for (const Kernel& kernel : metrics.kernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

bool isKept(const std::string& figure, double value, double limit) {
  constexpr double kRounding = 1e-9;
  return moreIsBetter(figure) ? value >= limit - kRounding : value <= limit + kRounding;
}

double KernelFigures::* figureOf(const std::string& name) {
  for (const auto& [known, member] : kFigureNames)
    if (name == known) return member;
  return nullptr;
}

std::string figureList() {
  std::string out;
  for (const auto& [name, member] : kFigureNames) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

}  // namespace

std::string compare(const Metrics& before, const Metrics& after, bool& worse) {
  std::string out;
  worse = false;
  for (const Kernel& kernel : after.kernels) {
    const Kernel* const old = find(before, kernel.name);
    if (old == nullptr) {
      out += kernel.name + "\n  is new\n";
      continue;
    }
    const KernelFigures was = figuresOf(*old), is = figuresOf(kernel);
    std::string rows;
    for (const auto& [name, member] : kFigureNames) {
      const double from = was.*member, to = is.*member;
      if (std::abs(to - from) <= kNoise * std::max(std::abs(from), std::abs(to))) continue;
      const bool better = (to > from) == moreIsBetter(name);
      worse = worse || !better;
      rows +=
          fmt::format("  {:<20} {:>10.3f} -> {:>10.3f}  {}\n", name, from, to, better ? "better" : "worse");
    }
    if (!rows.empty()) out += kernel.name + "\n" + rows;
  }
  for (const Kernel& kernel : before.kernels)
    if (find(after, kernel.name) == nullptr) out += kernel.name + "\n  did not run\n";
  return out.empty() ? "no figure differs\n" : out;
}

bool checkBudget(const std::string& path, const Metrics& metrics, std::string& broken, std::string& error) {
  std::ifstream file(path);
  const Json budget = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!file || !budget.is_object()) {
    error = "'" + path + "' is no budget: a JSON object of kernels' names is expected";
    return false;
  }
  for (const auto& [pattern, limits] : budget.items()) {
    bool any = false;
    for (const Kernel& kernel : metrics.kernels) {
      if (fnmatch(pattern.c_str(), kernel.name.c_str(), 0) != 0) continue;
      any = true;
      const KernelFigures figures = figuresOf(kernel);
      for (const auto& [name, limit] : limits.items()) {
        const auto member = figureOf(name);
        if (member == nullptr || !limit.is_number()) {
          error = fmt::format("'{}': '{}' of '{}': a number for one of {} is expected", path, name, pattern,
                              figureList());
          return false;
        }
        if (!isKept(name, figures.*member, limit))
          broken +=
              fmt::format("{}: {} is {:.3f}, the budget {} {:.3f}\n", kernel.name, name, figures.*member,
                          moreIsBetter(name) ? "asks for at least" : "allows", limit.get<double>());
      }
    }
    if (!any) broken += fmt::format("{}: no such kernel ran\n", pattern);
  }
  return true;
}

}  // namespace musashim::metrics
