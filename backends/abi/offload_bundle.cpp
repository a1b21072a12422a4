#include "abi/offload_bundle.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace musashim::abi {
namespace {

constexpr size_t kImageAlignment = 4096;
// No bundle that mcc writes comes near these; they keep a corrupt one from being followed.
constexpr uint64_t kMaxEntries = 64;
constexpr uint64_t kMaxIdLength = 256;

void appendU64(std::vector<std::byte>& out, uint64_t value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

class Cursor {
 public:
  Cursor(const void* data, size_t limit) : data_(static_cast<const std::byte*>(data)), limit_(limit) {}

  bool readU64(uint64_t& value) {
    if (!has(sizeof value)) return false;
    std::memcpy(&value, data_ + position_, sizeof value);
    position_ += sizeof value;
    return true;
  }
  bool readText(size_t length, std::string& text) {
    if (!has(length)) return false;
    text.assign(reinterpret_cast<const char*>(data_ + position_), length);
    position_ += length;
    return true;
  }
  void skip(size_t bytes) { position_ += bytes; }

 private:
  bool has(size_t bytes) const { return bytes <= limit_ && position_ <= limit_ - bytes; }

  const std::byte* data_;
  size_t limit_;
  size_t position_ = 0;
};

}  // namespace

std::string bundleId(uint32_t arch, std::string_view processor) {
  std::string id = std::string(kBundleIdPrefix) + std::to_string(arch / 10);
  if (!processor.empty()) id.append(":").append(processor);
  return id;
}

std::string_view bundleProcessor(std::string_view id) {
  const size_t colon = id.find(':');
  return colon == std::string_view::npos ? std::string_view() : id.substr(colon + 1);
}

uint32_t bundleArch(std::string_view id) {
  if (!id.starts_with(kBundleIdPrefix)) return 0;
  id.remove_prefix(kBundleIdPrefix.size());
  id = id.substr(0, id.find(':'));
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  const bool whole = error == std::errc{} && end == id.data() + id.size();
  return whole ? number * 10 : 0;
}

std::vector<std::byte> writeBundle(std::span<const BundleEntry> entries) {
  size_t header = kBundleMagic.size() + sizeof(uint64_t);
  for (const BundleEntry& entry : entries) header += 3 * sizeof(uint64_t) + entry.id.size();
  const auto align = [](size_t offset) {
    return (offset + kImageAlignment - 1) / kImageAlignment * kImageAlignment;
  };

  std::vector<std::byte> out;
  const auto* magic = reinterpret_cast<const std::byte*>(kBundleMagic.data());
  out.insert(out.end(), magic, magic + kBundleMagic.size());
  appendU64(out, entries.size());
  size_t offset = align(header);
  for (const BundleEntry& entry : entries) {
    appendU64(out, offset);
    appendU64(out, entry.image.size());
    appendU64(out, entry.id.size());
    const auto* id = reinterpret_cast<const std::byte*>(entry.id.data());
    out.insert(out.end(), id, id + entry.id.size());
    offset = align(offset + entry.image.size());
  }
  for (const BundleEntry& entry : entries) {
    out.resize(align(out.size()));
    out.insert(out.end(), entry.image.begin(), entry.image.end());
  }
  return out;
}

bool isBundle(const void* data) {
  return data != nullptr && std::memcmp(data, kBundleMagic.data(), kBundleMagic.size()) == 0;
}

bool readBundle(const void* data, size_t limit, std::vector<BundleEntry>& entries, std::string& error) {
  entries.clear();
  if (limit < kBundleMagic.size() || !isBundle(data)) {
    error = "no offload bundle: it does not start with __CLANG_OFFLOAD_BUNDLE__";
    return false;
  }
  Cursor cursor(data, limit);
  cursor.skip(kBundleMagic.size());
  uint64_t count = 0;
  if (!cursor.readU64(count) || count > kMaxEntries) {
    error = fmt::format("corrupt offload bundle: {} entries", count);
    return false;
  }
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t offset = 0, size = 0, idLength = 0;
    BundleEntry entry;
    const bool header = cursor.readU64(offset) && cursor.readU64(size) && cursor.readU64(idLength);
    if (!header || idLength > kMaxIdLength || !cursor.readText(idLength, entry.id)) {
      error = fmt::format("corrupt offload bundle: entry {} is cut short", i);
      return false;
    }
    if (size > limit || offset > limit - size) {
      error = fmt::format("corrupt offload bundle: entry {} ({}) lies outside of it", i, entry.id);
      return false;
    }
    entry.image = {static_cast<const std::byte*>(data) + offset, size};
    entries.push_back(std::move(entry));
  }
  return true;
}

}  // namespace musashim::abi
