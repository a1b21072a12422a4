#include "toolchain.h"

#include <cstdlib>
#include <filesystem>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;

bool isSdk(const fs::path& root) {
  std::error_code error;
  return fs::exists(root / "lib" / "musashim" / "mcc-device.so", error);
}

// The SDK that mcc belongs to wins over the environment: a plugin of another build
// would not fit. MUSA_PATH only matters to programs that look for the SDK.
std::string findSdk(const std::string& self, const Options& options) {
  if (!options.sdkPath.empty()) return options.sdkPath;
  const fs::path own = fs::path(self).parent_path().parent_path();
  if (isSdk(own)) return own.string();
  if (!options.sdkPathIgnoresEnvironment) {
    for (const char* variable : {"MUSA_HOME", "MUSA_PATH"}) {
      const char* value = std::getenv(variable);
      if (value != nullptr && isSdk(value)) return value;
    }
  }
  return own.string();
}

std::string findProgram(const char* configured, const char* name) {
  if (llvm::sys::fs::can_execute(configured)) return configured;
  const auto found = llvm::sys::findProgramByName(name);
  return found ? *found : std::string();
}

}  // namespace

bool findToolchain(const std::string& self, const Options& options, Toolchain& toolchain,
                   std::string& error) {
  toolchain.clang = findProgram(MCC_CLANG, "clang++-19");
  toolchain.linker = findProgram(MCC_LLD, "ld.lld-19");
  if (toolchain.clang.empty() || toolchain.linker.empty()) {
    error = "clang 19 and lld 19 are needed: install Debian's packages clang-19 and lld-19";
    return false;
  }
  toolchain.sdk = findSdk(self, options);
  toolchain.include = toolchain.sdk + "/include";
  toolchain.lib = toolchain.sdk + "/lib";
  toolchain.devicePlugin = toolchain.lib + "/musashim/mcc-device.so";
  toolchain.hostPlugin = toolchain.lib + "/musashim/mcc-host.so";
  toolchain.crashPlugin = toolchain.lib + "/musashim/mcc-crash.so";
  toolchain.vendorPlugin = toolchain.lib + "/musashim/mcc-vendor.so";
  toolchain.prelude = toolchain.lib + "/musashim/include/mcc_prelude.h";
  for (const std::string& file :
       {toolchain.devicePlugin, toolchain.hostPlugin, toolchain.crashPlugin, toolchain.prelude}) {
    if (llvm::sys::fs::exists(file)) continue;
    error = "no MUSA SDK at '" + toolchain.sdk + "' ('" + file + "' is missing): pass --musa-path=DIR";
    return false;
  }
  if (options.warnVendor && !llvm::sys::fs::exists(toolchain.vendorPlugin)) {
    error = "'-Wvendor' is not built in this SDK ('" + toolchain.vendorPlugin +
            "' is missing): ./scripts/quickstart --all builds all of it";
    return false;
  }
  return true;
}

std::vector<std::string> plainSourceOptions(const Toolchain& toolchain, const Options& options) {
  std::vector<std::string> result{"--start-no-unused-arguments", "-fpass-plugin=" + toolchain.hostPlugin,
                                  // Crashes are mcc's to report (crash_report.h).
                                  "-fno-crash-diagnostics", "-Xclang", "-load", "-Xclang",
                                  toolchain.crashPlugin};
  if (options.warnVendor)
    result.insert(result.end(), {"-Xclang", "-load", "-Xclang", toolchain.vendorPlugin});
  result.push_back("--end-no-unused-arguments");
  return result;
}

}  // namespace musashim::mcc
