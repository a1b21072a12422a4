#include "musa/module/retired_images.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "musa/api/driver.h"
#include "musa/trace/recorder.h"

namespace musashim::musa {

void RetiredImages::add(std::unique_ptr<backend::Image> image) {
  // Names of kernels are the image's, and the trace still tells them.
  if (isRecording()) {
    (void)image.release();
    return;
  }
  Entry entry{std::move(image), driver().pending(nullptr)};
  std::vector<Entry> done;  // freed without the lock
  std::lock_guard lock(mutex_);
  entries_.push_back(std::move(entry));
  const auto isPending = [](const Entry& one) {
    return std::ranges::any_of(
        one.pending, [](const backend::Fence& fence) { return !fence.queue->isComplete(fence.value); });
  };
  const auto end = std::partition(entries_.begin(), entries_.end(), isPending);
  std::move(end, entries_.end(), std::back_inserter(done));
  entries_.erase(end, entries_.end());
}

}  // namespace musashim::musa
