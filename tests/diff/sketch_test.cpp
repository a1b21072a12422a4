#include "diff/record/sketch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace musashim::record {
namespace {

TEST(Signature, Parameters) {
  EXPECT_EQ(parametersOf("void f<int, g(2)>(float*, S<1, 2>, int (*)(int, int))"),
            (std::vector<std::string>{"float*", "S<1, 2>", "int (*)(int, int)"}));
  EXPECT_TRUE(parametersOf("f()").empty());
  EXPECT_TRUE(parametersOf("plain_c_name").empty());
}

TEST(Signature, PointedTypes) {
  EXPECT_EQ(pointedType("float const*"), Type::kF32);
  EXPECT_EQ(pointedType("float4*"), Type::kF32);
  EXPECT_EQ(pointedType("double const* __restrict__"), Type::kF64);
  EXPECT_EQ(pointedType("__half2*"), Type::kF16);
  EXPECT_EQ(pointedType("__nv_bfloat16 const*"), Type::kBF16);
  EXPECT_EQ(pointedType("unsigned int*"), Type::kI32);
  EXPECT_EQ(pointedType("uchar4*"), Type::kI8);
  EXPECT_EQ(pointedType("Particle*"), Type::kUnknown);
  EXPECT_EQ(pointedType("float"), Type::kUnknown);
}

TEST(Types, AreGuessedFromContent) {
  std::vector<float> floats(1000);
  std::vector<double> doubles(1000);
  std::vector<int> integers(1000);
  for (size_t i = 0; i < 1000; ++i) {
    doubles[i] = std::sin(0.1 * static_cast<double>(i));
    floats[i] = static_cast<float>(doubles[i]);
    integers[i] = static_cast<int>(i) - 500;
  }
  EXPECT_EQ(guessType(floats.data(), 4000), Type::kF32);
  EXPECT_EQ(guessType(doubles.data(), 8000), Type::kF64);
  EXPECT_EQ(guessType(integers.data(), 4000), Type::kI32);
}

TEST(Sketch, OfFloats) {
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 1.0f);
  values[10] = std::numeric_limits<float>::quiet_NaN();
  values[20] = std::numeric_limits<float>::infinity();
  const Sketch sketch = sketchOf(values.data(), 4000, Type::kF32);
  EXPECT_EQ(sketch.count, 1000u);
  EXPECT_EQ(sketch.nan, 1u);
  EXPECT_EQ(sketch.infinite, 1u);
  EXPECT_EQ(sketch.min, 1);
  EXPECT_EQ(sketch.max, 1000);
  EXPECT_NEAR(sketch.mean, (500500.0 - 11 - 21) / 998, 1e-3);
  EXPECT_EQ(sketch.blocks.size(), 4u);
  EXPECT_EQ(sketch.samples[1], 126);
}

// By several threads, where there are.
TEST(Sketch, OfMany) {
  std::vector<float> values(size_t{1} << 22, 0.5f);
  values.back() = -3;
  values[12345] = 7;
  const Sketch sketch = sketchOf(values.data(), values.size() * 4, Type::kF32);
  EXPECT_EQ(sketch.min, -3);
  EXPECT_EQ(sketch.max, 7);
  EXPECT_NEAR(sketch.mean, 0.5 + (6.5 - 3.5) / static_cast<double>(values.size()), 1e-9);
  EXPECT_EQ(sketch.blocks[1].projection, sketch.blocks[100].projection);
  EXPECT_NE(sketch.blocks.back().projection, sketch.blocks[100].projection);
}

// Sums alone would not see it.
TEST(Sketch, SeesSwappedElements) {
  std::vector<float> values(256);
  std::iota(values.begin(), values.end(), 1.0f);
  const Sketch before = sketchOf(values.data(), 1024, Type::kF32);
  std::swap(values[3], values[200]);
  const Sketch after = sketchOf(values.data(), 1024, Type::kF32);
  EXPECT_GT(std::abs(before.blocks[0].projection - after.blocks[0].projection), 1);
  EXPECT_EQ(before.mean, after.mean);
}

TEST(Sketch, OfHalves) {
  const uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7c00};  // 1, -2, 2^-24, infinity
  const Sketch sketch = sketchOf(halves, sizeof halves, Type::kF16);
  EXPECT_EQ(sketch.min, -2);
  EXPECT_EQ(sketch.max, 1);
  EXPECT_EQ(sketch.infinite, 1u);
  EXPECT_EQ(elementAt(halves, Type::kF16, 2), std::ldexp(1.0, -24));
}

TEST(Hash, DiffersByPlaceValueAndSize) {
  std::vector<unsigned char> bytes(100);
  const std::string zeros = hashOf(bytes.data(), 100);
  EXPECT_EQ(zeros.size(), 32u);
  EXPECT_NE(zeros, hashOf(bytes.data(), 99));
  bytes[98] = 1;
  const std::string last = hashOf(bytes.data(), 100);
  bytes[98] = 0;
  bytes[1] = 1;
  EXPECT_NE(last, zeros);
  EXPECT_NE(last, hashOf(bytes.data(), 100));
}

}  // namespace
}  // namespace musashim::record
