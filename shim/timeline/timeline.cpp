#include "timeline/timeline.h"

#include <mutex>
#include <unordered_set>

namespace musashim::timeline {

Text::Text(std::string_view text) {
  static std::mutex mutex;
  static auto& texts = *new std::unordered_set<std::string>;
  if (text.empty()) return;
  const std::lock_guard lock(mutex);
  text_ = &*texts.emplace(text).first;
}

const std::string& Text::none() {
  static const auto& empty = *new std::string;
  return empty;
}

}  // namespace musashim::timeline
