#pragma once

#include <chrono>
#include <string>

namespace musashim::translator {

/// One line on a terminal's standard error, rewritten a few times a second once a run takes long.
class Progress {
 public:
  explicit Progress(bool wanted);
  void show(std::size_t done, std::size_t all, const std::string& name);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool active_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace musashim::translator
