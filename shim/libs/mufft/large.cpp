#include "libs/mufft/large.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "libs/core/share.h"

namespace musashim::mufft {
namespace {

using libs::Transform;
using libs::TransformKind;

constexpr size_t kLong = 1 << 16;  // from here on whole ones leave the nearer caches
constexpr size_t kLeastRows = 64;

// exp(sign * 2 pi i * k / n) for 0 <= k < n, as the product of two from small tables.
template <class T>
class Turns {
 public:
  Turns(size_t n, bool forward) : coarse_((n + kFine - 1) / kFine), fine_(kFine) {
    const double step = (forward ? -2 : 2) * std::numbers::pi / static_cast<double>(n);
    const auto turn = [&](size_t k) {
      const double angle = step * static_cast<double>(k);
      return std::complex<T>(static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle)));
    };
    for (size_t i = 0; i < coarse_.size(); ++i) coarse_[i] = turn(i * kFine);
    for (size_t i = 0; i < kFine; ++i) fine_[i] = turn(i);
  }
  // Multiplies element j of the row by turn number j * k, which is below n.
  void apply(std::complex<T>* row, size_t count, size_t k) const {
    for (size_t j = 0; j < count; ++j) {
      const std::complex<T> a = coarse_[j * k / kFine], b = fine_[j * k % kFine];
      row[j] = product(row[j], product(a, b));
    }
  }

 private:
  static constexpr size_t kFine = 1024;

  // Without a look for infinities, of which turns have none.
  static std::complex<T> product(std::complex<T> a, std::complex<T> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  std::vector<std::complex<T>> coarse_, fine_;
};

// Lines of a matrix: `batch` transforms of `length`, at these distances.
Transform lines(const Transform& like, size_t length, ptrdiff_t in, ptrdiff_t out) {
  Transform t = like;
  t.length[1] = length;
  t.in[1] = in;
  t.out[1] = out;
  return t;
}

// Calls run(begin, end) for shares of `count`.
template <class Run>
void shareLines(size_t count, Run run) {
  const size_t parts = libs::sharingThreads();
  libs::shareOut(parts, [&](size_t part) { run(count * part / parts, count * (part + 1) / parts); });
}

template <class T>
void run(const Transform& t, size_t rows, const std::complex<T>* in, std::complex<T>* out) {
  const size_t n = t.length[1], columns = n / rows;
  const auto width = static_cast<ptrdiff_t>(columns), height = static_cast<ptrdiff_t>(rows);
  std::vector<std::complex<T>> between(n);
  const Turns<T> turns(n, t.forward);
  Transform down = lines(t, rows, t.in[1] * width, width);
  down.in[0] = t.in[1];
  down.out[0] = 1;
  shareLines(columns, [&](size_t begin, size_t end) {
    Transform some = down;
    some.length[0] = end - begin;
    const auto at = static_cast<ptrdiff_t>(begin);
    transform(some, in + at * down.in[0], between.data() + at);
  });
  Transform across = lines(t, columns, 1, t.out[1] * height);
  across.in[0] = width;
  across.out[0] = t.out[1];
  shareLines(rows, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) turns.apply(between.data() + row * columns, columns, row);
    Transform some = across;
    some.length[0] = end - begin;
    const auto at = static_cast<ptrdiff_t>(begin);
    transform(some, between.data() + at * width, out + at * across.out[0]);
  });
}

}  // namespace

size_t rowsOfLong(const Transform& t) {
  if (t.kind != TransformKind::kComplex || t.dimensions != 2 || t.length[1] < kLong) return 0;
  // The divisor nearest to the root, if both are of a good size.
  for (auto rows = static_cast<size_t>(std::sqrt(static_cast<double>(t.length[1]))); rows >= kLeastRows;
       --rows)
    if (t.length[1] % rows == 0) return rows;
  return 0;
}

void transformLong(const Transform& t, size_t rows, const void* in, void* out) {
  if (t.isDouble) {
    run(t, rows, static_cast<const std::complex<double>*>(in), static_cast<std::complex<double>*>(out));
  } else {
    run(t, rows, static_cast<const std::complex<float>*>(in), static_cast<std::complex<float>*>(out));
  }
}

}  // namespace musashim::mufft
