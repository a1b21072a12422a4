// When a step crashes: one folder with all that is needed to see it crash again, and where to send it.
#pragma once

#include <string>
#include <vector>

#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

class CrashReports : public CrashHandler {
 public:
  CrashReports(const Toolchain& toolchain, const Options& options, const TemporaryFolder& temporary)
      : toolchain_(toolchain), options_(options), temporary_(temporary) {}

  void crashed(const std::vector<std::string>& command, int status) override;

 private:
  const Toolchain& toolchain_;
  const Options& options_;
  const TemporaryFolder& temporary_;
};

}  // namespace musashim::mcc
