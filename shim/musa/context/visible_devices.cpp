#include "musa/context/visible_devices.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace musashim::musa {
namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<size_t> deviceOf(std::string_view entry, const std::vector<std::string>& uuids) {
  if (entry.starts_with("GPU-")) {
    std::optional<size_t> found;
    for (size_t i = 0; i < uuids.size(); ++i) {
      if (!std::string_view(uuids[i]).starts_with(entry)) continue;
      if (found) return std::nullopt;  // ambiguous
      found = i;
    }
    return found;
  }
  size_t index = 0;
  auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  if (error != std::errc() || end != entry.data() + entry.size() || index >= uuids.size())
    return std::nullopt;
  return index;
}

}  // namespace

MUuuid deviceUuid(const backend::Device& device, size_t index) {
  // FNV-1a over the profile's id, twice with different starts.
  uint64_t halves[2] = {0xcbf29ce484222325u, 0x9ae16a3b2f90404fu};
  for (uint64_t& hash : halves) {
    for (unsigned char c : device.profile().id + "/" + std::to_string(index)) {
      hash = (hash ^ c) * 0x100000001b3u;
    }
  }
  MUuuid uuid;
  std::copy_n(reinterpret_cast<const char*>(halves), sizeof uuid.bytes, uuid.bytes);
  return uuid;
}

std::string uuidText(const MUuuid& uuid) {
  std::string text = "GPU";
  for (size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

std::vector<size_t> visibleDevices(const std::vector<std::string>& uuids) {
  const char* list = std::getenv("MUSA_VISIBLE_DEVICES");
  if (list) return parseVisibleDevices(list, uuids);
  std::vector<size_t> all(uuids.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

std::vector<size_t> parseVisibleDevices(std::string_view list, const std::vector<std::string>& uuids) {
  std::vector<size_t> visible;
  while (!list.empty()) {
    size_t comma = std::min(list.find(','), list.size());
    std::optional<size_t> device = deviceOf(trimmed(list.substr(0, comma)), uuids);
    if (!device || std::find(visible.begin(), visible.end(), *device) != visible.end()) break;
    visible.push_back(*device);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return visible;
}

}  // namespace musashim::musa
