// Files that are read and written as a whole.
#pragma once

#include <string>
#include <string_view>

namespace musashim::core {

// Empty where the file cannot be read.
std::string contentOf(const std::string& path);

// Writes beside `path`, then renames: others see the whole or what was there before. False, and nothing is
// left, where it cannot be written.
bool writeWhole(const std::string& path, std::string_view content);

}  // namespace musashim::core
