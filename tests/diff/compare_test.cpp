#include "diff/tool/compare.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace musashim::diff {
namespace {

// A run of one event that wrote `values`.
struct Written {
  explicit Written(const std::vector<float>& values, bool keep, Type type = Type::kF32) {
    const size_t bytes = values.size() * sizeof(float);
    run.path =
        ::testing::TempDir() + "/musashim_diff_" + std::to_string(getpid()) + "_" + std::to_string(next++);
    run.allocations.push_back({bytes, "device", ""});
    const record::Sketch sketch = record::sketchOf(values.data(), bytes, type);
    run.sketches = sketch.blocks;
    touched.before = "before";
    touched.after = record::hashOf(values.data(), bytes);
    touched.type = type;
    touched.magnitude = sketch.meanMagnitude;
    touched.nan = sketch.nan;
    touched.infinite = sketch.infinite;
    touched.blocks = sketch.blocks.size();
    if (!keep) return;
    std::filesystem::create_directories(run.path + "/contents");
    std::ofstream(run.path + "/contents/" + touched.after, std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(bytes));
  }
  ~Written() { std::filesystem::remove_all(run.path); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  Run run;
  Touched touched;
  static inline int next = 0;
};

std::vector<float> wave() {
  std::vector<float> values(1000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.1f * static_cast<float>(i));
  return values;
}

Comparison compared(const std::vector<float>& a, const std::vector<float>& b, bool keep,
                    Type type = Type::kF32) {
  const Written x(a, keep, type), y(b, keep, type);
  return compareAfter(x.run, x.touched, y.run, y.touched, {});
}

class Contents : public ::testing::TestWithParam<bool> {};

TEST_P(Contents, Same) { EXPECT_EQ(compared(wave(), wave(), GetParam()).verdict, Verdict::kSame); }

TEST_P(Contents, RoundingIsTolerated) {
  std::vector<float> other = wave();
  for (float& value : other) value = std::nextafter(value, 2.0f);
  EXPECT_EQ(compared(wave(), other, GetParam()).verdict, Verdict::kRounding);
}

TEST_P(Contents, OneWrongElement) {
  std::vector<float> other = wave();
  other[700] += 0.01f;
  const Comparison comparison = compared(wave(), other, GetParam());
  EXPECT_EQ(comparison.verdict, Verdict::kDifferent);
  EXPECT_EQ(comparison.different, 1u);
  ASSERT_EQ(comparison.elements.size(), 1u);
  EXPECT_EQ(comparison.elements[0].index, GetParam() ? 700u : 512u);
}

TEST_P(Contents, SwappedElements) {
  std::vector<float> other = wave();
  std::swap(other[5], other[20]);
  EXPECT_EQ(compared(wave(), other, GetParam()).verdict, Verdict::kDifferent);
}

TEST_P(Contents, NotANumber) {
  std::vector<float> other = wave();
  other[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compared(wave(), other, GetParam()).verdict, Verdict::kDifferent);
  EXPECT_EQ(compared(other, other, GetParam()).verdict, Verdict::kSame);
}

TEST_P(Contents, IntegersAreExact) {
  std::vector<float> other = wave();
  other[10] = std::nextafter(other[10], 2.0f);
  const Comparison comparison = compared(wave(), other, GetParam(), Type::kI32);
  EXPECT_EQ(comparison.verdict, Verdict::kDifferent);
  EXPECT_EQ(comparison.different, 1u);
}

INSTANTIATE_TEST_SUITE_P(KeptOrSketched, Contents, ::testing::Bool());

TEST(Tolerance, GrowsWithRoundings) {
  EXPECT_DOUBLE_EQ(Tolerance({100, 1}).relative(Type::kF32), 10 * Tolerance({1, 1}).relative(Type::kF32));
  EXPECT_GT(Tolerance().relative(Type::kBF16), Tolerance().relative(Type::kF16));
  EXPECT_GT(Tolerance().relative(Type::kF16), Tolerance().relative(Type::kF32));
}

}  // namespace
}  // namespace musashim::diff
