#include "device_image.h"

#include <cstring>
#include <fstream>
#include <map>
#include <memory>

#include "abi/offload_bundle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/architectures.h"

namespace musashim::mcc {
namespace {

bool writeFile(const std::string& path, const std::vector<std::byte>& data) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  out.close();
  return out ? true : fail("cannot write '" + path + "': " + strerror(errno));
}

}  // namespace

bool usesSanitizer(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument.rfind("-fsanitize=", 0) == 0) return true;
  }
  return false;
}

std::vector<std::string> imageLinkCommand(const Toolchain& toolchain, const std::string& object,
                                          const std::string& image) {
  // -Bsymbolic: the program that loads the image has functions of the same names.
  // --no-undefined: a device function without a definition is an error here, not at run time.
  return {toolchain.linker,
          "-shared",
          "--no-undefined",
          "--gc-sections",
          "-Bsymbolic",
          "--hash-style=gnu",
          "-o",
          image,
          object,
          "-L" + toolchain.lib,
          "-lmusadevrt",
          "-L/usr/lib/x86_64-linux-gnu",
          "-L/lib/x86_64-linux-gnu",
          "--as-needed",
          "-lm",
          "-lc",
          MCC_LIBGCC};
}

int linkImage(const Toolchain& toolchain, const StepRunner& runner, const std::string& object,
              const std::string& image, bool sanitized) {
  // The sanitizer's functions come from the program that loads the image.
  if (sanitized) {
    return runner.run(
        {toolchain.linker, "-shared", "-o", image, object, "-L" + toolchain.lib, "-lmusadevrt"});
  }
  return runner.run(imageLinkCommand(toolchain, object, image));
}

int saveImages(const Options& options, const ArchImages& images, const std::filesystem::path& output) {
  namespace fs = std::filesystem;
  if (!options.saveTemps || options.dryRun) return 0;
  const fs::path folder = options.savedFolder.empty() ? output.parent_path() : fs::path(options.savedFolder);
  for (const ArchImage& image : images) {
    const std::string processor = image.processor.empty() ? "" : "." + image.processor;
    const fs::path file = folder / (output.stem().string() + "." + archName(image.arch) + processor + ".so");
    std::error_code error;
    fs::copy_file(image.file, file, fs::copy_options::overwrite_existing, error);
    if (error) return failStatus("cannot write '" + file.string() + "': " + error.message());
  }
  return 0;
}

int writeBundleFile(const StepRunner& runner, const ArchImages& images, const std::string& path) {
  if (runner.dryRun()) return 0;
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::vector<abi::BundleEntry> entries;
  for (const auto& [arch, file, processor] : images) {
    auto& buffer = buffers[file];
    if (buffer == nullptr) {
      auto read = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
      if (!read) return failStatus("cannot read '" + file + "': " + read.getError().message());
      buffer = std::move(*read);
    }
    entries.push_back(
        {abi::bundleId(arch, processor),
         {reinterpret_cast<const std::byte*>(buffer->getBufferStart()), buffer->getBufferSize()}});
  }
  return writeFile(path, abi::writeBundle(entries)) ? 0 : 1;
}

}  // namespace musashim::mcc
