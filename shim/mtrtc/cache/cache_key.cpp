#include "cache_key.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/cuda_capability.h"
#include "core/hash.h"

namespace musashim::mtrtc {
namespace {

namespace fs = std::filesystem;

// Sizes and times of what the SDK compiles with: another SDK, or a newer one in its place, has another.
std::string stampOf(const std::string& sdk) {
  std::vector<std::string> states;
  const auto add = [&](const fs::path& path) {
    struct stat state{};
    if (stat(path.c_str(), &state) != 0) return;
    states.push_back(path.string() + " " + std::to_string(state.st_size) + " " +
                     std::to_string(state.st_mtim.tv_sec) + "." + std::to_string(state.st_mtim.tv_nsec));
  };
  std::error_code error;
  for (const char* folder : {"/include", "/lib/musashim"}) {
    for (fs::recursive_directory_iterator place(sdk + folder, error), end; !error && place != end;
         place.increment(error)) {
      if (place->path().filename() == "cuda_alias") {
        place.disable_recursion_pending();
      } else {
        add(place->path());
      }
    }
  }
  add(sdk + "/lib/libmusadevrt.so");
  std::sort(states.begin(), states.end());
  uint64_t hash = states.size();
  for (const std::string& state : states) hash = core::hashOf(state, hash);
  return sdk + " " + std::to_string(hash);
}

class Key {
 public:
  void add(std::string_view part) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
  }
  void add(const std::vector<std::string>& parts) {
    add(std::to_string(parts.size()));
    for (const std::string& part : parts) add(part);
  }
  std::string text;
};

bool includes(const CompileRequest& request) {
  const auto has = [](const std::string& text) { return text.find("include") != std::string::npos; };
  return !request.frontend.empty() || has(request.source.text) ||
         std::any_of(request.headers.begin(), request.headers.end(),
                     [&](const SourceText& header) { return has(header.text); });
}

}  // namespace

std::string cacheKey(const CompileRequest& request) {
  static const auto& stamp = *new std::string(stampOf(request.sdk));
  Key key;
  key.add(stamp);
  // The processor decides what code is made for.
  key.add(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "v3" : "v1");
  key.add(request.isCuda ? "cuda" : "musa");
  if (request.isCuda) key.add(std::to_string(core::cudaCapability().capability.number()));
  key.add(request.defaultDevice ? "device" : "host");
  for (const uint32_t arch : request.archs) key.add(std::to_string(arch));
  key.add(request.language);
  key.add(request.frontend);
  key.add(request.names);
  key.add(request.source.name);
  key.add(request.source.text);
  for (const SourceText& header : request.headers) {
    key.add(header.name);
    key.add(header.text);
  }
  if (includes(request)) {
    std::error_code error;
    key.add(fs::current_path(error).string());
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
      const char* value = std::getenv(variable);
      key.add(value == nullptr ? "" : value);
    }
  }
  return std::move(key.text);
}

}  // namespace musashim::mtrtc
