// Compiles one MUSA source file:
//
//   source --device pass--> object --lld--> image, per architecture --> bundle
//   source --host pass, with the bundle inside--> object
#pragma once

#include <set>
#include <string>

#include "frontend_arguments.h"
#include "options.h"
#include "process.h"
#include "toolchain.h"

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
  int compileDevice(const FrontendArguments& host, const Input& input, std::string& bundle);
  // Device assembly or LLVM IR, for people and tests to read (--musa-device-only -S).
  int printDevice(const FrontendArguments& host, const Input& input, const std::string& output);
  // `mayServeAll`: the image is for the other architectures, too, unless `archUsed`.
  int compileImage(const FrontendArguments& host, const Input& input, uint32_t arch, bool mayServeAll,
                   std::string& image, bool& archUsed);
  const std::vector<uint32_t>& archs() const;
  std::set<unsigned> otherWarpSizes(uint32_t arch) const;
  int linkImage(const std::string& object, const std::string& image) const;
  int writeBundleFile(const std::vector<std::pair<uint32_t, std::string>>& images,
                      const std::string& path) const;
  int compileHost(const FrontendArguments& host, const Input& input, const std::string& bundle,
                  const std::string& output) const;

  const Toolchain& toolchain_;
  const Options& options_;
  const StepRunner& runner_;
  const TemporaryFolder& temporary_;
  unsigned sequence_ = 0;
};

}  // namespace musashim::mcc
