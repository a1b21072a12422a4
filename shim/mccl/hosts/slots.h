// Places for what has come and is not reduced yet; taken and given back, and kept for the next call.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace musashim::mccl {

class Slots {
 public:
  explicit Slots(size_t bytes) : bytes_(bytes) {}

  std::byte* take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes_ + 64));
      const auto address = reinterpret_cast<uintptr_t>(all_.back().get());
      free_.push_back(all_.back().get() + (64 - address % 64) % 64);
    }
    std::byte* const slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void giveBack(std::byte* slot) { free_.push_back(slot); }

 private:
  const size_t bytes_;
  std::vector<std::unique_ptr<std::byte[]>> all_;
  std::vector<std::byte*> free_;
};

}  // namespace musashim::mccl
