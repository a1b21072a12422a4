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

MUSASHIM_RAND_LEVELS void makeNormals(const std::uint32_t* __restrict x, const std::uint32_t* __restrict y,
                                      std::size_t count, std::size_t stride, float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i)
    gpuBoxMuller(gpuUnitOf<false>(x[i]), gpuAngleOf<false>(y[i]), out + stride * i);
}

MUSASHIM_RAND_LEVELS void makeNormalsOfM1(const std::uint32_t* __restrict x,
                                          const std::uint32_t* __restrict y, std::size_t count,
                                          std::size_t stride, float* __restrict out) {
  for (std::size_t i = 0; i < count; ++i)
    gpuBoxMuller(gpuUnitOf<true>(x[i]), gpuAngleOf<true>(y[i]), out + stride * i);
}

MUSASHIM_RAND_LEVELS void shapeOnDevice(const Shape& shape, std::size_t count, float* __restrict numbers) {
  const float mean = float(shape.mean), deviation = float(shape.deviation);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = mean + numbers[i] * deviation;
  if (!shape.exponential) return;
  for (std::size_t i = 0; i < count; ++i) numbers[i] = __musa_gpu_expf(numbers[i]);
}

}  // namespace musashim::rand
