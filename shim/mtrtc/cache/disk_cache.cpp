#include "disk_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "core/cache_folder.h"
#include "core/hash.h"
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

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

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
  const unsigned number = stores.fetch_add(1);
  const std::string path = pathOf(key);
  const std::string made = path + "." + std::to_string(getpid()) + "." + std::to_string(number);
  bool whole = false;
  {
    const Descriptor file(open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.get() < 0) return;
    whole = writeAll(file.get(), writeEntry(key, result));
  }
  if (!whole || rename(made.c_str(), path.c_str()) != 0) unlink(made.c_str());
  if (number % kStoresPerLook == 0) core::removeOldest(folder_, limit_);
}

}  // namespace musashim::mtrtc
