// Least squares without negative figures; measurements that lie far off count less, so that a run that was
// disturbed does not bend all others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "mccl/sim/emulator/figures.h"

namespace musashim::mccl::sim {
namespace {

struct System {
  std::vector<Work> rows;  // in parts of what was measured: all of them are to be 1
  std::vector<double> weights;
};

// Goes downhill one figure at a time.
void descend(const System& system, Work& figures) {
  std::vector<double> left(system.rows.size(), 1);
  for (size_t row = 0; row < left.size(); ++row) {
    for (size_t i = 0; i < kItems; ++i) left[row] -= system.rows[row][i] * figures[i];
  }
  for (int pass = 0; pass < 400; ++pass) {
    double moved = 0;
    for (size_t i = 0; i < kItems; ++i) {
      double slope = 0, bend = 0;
      for (size_t row = 0; row < left.size(); ++row) {
        slope += system.weights[row] * system.rows[row][i] * left[row];
        bend += system.weights[row] * system.rows[row][i] * system.rows[row][i];
      }
      if (bend == 0) continue;
      const double step = std::max(-figures[i], slope / bend);
      figures[i] += step;
      for (size_t row = 0; row < left.size(); ++row) left[row] -= system.rows[row][i] * step;
      moved = std::max(moved, std::abs(step) * std::sqrt(bend));
    }
    if (moved < 1e-9) return;
  }
}

double errorsOf(const System& system, const Work& figures, std::vector<double>& errors) {
  double sum = 0;
  errors.clear();
  for (const Work& row : system.rows) {
    double left = -1;
    for (size_t i = 0; i < kItems; ++i) left += row[i] * figures[i];
    errors.push_back(std::abs(left));
    sum += std::abs(left);
  }
  return sum;
}

double at(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values[static_cast<size_t>(part * static_cast<double>(values.size() - 1))];
}

std::string shapeOf(const Measurement& one) {
  return fmt::format("{} ranks on {} host{}", one.call.ranks, one.call.hosts, one.call.hosts > 1 ? "s" : "");
}

Error errorOf(std::string what, const std::vector<double>& errors) {
  return {std::move(what), errors.size(), at(errors, .5), at(errors, .9)};
}

}  // namespace

Figures fit(const std::vector<Measurement>& measurements) {
  Figures best;
  double least = -1;
  for (double cache = 1 << 20; cache <= 1 << 27; cache *= 2) {
    System system;
    for (const Measurement& one : measurements) {
      Way way = Way::kDirect;
      Work row = workOf(one.call, cache, way);
      for (double& value : row) value /= one.microseconds;
      system.rows.push_back(row);
    }
    system.weights.assign(system.rows.size(), 1);
    Work figures{};
    std::vector<double> errors;
    for (int round = 0; round < 8; ++round) {
      descend(system, figures);
      errorsOf(system, figures, errors);
      for (size_t row = 0; row < errors.size(); ++row) system.weights[row] = 1 / std::max(errors[row], .05);
    }
    const double sum = errorsOf(system, figures, errors);
    if (least >= 0 && sum >= least) continue;
    least = sum;
    best = {cache, figures};
  }
  return best;
}

void judge(const std::vector<Measurement>& measurements, std::vector<Error>& fitted,
           std::vector<Error>& foreseen) {
  std::map<std::tuple<int, int>, std::vector<Measurement>> shapes;
  for (const Measurement& one : measurements) shapes[{one.call.hosts, one.call.ranks}].push_back(one);
  const auto errors = [](const Figures& figures, const std::vector<Measurement>& of) {
    std::vector<double> amounts;
    for (const Measurement& one : of) {
      Way way = Way::kDirect;
      amounts.push_back(std::abs(timeOf(one.call, figures, way) / one.microseconds - 1));
    }
    return amounts;
  };
  const Figures figures = fit(measurements);
  std::vector<double> allFitted, allForeseen;
  fitted.clear();
  foreseen.clear();
  for (const auto& [shape, members] : shapes) {
    std::vector<Measurement> others;
    for (const Measurement& one : measurements) {
      if (std::tuple(one.call.hosts, one.call.ranks) != shape) others.push_back(one);
    }
    const std::vector<double> here = errors(figures, members);
    fitted.push_back(errorOf(shapeOf(members.front()), here));
    allFitted.insert(allFitted.end(), here.begin(), here.end());
    if (others.empty()) continue;
    const std::vector<double> there = errors(fit(others), members);
    foreseen.push_back(errorOf(shapeOf(members.front()), there));
    allForeseen.insert(allForeseen.end(), there.begin(), there.end());
  }
  fitted.push_back(errorOf("all", allFitted));
  if (!allForeseen.empty()) foreseen.push_back(errorOf("all", allForeseen));
}

}  // namespace musashim::mccl::sim
