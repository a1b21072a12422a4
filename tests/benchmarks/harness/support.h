// What every benchmark program shares: sizes, inputs, memory, comparison.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace bench {

// Full sizes are those of the table in README.md; quick ones take seconds where a kernel is slow.
enum class Size { kCheck, kQuick, kFull };

template <class T>
T pick(Size size, T check, T quick, T full) {
  return size == Size::kCheck ? check : size == Size::kQuick ? quick : full;
}

// A number in [0, 1) that depends on the arguments alone, so that every variant sees the same inputs.
inline float uniform(uint64_t seed, uint64_t index) {
  uint64_t bits = index + seed * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return static_cast<float>((bits ^ (bits >> 31)) >> 40) * 0x1p-24f;
}

// Memory of a variant: Buffer on the host, DeviceBuffer (musa.h), ClBuffer (opencl.h), all with these
// members. Host memory is in huge pages where the system has them, as the emulated devices' memory is.
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) {
    constexpr size_t kHugePage = size_t{2} << 20;
    const size_t bytes = (count * sizeof(T) + kHugePage - 1) / kHugePage * kHugePage;
    data_ = static_cast<T*>(std::aligned_alloc(kHugePage, bytes));
    if (!data_) throw std::bad_alloc();
    madvise(data_, bytes, MADV_HUGEPAGE);
    clear();
  }
  ~Buffer() { std::free(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return count_; }
  void clear() { std::fill_n(data_, count_, T{}); }
  void read(T* to) const { std::copy_n(data_, count_, to); }
  // Fills from a function of the index.
  template <class Function>
  void fill(Function value) {
    for (size_t i = 0; i < count_; ++i) data_[i] = value(i);
  }

 private:
  T* data_;
  size_t count_;
};

// Whether a number is finite, from its bits: programs built with -ffast-math assume it and would not look.
inline bool isFinite(float value) { return (std::bit_cast<uint32_t>(value) & 0x7f800000u) != 0x7f800000u; }
template <std::integral T>
bool isFinite(T) {
  return true;
}

// The largest error of `count` values in units of the tolerance: correct when <= 1.
template <class T, class Expected>
double largestError(const T* got, size_t count, Expected expected, double relative, double absolute) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!isFinite(got[i])) return 1e300;
    const double want = expected(i);
    largest = std::max(largest, std::abs(got[i] - want) / (absolute + relative * std::abs(want)));
  }
  return largest;
}

}  // namespace bench
