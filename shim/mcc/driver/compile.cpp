#include "compile.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "abi/offload_bundle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

bool usesSanitizer(const FrontendArguments& arguments) {
  for (const std::string& argument : arguments.arguments) {
    if (argument.rfind("-fsanitize=", 0) == 0) return true;
  }
  return false;
}

void addFact(Strings& command, const std::string& fact) {
  command.insert(command.end(), {"-plugin-arg-musa-source-facts", fact});
}

bool writeFile(const std::string& path, const std::vector<std::byte>& data) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  out.close();
  if (out) return true;
  llvm::errs() << "mcc: error: cannot write '" << path << "': " << strerror(errno) << '\n';
  return false;
}

}  // namespace

int MusaCompiler::compile(const Input& input, const std::string& output) {
  FrontendArguments host;
  if (!hostArguments(toolchain_, options_, input, host)) return 1;
  const bool preprocessorOnly =
      options_.phase == Phase::kPreprocess || options_.phase == Phase::kDependencies;
  const bool deviceText = options_.phase == Phase::kAssemble || options_.emitLlvm;
  if (options_.passes == Passes::kDeviceOnly && deviceText) return printDevice(host, input, output);
  std::string bundle;
  if (options_.passes != Passes::kHostOnly && !preprocessorOnly) {
    if (const int status = compileDevice(host, input, bundle)) return status;
  }
  if (options_.passes == Passes::kDeviceOnly) {
    if (bundle.empty() || runner_.dryRun() || options_.phase == Phase::kSyntaxOnly) return 0;
    std::error_code error;
    std::filesystem::copy_file(bundle, output, std::filesystem::copy_options::overwrite_existing, error);
    if (!error) return 0;
    llvm::errs() << "mcc: error: cannot write '" << output << "': " << error.message() << '\n';
    return 1;
  }
  return compileHost(host, input, bundle, output);
}

int MusaCompiler::printDevice(const FrontendArguments& host, const Input& input, const std::string& output) {
  const uint32_t arch = options_.archs.empty() ? knownArchs().back() : options_.archs.front();
  const FrontendArguments device = deviceArguments(toolchain_, options_, host, arch);
  Strings command{device.program};
  command.insert(command.end(), device.arguments.begin(), device.arguments.end());
  addFact(command, "warp-size=" + std::to_string(warpSizeOf(arch)));
  const bool text = options_.phase == Phase::kAssemble;
  command.push_back(!options_.emitLlvm ? "-S" : text ? "-emit-llvm" : "-emit-llvm-bc");
  command.insert(command.end(), {"-o", output, "-x", "hip", input.path});
  return runner_.run(command);
}

int MusaCompiler::compileDevice(const FrontendArguments& host, const Input& input, std::string& bundle) {
  std::vector<std::pair<uint32_t, std::string>> images;
  bool archUsed = true;
  for (const uint32_t arch : archs()) {
    std::string image = images.empty() ? std::string() : images.front().second;
    // Source that never asks for __MUSA_ARCH__ gives the same image for every one.
    if (images.empty() || archUsed) {
      if (const int status = compileImage(host, input, arch, images.empty(), image, archUsed)) return status;
    }
    images.emplace_back(arch, image);
  }
  if (options_.phase == Phase::kSyntaxOnly) return 0;
  bundle = temporary_.file("bundle" + std::to_string(sequence_++));
  return writeBundleFile(images, bundle);
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

int MusaCompiler::compileImage(const FrontendArguments& host, const Input& input, uint32_t arch,
                               bool mayServeAll, std::string& image, bool& archUsed) {
  const std::string stem = "device" + std::to_string(sequence_++);
  const std::string object = temporary_.file(stem + ".o");
  const std::string archUse = temporary_.file(stem + ".arch");
  const FrontendArguments device = deviceArguments(toolchain_, options_, host, arch);
  Strings command{device.program};
  command.insert(command.end(), device.arguments.begin(), device.arguments.end());
  addFact(command, "arch-use=" + archUse);
  addFact(command, "warp-size=" + std::to_string(warpSizeOf(arch)));
  if (mayServeAll) {
    for (const unsigned size : otherWarpSizes(arch))
      addFact(command, "other-warp-size=" + std::to_string(size));
  }
  if (options_.phase == Phase::kSyntaxOnly) {
    command.push_back("-fsyntax-only");
  } else {
    command.insert(command.end(), {"-emit-obj", "-o", object});
  }
  command.insert(command.end(), {"-x", "hip", input.path});
  if (const int status = runner_.run(command)) return status;
  archUsed = std::filesystem::exists(archUse);
  if (options_.phase == Phase::kSyntaxOnly) return 0;
  image = temporary_.file(stem + ".so");
  if (!usesSanitizer(device)) return linkImage(object, image);
  // The sanitizer's functions come from the program that loads the image.
  return runner_.run(
      {toolchain_.linker, "-shared", "-o", image, object, "-L" + toolchain_.lib, "-lmusadevrt"});
}

int MusaCompiler::linkImage(const std::string& object, const std::string& image) const {
  // -Bsymbolic: the program that loads the image has functions of the same names.
  // --no-undefined: a device function without a definition is an error here, not at run time.
  return runner_.run({toolchain_.linker, "-shared", "--no-undefined", "--gc-sections", "-Bsymbolic",
                      "--hash-style=gnu", "-o", image, object, "-L" + toolchain_.lib, "-lmusadevrt",
                      "-L/usr/lib/x86_64-linux-gnu", "-L/lib/x86_64-linux-gnu", "--as-needed", "-lm", "-lc",
                      MCC_LIBGCC});
}

int MusaCompiler::writeBundleFile(const std::vector<std::pair<uint32_t, std::string>>& images,
                                  const std::string& path) const {
  if (runner_.dryRun()) return 0;
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::vector<abi::BundleEntry> entries;
  for (const auto& [arch, file] : images) {
    auto& buffer = buffers[file];
    if (buffer == nullptr) {
      auto read = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
      if (!read) {
        llvm::errs() << "mcc: error: cannot read '" << file << "': " << read.getError().message() << '\n';
        return 1;
      }
      buffer = std::move(*read);
    }
    entries.push_back(
        {abi::bundleId(arch),
         {reinterpret_cast<const std::byte*>(buffer->getBufferStart()), buffer->getBufferSize()}});
  }
  return writeFile(path, abi::writeBundle(entries)) ? 0 : 1;
}

int MusaCompiler::compileHost(const FrontendArguments& host, const Input& input, const std::string& bundle,
                              const std::string& output) const {
  Strings command{host.program};
  command.insert(command.end(), host.arguments.begin(), host.arguments.end());
  if (!bundle.empty()) command.insert(command.end(), {"-fcuda-include-gpubinary", bundle});
  command.push_back("-fpass-plugin=" + toolchain_.hostPlugin);
  if (!output.empty()) command.insert(command.end(), {"-o", output});
  command.insert(command.end(), {"-x", "hip", input.path});
  return runner_.run(command);
}

}  // namespace musashim::mcc
