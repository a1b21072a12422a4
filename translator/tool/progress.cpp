#include "translator/tool/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace musashim::translator {

using namespace std::chrono_literals;

Progress::Progress(bool wanted)
    : active_(wanted && isatty(STDERR_FILENO) == 1), next_(Clock::now() + 500ms) {}

void Progress::show(std::size_t done, std::size_t all, std::string_view name) {
  if (!active_) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || Clock::now() < next_) return;
  next_ = Clock::now() + 100ms;
  shown_ = true;
  constexpr std::size_t kWidth = 24;
  const std::size_t full = kWidth * done / std::max<std::size_t>(all, 1);
  std::fprintf(stderr, "\r\033[K[%s%s] %zu/%zu %.*s", std::string(full, '#').c_str(),
               std::string(kWidth - full, ' ').c_str(), done, all,
               static_cast<int>(std::min<std::size_t>(name.size(), 60)), name.data());
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace musashim::translator
