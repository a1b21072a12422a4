#include "compile.h"

#include <filesystem>
#include <fstream>

#include "core/whole_file.h"
#include "cuda_source.h"
#include "device_image.h"
#include "device_pass.h"
#include "files_read.h"
#include "host_source.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/link/device_unit.h"
#include "mcc/driver/options/architectures.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

void addFact(Strings& command, const std::string& fact) {
  command.insert(command.end(), {"-plugin-arg-musa-source-facts", fact});
}

// The same for the same command, so that builds can be compared.
std::string unitId(const Options& options, const Input& input) {
  std::error_code error;
  std::string id = std::filesystem::absolute(input.path, error).string();
  for (const std::string& argument : options.clangArguments) id += '\n' + argument;
  return id;
}

}  // namespace

void MusaCompiler::addVendorChecks(Strings& command) const {
  if (!options_.warnVendor) return;
  // What one pass has named, the next does not.
  command.insert(command.end(), {"-load", toolchain_.vendorPlugin, "-plugin-arg-musa-vendor",
                                 "said=" + temporary_.file("vendor-said")});
}

int MusaCompiler::compile(const Input& input, const std::string& output) {
  return input.isHost() ? compileForHost(input, output) : compileMusa(input, output);
}

int MusaCompiler::port(const Input& input, const FrontendArguments* host, std::string& overlay) {
  const std::string folder = temporary_.file("port" + std::to_string(sequence_++));
  overlay = folder + ".json";
  return portCudaSource(toolchain_, options_, runner_, input, folder, overlay, [&](const std::string& used) {
    if (host == nullptr) return filesReadByHost(toolchain_, options_, input, used, folder + ".d");
    const uint32_t arch = options_.archs.empty() ? knownArchs().back() : options_.archs.front();
    const FrontendArguments device = deviceArguments(toolchain_, options_, *host, arch, "");
    Strings files = filesRead(*host, input, used, folder + ".d");
    for (const std::string& file : filesRead(device, input, used, folder + ".d")) files.push_back(file);
    return files;
  });
}

int MusaCompiler::compileForHost(const Input& input, const std::string& output) {
  std::string overlay;
  if (input.isCuda) {
    if (const int status = port(input, nullptr, overlay)) return status;
  }
  return compileHostSource(toolchain_, options_, runner_, input, overlay, output);
}

int MusaCompiler::compileMusa(const Input& input, const std::string& output) {
  FrontendArguments host;
  if (!hostArguments(toolchain_, options_, input, host)) return 1;
  if (input.isCuda) {
    std::string overlay;
    if (const int status = port(input, &host, overlay)) return status;
    host.arguments.insert(host.arguments.end(), {"-ivfsoverlay", overlay});
  }
  if (options_.relocatable) {
    // Clang's rules for names that several files share, and the unit's id.
    host.arguments.insert(host.arguments.end(), {"-fgpu-rdc", "-cuid=" + unitId(options_, input)});
  }
  const bool deviceText =
      options_.phase == Phase::kAssemble || options_.phase == Phase::kPreprocess || options_.emitLlvm;
  if (options_.passes == Passes::kDeviceOnly && deviceText) return printDevice(host, input, output);
  dependencies_.reset();
  if (options_.passes == Passes::kBoth) dependencies_.emplace(host, temporary_.file("rules.d"));
  if (dependencies_ && !dependencies_->isWanted()) dependencies_.reset();
  if (const int status = compilePasses(host, input, output)) return status;
  return dependencies_ && !runner_.dryRun() ? dependencies_->complete() : 0;
}

int MusaCompiler::compilePasses(const FrontendArguments& host, const Input& input,
                                const std::string& output) {
  const bool preprocessorOnly =
      options_.phase == Phase::kPreprocess || options_.phase == Phase::kDependencies;
  if (options_.phase == Phase::kPreprocess && options_.passes == Passes::kBoth)
    return preprocess(host, input, output);
  if (options_.phase == Phase::kDependencies && dependencies_) {
    if (const int status = listDeviceFiles(host, input)) return status;
  }
  std::string code;
  if (options_.passes != Passes::kHostOnly && !preprocessorOnly) {
    if (const int status = compileDevice(host, input, code)) return status;
  }
  if (options_.passes == Passes::kDeviceOnly && !preprocessorOnly) {
    if (code.empty() || runner_.dryRun() || options_.phase == Phase::kSyntaxOnly) return 0;
    std::error_code error;
    std::filesystem::copy_file(code, output, std::filesystem::copy_options::overwrite_existing, error);
    return error ? failStatus("cannot write '" + output + "': " + error.message()) : 0;
  }
  return compileHost(host, input, code, output);
}

