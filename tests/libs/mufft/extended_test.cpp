// Transforms of 16-bit floats, and of data that lies on two devices.
#include <gtest/gtest.h>
#include <mufftXt.h>
#include <musa_fp16.h>
#include <musa_runtime_api.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace musashim::test {
namespace {

using Complex = std::complex<float>;

const int kDevices = setenv("MUSASHIM_DEVICES", "2", 0);  // before the first call

std::vector<Complex> numbers(size_t count) {
  std::vector<Complex> values;
  for (size_t i = 0; i < count; ++i)
    values.emplace_back(static_cast<float>(i * 7 % 5) - 2, static_cast<float>(i * 3 % 7) - 3);
  return values;
}

TEST(MufftExtended, Halves) {
  constexpr size_t kSize = 64, kBatch = 3;
  const auto values = numbers(kSize * kBatch);
  std::vector<__half2> halves;
  for (const Complex& value : values) halves.push_back(__floats2half2_rn(value.real(), value.imag()));
  __half2* data = nullptr;
  ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&data), halves.size() * sizeof(__half2)), musaSuccess);
  ASSERT_EQ(musaMemcpy(data, halves.data(), halves.size() * sizeof(__half2), musaMemcpyHostToDevice),
            musaSuccess);
  mufftHandle plan = 0;
  size_t work = 0;
  ASSERT_EQ(mufftCreate(&plan), MUFFT_SUCCESS);
  long long odd[] = {60}, size[] = {kSize};
  const auto make = [&](long long* n) {
    return mufftXtMakePlanMany(plan, 1, n, nullptr, 1, *n, MUSA_C_16F, nullptr, 1, *n, MUSA_C_16F, kBatch,
                               &work, MUSA_C_16F);
  };
  EXPECT_EQ(make(odd), MUFFT_NOT_SUPPORTED);
  ASSERT_EQ(make(size), MUFFT_SUCCESS);
  EXPECT_EQ(mufftExecC2C(plan, reinterpret_cast<mufftComplex*>(data), reinterpret_cast<mufftComplex*>(data),
                         MUFFT_FORWARD),
            MUFFT_INVALID_TYPE);
  ASSERT_EQ(mufftXtExec(plan, data, data, MUFFT_FORWARD), MUFFT_SUCCESS);
  ASSERT_EQ(musaMemcpy(halves.data(), data, halves.size() * sizeof(__half2), musaMemcpyDeviceToHost),
            musaSuccess);
  for (size_t member = 0; member < kBatch; ++member)
    for (size_t k = 0; k < kSize; ++k) {
      std::complex<double> sum = 0;
      for (size_t i = 0; i < kSize; ++i)
        sum += std::complex<double>(values[member * kSize + i]) *
               std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * k) / kSize);
      const __half2 got = halves[member * kSize + k];
      EXPECT_NEAR(__low2float(got), sum.real(), 1e-3 * std::abs(sum) + 1e-3) << member << ", " << k;
      EXPECT_NEAR(__high2float(got), sum.imag(), 1e-3 * std::abs(sum) + 1e-3) << member << ", " << k;
    }
  EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
  EXPECT_EQ(musaFree(data), musaSuccess);
}

