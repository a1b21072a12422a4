// The symmetric heap: which of its bytes are taken. All PEs ask for the same in the same order, so all get
// the same places without a word.
#pragma once

#include <cstddef>
#include <map>

namespace musashim::mtshmem {

class HeapPlan {
 public:
  HeapPlan() = default;
  HeapPlan(std::size_t begin, std::size_t end);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // The first place with room; kNone if there is none. `alignment`: a power of two.
  std::size_t take(std::size_t bytes, std::size_t alignment);
  // False if nothing was taken there.
  bool give(std::size_t place);
  std::size_t taken() const { return taken_.size(); }

 private:
  std::map<std::size_t, std::size_t> free_;  // begin => end
  std::map<std::size_t, std::size_t> taken_;
};

// "1G", "512M", "4096": bytes; 0 if it is no size.
std::size_t sizeOf(const char* text);

}  // namespace musashim::mtshmem
