#include "device_pass.h"

#include <algorithm>

#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

constexpr const char* kFibers = "-musa-fibers";

}  // namespace

int runDevicePass(const StepRunner& runner, std::vector<std::string> command, const std::string& what) {
  const int status = runner.run(command);
  if (!isCrash(status) || std::find(command.begin(), command.end(), kFibers) != command.end()) return status;
  const auto behindCc1 = std::find(command.begin(), command.end(), "-cc1") + 1;
  command.insert(behindCc1, {"-mllvm", kFibers});
  if (runProgram(command) != 0) return status;
  reportWarning("kernels of '" + what +
                "' were compiled as with -fmusa-fibers, which is slow to run, after the crash");
  return 0;
}

}  // namespace musashim::mcc
