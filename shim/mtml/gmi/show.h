// The tool's views of the devices. All fit into 80 columns.
#pragma once

#include <string>
#include <vector>

#include "mtml/gmi/snapshot.h"

namespace musashim::gmi {

constexpr const char* kVersion = "2.2.0";  // of the MTML interface that the tool is made of

std::string list(const std::vector<Gpu>& gpus);
// `withProcesses`: -cf shows the devices alone.
// A line for each device; `head`: what the columns are.
std::string monitor(const std::vector<Gpu>& gpus, bool head);
std::string table(const std::vector<Gpu>& gpus, const std::string& driver, bool withProcesses);

}  // namespace musashim::gmi
