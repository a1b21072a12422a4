// Compiles one MUSA source file, or one of the host's (host_source.h):
//
//   source --device pass--> object --lld--> image, per architecture --> bundle
//   source --host pass, with the bundle inside--> object
//
// With -dc the device pass stops at bitcode, which the object carries to the final link
// (device_unit.h, device_link.h).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "dependency_file.h"
#include "frontend_arguments.h"
#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

class MusaCompiler {
 public:
  MusaCompiler(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
               const TemporaryFolder& temporary)
      : toolchain_(toolchain), options_(options), runner_(runner), temporary_(temporary) {}

  // Writes the result of options.phase for `input` to `output` ("-" or empty where
  // the phase prints). Returns the exit status of the first step that failed, or 0.
  int compile(const Input& input, const std::string& output);

 private:
  // Has clang read a port of `input` in its place; `overlay` is what -ivfsoverlay gets. `host`: of the host
  // pass; null for a source of the host's.
  int port(const Input& input, const FrontendArguments* host, std::string& overlay);
  void addVendorChecks(std::vector<std::string>& command) const;  // -Wvendor
  int compileMusa(const Input& input, const std::string& output);
  int compileForHost(const Input& input, const std::string& output);
  int compilePasses(const FrontendArguments& host, const Input& input, const std::string& output);
  std::vector<std::string> devicePass(const FrontendArguments& host, uint32_t arch) const;
  // What a device pass made, for `archs`.
  struct DeviceCode {
    std::vector<uint32_t> archs;
    std::string processor;    // of several
    std::string file;         // object, or bitcode with -dc
    std::string launchSizes;  // -dc: its constant launches
    std::vector<std::string> arguments;
    bool archUsed = false;  // the source asks for __MUSA_ARCH__
  };

  // `code`: the file that the host's object is to carry.
  int compileDevice(const FrontendArguments& host, const Input& input, std::string& code);
  // Writes what both sides see, as clang does, so that what compares it sees all differences (ccache does).
  int preprocess(const FrontendArguments& host, const Input& input, const std::string& output);
  // Has each device pass list what it reads.
  int listDeviceFiles(const FrontendArguments& host, const Input& input);
  int linkImages(const Input& input, const std::vector<DeviceCode>& codes, const std::string& bundle);
  int packUnit(const std::vector<DeviceCode>& codes, const std::string& unit);
  // Device assembly or LLVM IR, for people and tests to read (--musa-device-only -S).
  int printDevice(const FrontendArguments& host, const Input& input, const std::string& output);
  // `mayServeAll`: the code is for the other architectures, too, if it does not depend on them.
  int compileFor(const FrontendArguments& host, const Input& input, uint32_t arch,
                 const std::string& processor, bool mayServeAll, DeviceCode& code);
  int compileForProcessor(const FrontendArguments& host, const Input& input, const std::string& processor,
                          std::vector<DeviceCode>& codes);
  const std::vector<uint32_t>& archs() const;
  std::set<unsigned> otherWarpSizes(uint32_t arch) const;
  int compileHost(const FrontendArguments& host, const Input& input, const std::string& code,
                  const std::string& output) const;

  const Toolchain& toolchain_;
  const Options& options_;
  const StepRunner& runner_;
  const TemporaryFolder& temporary_;
  unsigned sequence_ = 0;
  std::optional<DependencyFile> dependencies_;  // of the source that is being compiled, if any is wanted
};

}  // namespace musashim::mcc
