// How an entry of the cache lies in its file.
#pragma once

#include <optional>
#include <string>

#include "disk_cache.h"

namespace musashim::mtrtc {

std::string writeEntry(const std::string& key, const CachedResult& result);

// Nothing when `bytes` are not whole, belong to another key, or a file that was read has changed since.
std::optional<CachedResult> readEntry(std::string_view bytes, const std::string& key);

}  // namespace musashim::mtrtc
