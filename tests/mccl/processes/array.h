// Floats of a rank in memory of one kind or another, and what is written there.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rank_program {

// How a buffer is allocated: not all kinds can be handed to another process.
enum class Kind { kPlain, kOwn, kPool, kManaged, kHost };

struct Array {
  Array(int rank, size_t count, Kind kind = Kind::kPlain, size_t shift = 0);
  ~Array();
  Array(Array&& other) noexcept
      : data(other.data), kind_(other.kind_), base_(std::exchange(other.base_, nullptr)) {}

  void set(const std::vector<float>& values) const;
  std::vector<float> get(size_t count) const;

  float* data = nullptr;

 private:
  Kind kind_;
  void* base_ = nullptr;
};

// What a rank starts with.
float value(int rank, size_t index);
std::vector<float> valuesOf(int rank, size_t count);

}  // namespace rank_program
