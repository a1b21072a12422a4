// What a kernel wastes, where, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "metrics/metrics.h"

namespace musashim::metrics {

struct Advice {
  std::string rule;  // for SARIF: "uncoalesced", "bank-conflicts", "divergence", "serial-atomics", ...
  std::string file;  // empty: of the kernel's launches
  uint64_t line = 0;
  std::string text;    // what was seen
  std::string remedy;  // what to do
  double weight = 0;   // of the kernel's waste; the heaviest come first
};

std::vector<Advice> adviceFor(const Kernel& kernel, const Device& device);

// All rules, for SARIF and the documentation: name and what it means.
const std::vector<std::pair<std::string, std::string>>& adviceRules();

}  // namespace musashim::metrics
