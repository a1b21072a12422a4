#include "entry_file.h"

#include <cstring>

#include "core/cache_folder.h"
#include "core/hash.h"

namespace musashim::mtrtc {
namespace {

constexpr std::string_view kMagic = "MTRTC cache 1\n";
constexpr uint64_t kSeed = 1;

class Writer {
 public:
  void number(uint64_t value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes.append(value);
  }
  std::string bytes{kMagic};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    if (bytes_.size() < sizeof value) return failed_ = true, 0;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const uint64_t size = number();
    if (size > bytes_.size()) return failed_ = true, std::string_view();
    const std::string_view value = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return value;
  }
  bool failed() const { return failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace

std::string writeEntry(const std::string& key, const CachedResult& result) {
  Writer out;
  out.text(key);
  out.text(result.log);
  out.text(result.image);
  out.number(result.lowered.size());
  for (const std::string& name : result.lowered) out.text(name);
  out.number(result.files.size());
  for (const std::string& file : result.files) {
    out.text(file);
    out.text(core::fileState(file));
  }
  out.number(core::hashOf(out.bytes, kSeed));
  return std::move(out.bytes);
}

std::optional<CachedResult> readEntry(std::string_view bytes, const std::string& key) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + sizeof(uint64_t)) return {};
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  if (Reader(bytes.substr(body.size())).number() != core::hashOf(body, kSeed)) return {};
  Reader in(body.substr(kMagic.size()));
  if (in.text() != key) return {};
  CachedResult result;
  result.log = in.text();
  result.image = in.text();
  for (uint64_t count = in.number(); count > 0 && !in.failed(); --count)
    result.lowered.emplace_back(in.text());
  for (uint64_t count = in.number(); count > 0 && !in.failed(); --count) {
    result.files.emplace_back(in.text());
    if (in.text() != core::fileState(result.files.back())) return {};
  }
  if (in.failed()) return {};
  return result;
}

}  // namespace musashim::mtrtc
