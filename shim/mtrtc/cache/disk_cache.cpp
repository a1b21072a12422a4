#include "disk_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "core/cache_folder.h"
#include "core/hash.h"
#include "core/whole_file.h"
#include "entry_file.h"

namespace musashim::mtrtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".mtrtc";
constexpr unsigned kStoresPerLook = 16;  // at the size of all
constexpr time_t kFresh = 600;           // seconds in which a use need not be noted again

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

DiskCache* DiskCache::instance() {
  static DiskCache* const cache = [] {
    const std::string folder = core::cacheFolder("mtrtc");
    return folder.empty() ? nullptr : new DiskCache(folder, core::cacheLimit());
  }();
  return cache;
}

std::string DiskCache::pathOf(const std::string& key) const {
  char name[40];
  std::snprintf(name, sizeof name, "/%016llx%016llx", static_cast<unsigned long long>(core::hashOf(key, 2)),
                static_cast<unsigned long long>(core::hashOf(key, 3)));
  return folder_ + name + kSuffix;
}

bool DiskCache::find(const std::string& key, CachedResult& result) const {
  const Descriptor file(open(pathOf(key).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat state{};
  if (file.get() < 0 || fstat(file.get(), &state) != 0 || state.st_size <= 0) return false;
  const auto size = static_cast<size_t>(state.st_size);
  std::string bytes(size, '\0');
  if (pread(file.get(), bytes.data(), size, 0) != state.st_size) return false;
  auto found = readEntry(bytes, key);
  if (!found) return false;
  result = std::move(*found);
  if (std::time(nullptr) - state.st_mtim.tv_sec > kFresh) futimens(file.get(), nullptr);
  return true;
}

void DiskCache::store(const std::string& key, const CachedResult& result) {
  static std::atomic<unsigned> stores = 0;
  std::error_code error;
  fs::create_directories(folder_, error);
  core::writeWhole(pathOf(key), writeEntry(key, result));
  if (stores.fetch_add(1) % kStoresPerLook == 0) core::removeOldest(folder_, limit_);
}

}  // namespace musashim::mtrtc
