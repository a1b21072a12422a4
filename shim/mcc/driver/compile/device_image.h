// From device objects to the bundle of images that a program carries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "mcc/driver/options/options.h"
#include "mcc/driver/process.h"
#include "mcc/driver/toolchain.h"

namespace musashim::mcc {

// True when `arguments` of clang -cc1 ask for a sanitizer.
bool usesSanitizer(const std::vector<std::string>& arguments);

// The linker's command for an image of `object`.
std::vector<std::string> imageLinkCommand(const Toolchain& toolchain, const std::string& object,
                                          const std::string& image);

// Links `object` to the image `image`. Returns the linker's exit status.
int linkImage(const Toolchain& toolchain, const StepRunner& runner, const std::string& object,
              const std::string& image, bool sanitized);

// The image for an architecture, and a processor if there are several for it; one file may serve several.
struct ArchImage {
  uint32_t arch;
  std::string file;
  std::string processor;
};
using ArchImages = std::vector<ArchImage>;
// What --save-temps keeps: the images, named after `output` and in its folder, where no other was named.
// Returns an exit status.
int saveImages(const Options& options, const ArchImages& images, const std::filesystem::path& output);

// Writes the images as an offload bundle (abi/offload_bundle.h) to `path`. Returns an exit status.
int writeBundleFile(const StepRunner& runner, const ArchImages& images, const std::string& path);

}  // namespace musashim::mcc
