// From device objects to the bundle of images that a program carries.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "process.h"
#include "toolchain.h"

namespace musashim::mcc {

// True when `arguments` of clang -cc1 ask for a sanitizer.
bool usesSanitizer(const std::vector<std::string>& arguments);

// Links `object` to the image `image`. Returns the linker's exit status.
int linkImage(const Toolchain& toolchain, const StepRunner& runner, const std::string& object,
              const std::string& image, bool sanitized);

// Architectures with the files of their images; one file may serve several.
using ArchImages = std::vector<std::pair<uint32_t, std::string>>;
// Writes the images as an offload bundle (abi/offload_bundle.h) to `path`. Returns an exit status.
int writeBundleFile(const StepRunner& runner, const ArchImages& images, const std::string& path);

}  // namespace musashim::mcc
