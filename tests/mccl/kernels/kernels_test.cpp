// The reduction kernels, every type and operation, against the independent reference.
#include <gtest/gtest.h>

#include <cstring>

#include "../reference.h"
#include "mccl/core/data_type.h"
#include "mccl/kernels/fp8.h"
#include "mccl/kernels/kernel_table.h"
#include "mccl/kernels/reduce.h"

namespace musashim::mccl {
namespace {

using reference::Operation;

Reduction reductionOf(mcclDataType_t type, Operation operation) {
  switch (operation) {
    case Operation::kSum:
      return Reduction::kSum;
    case Operation::kProd:
      return Reduction::kProd;
    case Operation::kMax:
      return Reduction::kMax;
    case Operation::kMin:
      return Reduction::kMin;
    case Operation::kAvg:
      return isInteger(type) ? Reduction::kSumThenDivide : Reduction::kPreMulSum;
    default:
      return Reduction::kPreMulSum;
  }
}

struct Inputs {
  Inputs(mcclDataType_t type, int ranks, size_t count, uint64_t seed) : bytes(reference::bytesOf(type)) {
    std::mt19937_64 random(seed);
    for (int rank = 0; rank < ranks; ++rank) {
      buffers.emplace_back((count + 1) * bytes);
      for (size_t i = 0; i < count; ++i) {
        reference::store(buffers.back().data(), i, bytes, reference::randomElement(type, random));
      }
      factors.push_back(reference::factor(type, rank));
    }
    for (auto& buffer : buffers) sources.push_back(buffer.data());
  }
  std::vector<uint64_t> elements(size_t index) const {
    std::vector<uint64_t> result;
    for (const void* source : sources) result.push_back(reference::load(source, index, bytes));
    return result;
  }

  size_t bytes;
  std::vector<std::vector<char>> buffers;
  std::vector<const void*> sources;
  std::vector<uint64_t> factors;
};

// Reduces elements [first, count) and compares each.
void check(ReduceKernel kernel, mcclDataType_t type, Operation operation, int ranks, size_t count,
           size_t first) {
  Inputs inputs(type, ranks, count, 17 * ranks + count);
  if (operation == Operation::kAvg) inputs.factors.assign(ranks, encodeElement(type, 1.0 / ranks));
  std::vector<char> out((count - first + 1) * inputs.bytes, 0x55);
  kernel(out.data(), {inputs.sources.data(), inputs.factors.data(), ranks}, first, count - first);
  for (size_t i = first; i < count; ++i) {
    const uint64_t expected = reference::reduce(type, operation, inputs.elements(i), inputs.factors);
    const uint64_t actual = reference::load(out.data(), i - first, inputs.bytes);
    ASSERT_TRUE(reference::same(type, expected, actual))
        << reference::nameOf(type) << " operation " << static_cast<int>(operation) << " ranks " << ranks
        << " element " << i << std::hex << ": expected " << expected << ", got " << actual;
  }
  ASSERT_EQ(out.back(), 0x55) << "wrote past the end";
}

void checkTable(const KernelTable& table) {
  for (mcclDataType_t type : reference::kTypes) {
    for (Operation operation : reference::kOperations) {
      ReduceKernel kernel = table.rows[type].byReduction[static_cast<int>(reductionOf(type, operation))];
      for (int ranks : {1, 2, 3, 4, 7, 8}) {
        for (size_t count : {1u, 37u, 301u}) {
          ASSERT_NO_FATAL_FAILURE(check(kernel, type, operation, ranks, count, 0));
        }
        ASSERT_NO_FATAL_FAILURE(check(kernel, type, operation, ranks, 150, 11));
      }
    }
  }
}

TEST(Kernels, BaselineMatchesReference) { checkTable(baselineKernels); }

#if defined(__x86_64__)
TEST(Kernels, X86V3MatchesReference) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("f16c")) GTEST_SKIP() << "no AVX2 here";
  checkTable(x86V3Kernels);
}
#endif