int MusaCompiler::preprocess(const FrontendArguments& host, const Input& input, const std::string& output) {
  if (const int status = compileHost(host, input, {}, output)) return status;
  // Of lists of macros, the host's is meant.
  if (llvm::any_of(host.arguments, [](llvm::StringRef option) { return option.starts_with("-dM"); }))
    return 0;
  const bool isPrinted = output.empty() || output == "-";
  std::string last;
  for (const uint32_t arch : archs()) {
    const std::string file = temporary_.file("device" + std::to_string(sequence_++) + ".i");
    Strings command = devicePass(host, arch);
    if (dependencies_) dependencies_->addTo(command, file + ".d");
    command.insert(command.end(), {"-E", "-o", file, "-x", "hip", input.path});
    if (const int status = runner_.run(command)) return status;
    if (runner_.dryRun()) continue;
    const std::string text = core::contentOf(file);
    if (text == last) continue;
    last = text;
    if (isPrinted) {
      llvm::outs() << text;
      continue;
    }
    std::ofstream out(output, std::ios::binary | std::ios::app);
    out << text;
    out.close();
    if (!out) return failStatus("cannot write '" + output + "'");
  }
  return 0;
}

int MusaCompiler::listDeviceFiles(const FrontendArguments& host, const Input& input) {
  for (const uint32_t arch : archs()) {
    Strings command = devicePass(host, arch);
    dependencies_->addTo(command, temporary_.file("device" + std::to_string(sequence_++) + ".d"));
    command.insert(command.end(), {"-Eonly", "-x", "hip", input.path});
    if (const int status = runner_.run(command)) return status;
  }
  return 0;
}

Strings MusaCompiler::devicePass(const FrontendArguments& host, uint32_t arch) const {
  const FrontendArguments device = deviceArguments(
      toolchain_, options_, host, arch, options_.processors.empty() ? "" : options_.processors.front());
  Strings command{device.program};
  command.insert(command.end(), device.arguments.begin(), device.arguments.end());
  addFact(command, "warp-size=" + std::to_string(warpSizeOf(arch)));
  return command;
}

int MusaCompiler::printDevice(const FrontendArguments& host, const Input& input, const std::string& output) {
  const uint32_t arch = options_.archs.empty() ? knownArchs().back() : options_.archs.front();
  Strings command = devicePass(host, arch);
  const bool text = options_.phase == Phase::kAssemble;
  const bool preprocessed = options_.phase == Phase::kPreprocess;
  command.push_back(preprocessed ? "-E" : !options_.emitLlvm ? "-S" : text ? "-emit-llvm" : "-emit-llvm-bc");
  command.insert(command.end(), {"-o", output, "-x", "hip", input.path});
  return runner_.run(command);
}

int MusaCompiler::compileForProcessor(const FrontendArguments& host, const Input& input,
                                      const std::string& processor, std::vector<DeviceCode>& codes) {
  const size_t first = codes.size();
  for (const uint32_t arch : archs()) {
    // Source that never asks for __MUSA_ARCH__ gives the same code for every one.
    if (codes.size() > first && !codes[first].archUsed) {
      codes[first].archs.push_back(arch);
      continue;
    }
    DeviceCode compiled;
    if (const int status = compileFor(host, input, arch, processor, codes.size() == first, compiled))
      return status;
    if (options_.processors.size() > 1) compiled.processor = processor;
    codes.push_back(compiled);
  }
  return 0;
}

int MusaCompiler::compileDevice(const FrontendArguments& host, const Input& input, std::string& code) {
  std::vector<DeviceCode> codes;
  const Strings unnamed{""};
  for (const std::string& processor : options_.processors.empty() ? unnamed : options_.processors) {
    if (const int status = compileForProcessor(host, input, processor, codes)) return status;
  }
  if (options_.phase == Phase::kSyntaxOnly) return 0;
  code = temporary_.file("code" + std::to_string(sequence_++));
  return options_.relocatable ? packUnit(codes, code) : linkImages(input, codes, code);
}

