#include "whole_file.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace musashim::core {

std::string contentOf(const std::string& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();  // of a folder nothing can be read
  return std::move(content).str();
}

bool writeWhole(const std::string& path, std::string_view content) {
  static std::atomic<unsigned> writes = 0;  // two threads may write the same file
  const std::string made = path + '.' + std::to_string(getpid()) + '.' + std::to_string(writes.fetch_add(1));
  std::ofstream out(made, std::ios::binary);
  if (!out) return false;
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(made, path, error);
  if (out && !error) return true;
  std::filesystem::remove(made, error);
  return false;
}

}  // namespace musashim::core
