#include "cpu/core/slow_links.h"

#include <chrono>
#include <thread>

#include "cpu/exec/clock.h"
#include "cpu/exec/copy.h"

namespace musashim::backend::cpu {

size_t SlowLinks::deviceOf(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  for (size_t i = 0; i < devices_.size(); ++i) {
    if (at >= devices_[i].base && at < devices_[i].base + devices_[i].bytes) return i;
  }
  return devices_.size();
}

void SlowLinks::run(const Copy& copy) const {
  const int64_t begin = monotonicNow();
  runCopy(copy);
  const size_t from = deviceOf(copy.src), to = deviceOf(copy.dst);
  for (const Link& link : links_) {
    const bool isIts = (link.a == from && link.b == to) || (link.a == to && link.b == from);
    if (!isIts) continue;
    const double bytes = static_cast<double>(copy.width) * static_cast<double>(copy.height * copy.depth);
    const auto due = begin + static_cast<int64_t>(bytes / link.gigabytesPerSecond);  // a byte a nanosecond
    if (const int64_t left = due - monotonicNow(); left > 0)
      std::this_thread::sleep_for(std::chrono::nanoseconds(left));
  }
}

}  // namespace musashim::backend::cpu
