// From the device pass's object to an image, by the linker that mcc takes.
#pragma once

#include <string>

#include "mcc/driver/toolchain.h"

namespace musashim::mtrtc {

// False, with the linker's words in `log`, when it refuses.
bool linkObject(const mcc::Toolchain& toolchain, const std::string& object, std::string& image,
                std::string& log);

}  // namespace musashim::mtrtc
