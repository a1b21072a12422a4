// Results of compilations on disk, by all that they depend on: MUSASHIM_CACHE_PATH. Any number of threads and
// processes may share a folder: an entry is a file that appears whole, and is never written again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace musashim::mtrtc {

struct CachedResult {
  std::string log, image;
  std::vector<std::string> lowered;
  std::vector<std::string> files;  // that were read; they must be as they were
};

class DiskCache {
 public:
  // `limit`: bytes that all entries may take; the ones not used for longest go.
  DiskCache(std::string folder, uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

  // By the environment; null when there is to be none.
  static DiskCache* instance();

  bool find(const std::string& key, CachedResult& result) const;
  // What cannot be written is not there the next time.
  void store(const std::string& key, const CachedResult& result);

 private:
  std::string pathOf(const std::string& key) const;

  std::string folder_;
  uint64_t limit_;
};

}  // namespace musashim::mtrtc