TEST(MufftExtended, TwoDevices) {
  int devices = 0;
  ASSERT_EQ(musaGetDeviceCount(&devices), musaSuccess);
  ASSERT_GE(devices, 2);
  constexpr int kRows = 32, kColumns = 48;
  const auto values = numbers(size_t{kRows} * kColumns);
  mufftHandle plan = 0, alone = 0;
  int gpus[] = {0, 1}, none[] = {0, 99};
  size_t work[2] = {7, 7};
  ASSERT_EQ(mufftCreate(&plan), MUFFT_SUCCESS);
  EXPECT_EQ(mufftXtSetGPUs(plan, 2, none), MUFFT_INVALID_DEVICE);
  ASSERT_EQ(mufftXtSetGPUs(plan, 2, gpus), MUFFT_SUCCESS);
  ASSERT_EQ(mufftMakePlan2d(plan, kRows, kColumns, MUFFT_C2C, work), MUFFT_SUCCESS);
  EXPECT_EQ(work[1], 0u);
  musaLibXtDesc *data = nullptr, *natural = nullptr;
  ASSERT_EQ(mufftXtMalloc(plan, &data, MUFFT_XT_FORMAT_INPLACE), MUFFT_SUCCESS);
  ASSERT_EQ(mufftXtMalloc(plan, &natural, MUFFT_XT_FORMAT_INPLACE), MUFFT_SUCCESS);
  ASSERT_EQ(data->descriptor->nGPUs, 2);
  EXPECT_EQ(data->descriptor->size[1], values.size() * sizeof(Complex) / 2);
  std::vector<Complex> given = values, got(values.size()), expected = values;
  ASSERT_EQ(mufftXtMemcpy(plan, data, given.data(), MUFFT_COPY_HOST_TO_DEVICE), MUFFT_SUCCESS);
  // The second half of the rows is on the second device.
  std::vector<Complex> part(values.size() / 2);
  ASSERT_EQ(musaMemcpy(part.data(), data->descriptor->data[1], part.size() * sizeof(Complex),
                       musaMemcpyDeviceToHost),
            musaSuccess);
  EXPECT_EQ(part[0], values[values.size() / 2]);
  ASSERT_EQ(mufftXtExecDescriptorC2C(plan, data, data, MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(data->subFormat, MUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  // By the definition of a plan of one device.
  Complex* device = nullptr;
  const size_t bytes = values.size() * sizeof(Complex);
  ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&device), bytes), musaSuccess);
  ASSERT_EQ(musaMemcpy(device, values.data(), bytes, musaMemcpyHostToDevice), musaSuccess);
  ASSERT_EQ(mufftPlan2d(&alone, kRows, kColumns, MUFFT_C2C), MUFFT_SUCCESS);
  auto* const at = reinterpret_cast<mufftComplex*>(device);
  ASSERT_EQ(mufftExecC2C(alone, at, at, MUFFT_FORWARD), MUFFT_SUCCESS);
  ASSERT_EQ(musaMemcpy(expected.data(), device, bytes, musaMemcpyDeviceToHost), musaSuccess);
  ASSERT_EQ(mufftXtMemcpy(plan, got.data(), data, MUFFT_COPY_DEVICE_TO_HOST), MUFFT_SUCCESS);
  EXPECT_EQ(got, expected);
  ASSERT_EQ(mufftXtMemcpy(plan, natural, data, MUFFT_COPY_DEVICE_TO_DEVICE), MUFFT_SUCCESS);
  ASSERT_EQ(musaMemcpy(part.data(), natural->descriptor->data[1], part.size() * sizeof(Complex),
                       musaMemcpyDeviceToHost),
            musaSuccess);
  EXPECT_EQ(part[0], expected[values.size() / 2]);
  ASSERT_EQ(mufftXtExecDescriptorC2C(plan, data, data, MUFFT_INVERSE), MUFFT_SUCCESS);
  ASSERT_EQ(mufftXtMemcpy(plan, got.data(), data, MUFFT_COPY_DEVICE_TO_HOST), MUFFT_SUCCESS);
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(std::abs(got[i] / static_cast<float>(values.size()) - values[i]), 0, 1e-5) << i;
  EXPECT_EQ(mufftXtFree(data), MUFFT_SUCCESS);
  EXPECT_EQ(mufftXtFree(natural), MUFFT_SUCCESS);
  EXPECT_EQ(musaFree(device), musaSuccess);
  EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
  EXPECT_EQ(mufftDestroy(alone), MUFFT_SUCCESS);
}

