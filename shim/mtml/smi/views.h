// What nvidia-smi shows, of emulated devices: for scripts of projects that were not ported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mtml/gmi/snapshot.h"

namespace musashim::smi {

struct Format {
  bool head = true, units = true;
};

// Lines of comma-separated values of the fields; none, with what is wrong in `error`, where one is not known.
std::optional<std::string> queryGpus(const std::vector<gmi::Gpu>& gpus, const std::string& fields,
                                     const Format& format, const std::string& driver, std::string& error);
std::optional<std::string> queryProcesses(const std::vector<gmi::Gpu>& gpus, const std::string& fields,
                                          const Format& format, std::string& error);

std::string list(const std::vector<gmi::Gpu>& gpus);
std::string table(const std::vector<gmi::Gpu>& gpus, const std::string& driver);

}  // namespace musashim::smi
