// Tensors on the device and their references in double.
#pragma once

#include <gtest/gtest.h>
#include <mudnncxx/mudnn.h>
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace musashim::test {

namespace dnn = ::musa::dnn;
using dnn::Status;
using dnn::Tensor;
using Type = Tensor::Type;
using Sizes = std::vector<int64_t>;

#define ASSERT_DNN(call) ASSERT_EQ(::musa::dnn::Status::SUCCESS, (call))

template <class T>
constexpr Type typeOf() {
  if constexpr (std::is_same_v<T, float>) return Type::FLOAT;
  if constexpr (std::is_same_v<T, double>) return Type::DOUBLE;
  if constexpr (std::is_same_v<T, __half>) return Type::HALF;
  if constexpr (std::is_same_v<T, __mt_bfloat16>) return Type::BFLOAT16;
  if constexpr (std::is_same_v<T, int8_t>) return Type::INT8;
  if constexpr (std::is_same_v<T, uint8_t>) return Type::UINT8;
  if constexpr (std::is_same_v<T, int16_t>) return Type::INT16;
  if constexpr (std::is_same_v<T, int32_t>) return Type::INT32;
  if constexpr (std::is_same_v<T, bool>) return Type::BOOL;
  if constexpr (std::is_same_v<T, uint64_t>) return Type::UINT64;
  return Type::INT64;
}

inline int64_t countOf(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

template <class T>
double numberOf(T value) {
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __mt_bfloat16>)
    return static_cast<double>(static_cast<float>(value));
  else
    return static_cast<double>(value);
}
template <class T>
T elementOf(double value) {
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __mt_bfloat16>)
    return T(static_cast<float>(value));
  else
    return static_cast<T>(value);
}

// A tensor with memory of its own, of elements T.
template <class T>
class Device {
 public:
  explicit Device(const Sizes& sizes, const std::vector<double>& values = {}) : sizes_(sizes) {
    const auto count = static_cast<size_t>(countOf(sizes));
    EXPECT_EQ(musaSuccess, musaMalloc(&memory_, std::max<size_t>(count * sizeof(T), 1)));
    std::vector<unsigned char> bytes(std::max<size_t>(count * sizeof(T), 1),
                                     0x5a);  // what is not written shows
    auto* const elements = reinterpret_cast<T*>(bytes.data());
    for (size_t i = 0; i < values.size(); ++i) elements[i] = elementOf<T>(values[i]);
    EXPECT_EQ(musaSuccess, musaMemcpy(memory_, bytes.data(), bytes.size(), musaMemcpyHostToDevice));
    (void)tensor.SetType(typeOf<T>());
    (void)tensor.SetAddr(memory_);
    (void)tensor.SetNdInfo(static_cast<int>(sizes.size()), sizes.data());
  }
  Device(const Device&) = delete;
  ~Device() { (void)musaFree(memory_); }

  // All elements as they lie, when the device has done its work.
  std::vector<double> fetch() const {
    const auto count = static_cast<size_t>(countOf(sizes_));
    std::vector<unsigned char> bytes(std::max<size_t>(count * sizeof(T), 1));
    EXPECT_EQ(musaSuccess, musaDeviceSynchronize());
    EXPECT_EQ(musaSuccess, musaMemcpy(bytes.data(), memory_, count * sizeof(T), musaMemcpyDeviceToHost));
    std::vector<double> values(count);
    const auto* const elements = reinterpret_cast<const T*>(bytes.data());
    for (size_t i = 0; i < count; ++i) values[i] = numberOf(elements[i]);
    return values;
  }
  void* memory() const { return memory_; }

  Tensor tensor;

 private:
  Sizes sizes_;
  void* memory_ = nullptr;
};

// Random numbers that T holds.
template <class T>
std::vector<double> randoms(const Sizes& sizes, unsigned seed, double low = -1, double high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> distribution(low, high);
  std::vector<double> values(static_cast<size_t>(countOf(sizes)));
  for (double& value : values) {
    value = distribution(engine);
    if (std::is_integral_v<T>) value = std::round(value);
    value = numberOf(elementOf<T>(value));
  }
  return values;
}

// How far results of T may be from what is right: a few last places of the largest.
template <class T>
double tolerance() {
  if constexpr (std::is_same_v<T, __half>) return 1.0 / 512;
  if constexpr (std::is_same_v<T, __mt_bfloat16>) return 1.0 / 64;
  if constexpr (std::is_same_v<T, float>) return 2e-6;
  if constexpr (std::is_same_v<T, double>) return 1e-13;
  return 0;
}

inline void expectNear(const std::vector<double>& right, const std::vector<double>& got, double relative,
                       const std::string& what = "") {
  ASSERT_EQ(right.size(), got.size()) << what;
  double largest = 0;
  for (const double value : right)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < right.size(); ++i) {
    if (std::isnan(right[i])) {
      ASSERT_TRUE(std::isnan(got[i])) << what << " at " << i;
    } else if (std::isinf(right[i])) {
      ASSERT_EQ(right[i], got[i]) << what << " at " << i;
    } else {
      ASSERT_NEAR(right[i], got[i], relative * std::max(std::abs(right[i]), largest) + 1e-300)
          << what << " at " << i;
    }
  }
}

}  // namespace musashim::test
