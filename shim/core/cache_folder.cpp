#include "cache_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace musashim::core {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMebibyte = uint64_t{1} << 20;
constexpr uint64_t kDefaultMebibytes = 2048;

std::string folderByEnvironment() {
  if (const char* path = std::getenv("MUSASHIM_CACHE_PATH"))
    return std::strcmp(path, "none") == 0 ? "" : path;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return std::string(cache) + "/musashim";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/musashim" : "";
}

}  // namespace

std::string cacheFolder(const std::string& kind) {
  const std::string folder = folderByEnvironment();
  return folder.empty() ? folder : folder + "/" + kind;
}

uint64_t cacheLimit() {
  uint64_t mebibytes = kDefaultMebibytes;
  if (const char* text = std::getenv("MUSASHIM_CACHE_MIB"))
    std::from_chars(text, text + std::strlen(text), mebibytes);
  return mebibytes * kMebibyte;
}

std::string fileState(const std::string& path) {
  struct stat state{};
  if (stat(path.c_str(), &state) != 0) return "none";
  return std::to_string(state.st_size) + " " + std::to_string(state.st_ino) + " " +
         std::to_string(state.st_mtim.tv_sec) + "." + std::to_string(state.st_mtim.tv_nsec);
}

// Others may do the same at the same time: a file that is gone already does not matter, nor one that is open.
void removeOldest(const std::string& folder, uint64_t limit) {
  struct File {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator place(folder, error), end; !error && place != end; place.increment(error)) {
    std::error_code gone;
    const uint64_t bytes = place->file_size(gone);
    const fs::file_time_type used = place->last_write_time(gone);
    if (gone) continue;
    files.push_back({used, bytes, place->path()});
    total += bytes;
  }
  if (total <= limit) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= limit / 4 * 3) break;
    fs::remove(file.path, error);
    total -= file.bytes;
  }
}

}  // namespace musashim::core
