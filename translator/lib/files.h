#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace musashim::translator {

/// The whole file as bytes. Throws PortError.
std::string readFile(const std::filesystem::path& path);

/// Feeds the file to `sink` in pieces, for files that need not be in memory at once. Throws PortError.
void readPieces(const std::filesystem::path& path, const std::function<void(std::string_view)>& sink);

}  // namespace musashim::translator