int MusaCompiler::linkImages(const Input& input, const std::vector<DeviceCode>& codes,
                             const std::string& bundle) {
  ArchImages images;
  for (const DeviceCode& code : codes) {
    const std::string image = code.file + ".so";
    const bool sanitized = usesSanitizer(code.arguments);
    if (const int status = linkImage(toolchain_, runner_, code.file, image, sanitized)) return status;
    for (const uint32_t arch : code.archs) images.push_back({arch, image, code.processor});
  }
  const bool isNamed = !options_.output.empty() && options_.inputs.size() == 1;
  const std::filesystem::path program =
      isNamed ? std::filesystem::path(options_.output) : std::filesystem::path(input.path).stem();
  if (const int status = saveImages(options_, images, program)) return status;
  return writeBundleFile(runner_, images, bundle);
}

int MusaCompiler::packUnit(const std::vector<DeviceCode>& codes, const std::string& unit) {
  if (runner_.dryRun()) return 0;
  std::ofstream out(unit, std::ios::binary);
  for (const DeviceCode& code : codes) {
    const std::string packed = code.file + ".packed";
    if (!packUnitCode({code.file, code.launchSizes, packed}, code.archs,
                      codeGenerationOptions(code.arguments)))
      return 1;
    out << std::ifstream(packed, std::ios::binary).rdbuf();
  }
  out.close();
  return out ? 0 : failStatus("cannot write '" + unit + "'");
}

const std::vector<uint32_t>& MusaCompiler::archs() const {
  return options_.archs.empty() ? knownArchs() : options_.archs;
}

std::set<unsigned> MusaCompiler::otherWarpSizes(uint32_t arch) const {
  std::set<unsigned> sizes;
  for (const uint32_t other : archs()) sizes.insert(warpSizeOf(other));
  sizes.erase(warpSizeOf(arch));
  return sizes;
}

int MusaCompiler::compileFor(const FrontendArguments& host, const Input& input, uint32_t arch,
                             const std::string& processor, bool mayServeAll, DeviceCode& code) {
  const std::string stem = temporary_.file("device" + std::to_string(sequence_++));
  const std::string archUse = stem + ".arch";
  const FrontendArguments device = deviceArguments(toolchain_, options_, host, arch, processor);
  code = {{arch},           "",   stem + (options_.relocatable ? ".bc" : ".o"), stem + ".launches",
          device.arguments, false};
  Strings command{device.program};
  command.insert(command.end(), device.arguments.begin(), device.arguments.end());
  addFact(command, "arch-use=" + archUse);
  addFact(command, "warp-size=" + std::to_string(warpSizeOf(arch)));
  if (mayServeAll) {
    for (const unsigned size : otherWarpSizes(arch))
      addFact(command, "other-warp-size=" + std::to_string(size));
  }
  if (options_.passes == Passes::kDeviceOnly && mayServeAll) {
    const Strings dependencies = dependencyArguments(host);
    command.insert(command.end(), dependencies.begin(), dependencies.end());
  }
  if (dependencies_) dependencies_->addTo(command, stem + ".d");
  if (options_.phase == Phase::kSyntaxOnly) {
    command.push_back("-fsyntax-only");
  } else if (options_.relocatable) {
    addFact(command, "launch-sizes=" + code.launchSizes);
    command.insert(command.end(), {"-emit-llvm-bc", "-disable-llvm-passes", "-o", code.file});
  } else {
    command.insert(command.end(), {"-emit-obj", "-o", code.file});
  }
  addVendorChecks(command);
  command.insert(command.end(), {"-x", "hip", input.path});
  if (const int status = runDevicePass(runner_, command, input.path)) return status;
  code.archUsed = std::filesystem::exists(archUse);
  return 0;
}

int MusaCompiler::compileHost(const FrontendArguments& host, const Input& input, const std::string& code,
                              const std::string& output) const {
  Strings command{host.program};
  command.insert(command.end(), host.arguments.begin(), host.arguments.end());
  if (!code.empty() && options_.relocatable) command.push_back("-fembed-offload-object=" + code);
  if (!code.empty() && !options_.relocatable)
    command.insert(command.end(), {"-fcuda-include-gpubinary", code});
  command.insert(command.end(), {"-load", toolchain_.hostPlugin, "-fpass-plugin=" + toolchain_.hostPlugin});
  addVendorChecks(command);
  if (!output.empty()) command.insert(command.end(), {"-o", output});
  command.insert(command.end(), {"-x", "hip", input.path});
  return runner_.run(command);
}

}  // namespace musashim::mcc