TEST(Kernels, DividingSumIsOfIntegersOnly) {
  for (mcclDataType_t type : reference::kTypes) {
    EXPECT_EQ(reduceKernel(type, Reduction::kSumThenDivide) != nullptr, isInteger(type))
        << reference::nameOf(type);
  }
}

TEST(Kernels, NegativeIntegerAverageTruncatesTowardsZero) {
  const int32_t a[] = {-7, 7, -1}, b[] = {0, 0, 0};
  const void* sources[] = {a, b};
  int32_t out[3];
  reduceKernel(mcclInt32, Reduction::kSumThenDivide)(out, {sources, nullptr, 2}, 0, 3);
  EXPECT_EQ(out[0], -3);
  EXPECT_EQ(out[1], 3);
  EXPECT_EQ(out[2], 0);
}

TEST(Kernels, SmallIntegerAverageOfManyRanks) {
  // 200 ranks do not fit into int8: the divisor must not wrap.
  const int8_t one[] = {1};
  std::vector<const void*> sources(200, one);
  int8_t out[1];
  reduceKernel(mcclInt8, Reduction::kSumThenDivide)(out, {sources.data(), nullptr, 200}, 0, 1);
  EXPECT_EQ(out[0], 0);  // 200 wraps to -56, and -56 / 200 is 0
}

TEST(Kernels, CopyPastTheCachesOfAnyAlignment) {
  constexpr size_t kMost = 700;
  alignas(64) uint8_t from[kMost + 64];
  for (size_t i = 0; i < sizeof from; ++i) from[i] = static_cast<uint8_t>(37 * i + 1);
  for (const size_t source : {0, 1, 4, 31, 32, 63}) {
    for (const size_t target : {0, 1, 8, 33, 63}) {
      for (const size_t bytes : {0, 1, 20, 127, 160, 512, 700}) {
        alignas(64) uint8_t to[kMost + 65] = {};
        pastCacheCopy()(to + target, from + source, bytes);
        pastCacheFence();
        ASSERT_EQ(std::memcmp(to + target, from + source, bytes), 0)
            << source << ' ' << target << ' ' << bytes;
        ASSERT_EQ(to[target + bytes], 0) << "wrote past the end";
      }
    }
  }
}

TEST(Fp8, RoundTripsEveryValue) {
  for (Fp8Format format : {kE4m3, kE5m2}) {
    for (int bits = 0; bits < 256; ++bits) {
      const float value = fp8ToFloat(static_cast<uint8_t>(bits), format);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(fp8ToFloat(fp8FromFloat(value, format), format)));
      } else if (std::isfinite(value)) {
        EXPECT_EQ(fp8FromFloat(value, format), bits);
      }
    }
  }
}

TEST(Fp8, SaturatesAndRoundsToEven) {
  EXPECT_EQ(fp8FromFloat(1e6f, kE4m3), 0x7e);
  EXPECT_EQ(fp8FromFloat(-INFINITY, kE5m2), 0xfb);
  EXPECT_EQ(fp8ToFloat(0x7e, kE4m3), 448.0f);
  EXPECT_EQ(fp8ToFloat(0x7b, kE5m2), 57344.0f);
  EXPECT_EQ(fp8FromFloat(17.0f, kE4m3), fp8FromFloat(16.0f, kE4m3));  // between 16 and 18
  EXPECT_EQ(fp8FromFloat(19.0f, kE4m3), fp8FromFloat(20.0f, kE4m3));  // between 18 and 20
}

TEST(Encode, MatchesTheTypes) {
  EXPECT_EQ(encodeElement(mcclFloat16, 1.0 / 3), 0x3555u);
  EXPECT_EQ(encodeElement(mcclBfloat16, 1.0 / 3), 0x3eabu);
  EXPECT_EQ(encodeElement(mcclFloat32, 0.5), 0x3f000000u);
  EXPECT_EQ(encodeElement(mcclInt32, -2), 0xfffffffffffffffeu);
}

}  // namespace
}  // namespace musashim::mccl
