#pragma once

#include <chrono>
#include <mutex>
#include <string_view>

namespace musashim::translator {

/// One line on a terminal's standard error, rewritten a few times a second once a run takes long. Any
/// thread may show; whoever comes while another writes has nothing to add.
class Progress {
 public:
  explicit Progress(bool wanted);
  void show(std::size_t done, std::size_t all, std::string_view name);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool active_;
  bool shown_ = false;
  Clock::time_point next_;
  std::mutex mutex_;
};

}  // namespace musashim::translator