// There and back, beside a plan of one device, in parts of different sizes.
TEST(MufftExtended, RealNumbersOnTwoDevices) {
  constexpr int kDepth = 33, kRows = 35, kLine = 36, kHalf = kLine / 2 + 1;
  constexpr size_t kLines = size_t{kDepth} * kRows, kBytes = kLines * kHalf * sizeof(Complex);
  const auto given = numbers(kLines * kHalf);
  mufftHandle there = 0, back = 0, alone = 0;
  int gpus[] = {0, 1};
  size_t work[2];
  ASSERT_EQ(mufftCreate(&there), MUFFT_SUCCESS);
  ASSERT_EQ(mufftCreate(&back), MUFFT_SUCCESS);
  ASSERT_EQ(mufftXtSetGPUs(there, 2, gpus), MUFFT_SUCCESS);
  ASSERT_EQ(mufftXtSetGPUs(back, 2, gpus), MUFFT_SUCCESS);
  ASSERT_EQ(mufftMakePlan3d(there, kDepth, kRows, kLine, MUFFT_R2C, work), MUFFT_SUCCESS);
  ASSERT_EQ(mufftMakePlan3d(back, kDepth, kRows, kLine, MUFFT_C2R, work), MUFFT_SUCCESS);
  musaLibXtDesc* data = nullptr;
  ASSERT_EQ(mufftXtMalloc(there, &data, MUFFT_XT_FORMAT_INPLACE), MUFFT_SUCCESS);
  ASSERT_EQ(mufftXtMemcpy(there, data, const_cast<Complex*>(given.data()), MUFFT_COPY_HOST_TO_DEVICE),
            MUFFT_SUCCESS);
  void* areas[2] = {};
  EXPECT_EQ(mufftXtSetWorkArea(there, areas), MUFFT_SUCCESS);
  ASSERT_EQ(mufftXtExecDescriptorR2C(there, data, data), MUFFT_SUCCESS);
  EXPECT_EQ(data->subFormat, MUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  std::vector<Complex> got(given.size()), expected(given.size());
  ASSERT_EQ(mufftXtMemcpy(there, got.data(), data, MUFFT_COPY_DEVICE_TO_HOST), MUFFT_SUCCESS);
  void* device = nullptr;
  ASSERT_EQ(musaMalloc(&device, kBytes), musaSuccess);
  ASSERT_EQ(musaMemcpy(device, given.data(), kBytes, musaMemcpyHostToDevice), musaSuccess);
  ASSERT_EQ(mufftPlan3d(&alone, kDepth, kRows, kLine, MUFFT_R2C), MUFFT_SUCCESS);
  ASSERT_EQ(mufftExecR2C(alone, static_cast<float*>(device), static_cast<mufftComplex*>(device)),
            MUFFT_SUCCESS);
  ASSERT_EQ(musaMemcpy(expected.data(), device, kBytes, musaMemcpyDeviceToHost), musaSuccess);
  EXPECT_EQ(got, expected);
  EXPECT_EQ(mufftXtExecDescriptor(there, data, data, MUFFT_FORWARD), MUFFT_INVALID_TYPE);
  EXPECT_EQ(mufftXtExecDescriptorR2C(back, data, data), MUFFT_INVALID_PLAN);
  ASSERT_EQ(mufftXtExecDescriptorC2R(back, data, data), MUFFT_SUCCESS);
  EXPECT_EQ(data->subFormat, MUFFT_XT_FORMAT_INPLACE);
  ASSERT_EQ(mufftXtMemcpy(back, got.data(), data, MUFFT_COPY_DEVICE_TO_HOST), MUFFT_SUCCESS);
  const auto* was = reinterpret_cast<const float*>(given.data());
  const auto* is = reinterpret_cast<const float*>(got.data());
  for (size_t line = 0; line < kLines; ++line)
    for (size_t i = 0; i < kLine; ++i)
      ASSERT_NEAR(is[line * 2 * kHalf + i] / (kLines * kLine), was[line * 2 * kHalf + i], 1e-5)
          << line << ", " << i;
  EXPECT_EQ(mufftXtFree(data), MUFFT_SUCCESS);
  EXPECT_EQ(musaFree(device), musaSuccess);
  for (const mufftHandle plan : {there, back, alone}) EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
}

}  // namespace
}  // namespace musashim::test
