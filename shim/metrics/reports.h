// The report of a run, in each form.
#pragma once

#include <string>

#include "metrics/metrics.h"

namespace musashim::metrics {

// What part of the blocks was counted, and how far that may be off.
std::string sampleText(const Kernel& kernel);
// For a terminal. `rows`: lines of each kernel's table.
std::string tablesOf(const Metrics& metrics, size_t rows);
// One page that needs nothing else: sources with heat, a roofline, advice.
std::string htmlOf(const Metrics& metrics);
// SARIF 2.1.0, with all advice as results.
std::string sarifOf(const Metrics& metrics);
// Derived figures by kernel, for scripts.
std::string jsonOf(const Metrics& metrics);

}  // namespace musashim::metrics
