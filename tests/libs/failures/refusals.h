// Memory that this program refuses to whoever asks, also to the libraries under test and what they are linked
// with.
#pragma once

#include <cstddef>

namespace musashim::test {

// What a refused allocation throws.
enum class Thrown { kBadAlloc, kOther };

// While it exists, the calling thread gets so many allocations by `new`, and the next one is refused.
class RefuseOne {
 public:
  explicit RefuseOne(long after, Thrown thrown = Thrown::kBadAlloc);
  ~RefuseOne();
  RefuseOne(const RefuseOne&) = delete;
  RefuseOne& operator=(const RefuseOne&) = delete;
  // Whether it has come to that.
  bool hasRefused() const;
};

// While it exists, nobody gets so many bytes or more at once by `new`.
class RefuseLarge {
 public:
  explicit RefuseLarge(size_t bytes);
  ~RefuseLarge();
  RefuseLarge(const RefuseLarge&) = delete;
  RefuseLarge& operator=(const RefuseLarge&) = delete;
  // How often something was refused.
  int count() const;
};

}  // namespace musashim::test
