#include "unit_link.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "abi/offload_bundle.h"
#include "core/child_program.h"
#include "core/sdk_folder.h"
#include "core/whole_file.h"

namespace musashim::musa {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMcc = "bin/mcc";

class Folder {
 public:
  Folder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "musa-link-XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// mcc tells objects and libraries by their contents, and sources by the names of their files.
std::string fileNameOf(const UnitInput& unit) {
  std::string name = fs::path(unit.name).filename().string();
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '.' && letter != '_'; },
      '_');
  return name + (isArchive(unit.data.data(), unit.data.size()) ? ".a" : ".o");
}

// Without the folder of ours, and as the linker's words.
std::string readable(const std::string& words, const std::string& folder) {
  std::istringstream lines(words);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("mcc: error: ")) line.erase(0, std::strlen("mcc: error: "));
    for (size_t at; (at = line.find(folder)) != std::string::npos;) {
      const size_t end = line.find('/', at + folder.size() + 1);  // of the input's own folder
      line.erase(at, end == std::string::npos ? folder.size() : end + 1 - at);
    }
    result += (result.empty() ? "" : "\n") + line;
  }
  return result;
}

}  // namespace

bool isArchive(const void* data, size_t size) {
  constexpr std::string_view kMagic = "!<arch>\n";
  return size >= kMagic.size() && std::memcmp(data, kMagic.data(), kMagic.size()) == 0;
}

std::span<const std::byte> unitOf(const void* bundle, size_t limit) {
  std::vector<abi::BundleEntry> entries;
  std::string error;
  if (limit < abi::kBundleMagic.size() || !abi::isBundle(bundle)) return {};
  if (!abi::readBundle(bundle, limit, entries, error) || entries.empty()) return {};
  return entries.front().id == abi::kUnitBundleId ? entries.front().image : std::span<const std::byte>();
}

Result linkUnits(const std::vector<UnitInput>& units, std::vector<std::byte>& bundle) {
  const std::string sdk = core::findSdk(reinterpret_cast<const void*>(&unitOf), kMcc);
  MUSA_REQUIRE(!sdk.empty(), MUSA_ERROR_JIT_COMPILER_NOT_FOUND,
               "relocatable device code is linked by the SDK's mcc: install the SDK beside this library, or "
               "set MUSA_PATH to its folder");
  const Folder folder;
  MUSA_REQUIRE(!folder.path().empty(), MUSA_ERROR_OPERATING_SYSTEM,
               "cannot make a temporary folder: is TMPDIR writable?");
  const std::string output = folder.path() + "/linked", words = folder.path() + "/words";
  const std::string mcc = sdk + "/" + kMcc;
  std::vector<std::string> command{mcc, "-dlink", "--musa-device-only", "-o", output};
  std::error_code error;
  for (size_t i = 0; i < units.size(); ++i) {
    const fs::path place = fs::path(folder.path()) / std::to_string(i);
    fs::create_directory(place, error);
    command.push_back((place / fileNameOf(units[i])).string());
    std::ofstream(command.back(), std::ios::binary)
        .write(reinterpret_cast<const char*>(units[i].data.data()),
               static_cast<std::streamsize>(units[i].data.size()));
  }
  if (const int failure = core::runProgram(command, words); failure != 0)
    return {MUSA_ERROR_OPERATING_SYSTEM, fmt::format("cannot run '{}': {}", mcc, std::strerror(failure))};
  const std::string linked = core::contentOf(output);
  MUSA_REQUIRE(!linked.empty(), MUSA_ERROR_INVALID_IMAGE, readable(core::contentOf(words), folder.path()));
  const auto* bytes = reinterpret_cast<const std::byte*>(linked.data());
  bundle.assign(bytes, bytes + linked.size());
  return {};
}

}  // namespace musashim::musa
