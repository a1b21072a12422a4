#include "conversions.h"

#include "processors.h"

namespace musashim::rand {

MUSASHIM_RAND_LEVELS void makeRow(const std::uint32_t* __restrict words, std::size_t count,
                                  float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = unitOf(words[i]);
}

MUSASHIM_RAND_LEVELS void makeRowOfM1(const std::uint32_t* __restrict numbers, std::size_t count,
                                      float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = float(double(numbers[i]) * kM1ToUnit);
}

MUSASHIM_RAND_LEVELS void makeRow(const std::uint32_t* __restrict low, const std::uint32_t* __restrict high,
                                  std::size_t count, double* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = unitOf(low[i], high[i]);
}

namespace {

// In parts, whose two halves of pairs are made in rows of their own.
template <bool toM1>
[[gnu::always_inline]] inline void normals(const std::uint32_t* __restrict x,
                                           const std::uint32_t* __restrict y, std::size_t count,
                                           std::size_t stride, float* __restrict out) {
  constexpr std::size_t kPart = 64;
  float first[kPart], second[kPart];
  for (; count > 0; x += kPart, y += kPart, out += stride * kPart) {
    const std::size_t part = count < kPart ? count : kPart;
    for (std::size_t i = 0; i < part; ++i) {
      float pair[2];
      gpuBoxMuller(gpuUnitOf<toM1>(x[i]), gpuAngleOf<toM1>(y[i]), pair);
      first[i] = pair[0];
      second[i] = pair[1];
    }
    for (std::size_t i = 0; i < part; ++i) {
      out[stride * i] = first[i];
      out[stride * i + 1] = second[i];
    }
    count -= part;
  }
}

}  // namespace

MUSASHIM_RAND_LEVELS void makeNormals(const std::uint32_t* x, const std::uint32_t* y, std::size_t count,
                                      std::size_t stride, float* out) {
  normals<false>(x, y, count, stride, out);
}

MUSASHIM_RAND_LEVELS void makeNormalsOfM1(const std::uint32_t* x, const std::uint32_t* y, std::size_t count,
                                          std::size_t stride, float* out) {
  normals<true>(x, y, count, stride, out);
}

MUSASHIM_RAND_LEVELS void makeNormalsOfUnits(std::size_t count, double* pairs) {
#pragma clang loop vectorize(enable)
  for (std::size_t i = 0; i < count; ++i) gpuBoxMuller(pairs[2 * i], pairs[2 * i + 1], pairs + 2 * i);
}

MUSASHIM_RAND_LEVELS void shapeOnDevice(const Shape& shape, std::size_t count, float* __restrict numbers) {
  const float mean = float(shape.mean), deviation = float(shape.deviation);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = mean + numbers[i] * deviation;
  if (!shape.exponential) return;
#pragma clang loop vectorize(enable)
  for (std::size_t i = 0; i < count; ++i) numbers[i] = __musa_gpu_expf(numbers[i]);
}

MUSASHIM_RAND_LEVELS void shapeOnDevice(const Shape& shape, std::size_t count, double* __restrict numbers) {
  const double mean = shape.mean, deviation = shape.deviation;
  for (std::size_t i = 0; i < count; ++i) numbers[i] = std::fma(numbers[i], deviation, mean);
  if (!shape.exponential) return;
#pragma clang loop vectorize(enable)
  for (std::size_t i = 0; i < count; ++i) numbers[i] = __musa_gpu_exp(numbers[i]);
}

}  // namespace musashim::rand
