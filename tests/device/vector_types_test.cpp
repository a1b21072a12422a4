// Sizes and alignments are every kernel's ABI: CUDA C++ Programming Guide, "Built-in
// Vector Types", table of alignment requirements.
#include "vector_types.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "vector_functions.h"

namespace {

template <typename T, size_t Size, size_t Align>
constexpr bool laidOut = sizeof(T) == Size && alignof(T) == Align && std::is_trivially_copyable<T>::value;

static_assert(laidOut<char1, 1, 1> && laidOut<char2, 2, 2> && laidOut<char3, 3, 1> && laidOut<char4, 4, 4>);
static_assert(laidOut<uchar1, 1, 1> && laidOut<uchar2, 2, 2> && laidOut<uchar3, 3, 1> &&
              laidOut<uchar4, 4, 4>);
static_assert(laidOut<short1, 2, 2> && laidOut<short2, 4, 4> && laidOut<short3, 6, 2> &&
              laidOut<short4, 8, 8>);
static_assert(laidOut<ushort1, 2, 2> && laidOut<ushort2, 4, 4> && laidOut<ushort3, 6, 2> &&
              laidOut<ushort4, 8, 8>);
static_assert(laidOut<int1, 4, 4> && laidOut<int2, 8, 8> && laidOut<int3, 12, 4> && laidOut<int4, 16, 16>);
static_assert(laidOut<uint1, 4, 4> && laidOut<uint2, 8, 8> && laidOut<uint3, 12, 4> &&
              laidOut<uint4, 16, 16>);
static_assert(laidOut<long1, 8, 8> && laidOut<long2, 16, 16> && laidOut<long3, 24, 8> &&
              laidOut<long4, 32, 16>);
static_assert(laidOut<ulong1, 8, 8> && laidOut<ulong2, 16, 16> && laidOut<ulong3, 24, 8> &&
              laidOut<ulong4, 32, 16>);
static_assert(laidOut<longlong1, 8, 8> && laidOut<longlong2, 16, 16> && laidOut<longlong3, 24, 8> &&
              laidOut<longlong4, 32, 16>);
static_assert(laidOut<ulonglong1, 8, 8> && laidOut<ulonglong2, 16, 16> && laidOut<ulonglong3, 24, 8> &&
              laidOut<ulonglong4, 32, 16>);
static_assert(laidOut<float1, 4, 4> && laidOut<float2, 8, 8> && laidOut<float3, 12, 4> &&
              laidOut<float4, 16, 16>);
static_assert(laidOut<double1, 8, 8> && laidOut<double2, 16, 16> && laidOut<double3, 24, 8> &&
              laidOut<double4, 32, 16>);
static_assert(laidOut<long4_16a, 32, 16> && laidOut<long4_32a, 32, 32> && laidOut<ulong4_16a, 32, 16> &&
              laidOut<ulong4_32a, 32, 32> && laidOut<longlong4_16a, 32, 16> &&
              laidOut<longlong4_32a, 32, 32> && laidOut<ulonglong4_16a, 32, 16> &&
              laidOut<ulonglong4_32a, 32, 32> && laidOut<double4_16a, 32, 16> &&
              laidOut<double4_32a, 32, 32>);
static_assert(laidOut<dim3, 12, 4>);
static_assert(std::is_same<decltype(char1::x), signed char>::value);

TEST(VectorTypes, MakeFunctionsKeepTheOrder) {
  const float4 f = make_float4(1, 2, 3, 4);
  EXPECT_EQ(f.x, 1);
  EXPECT_EQ(f.y, 2);
  EXPECT_EQ(f.z, 3);
  EXPECT_EQ(f.w, 4);
  const ulonglong3 u = make_ulonglong3(~0ull, 1, 2);
  EXPECT_EQ(u.x, ~0ull);
  EXPECT_EQ(u.y, 1u);
  EXPECT_EQ(u.z, 2u);
}

TEST(VectorTypes, Dim3FillsUpWithOnesAndConverts) {
  const dim3 none, one(7), braces = {2, 3}, vector(uint3{4, 5, 6});
  EXPECT_EQ(none.x * none.y * none.z, 1u);
  EXPECT_EQ(one.x, 7u);
  EXPECT_EQ(one.y, 1u);
  EXPECT_EQ(braces.y, 3u);
  EXPECT_EQ(braces.z, 1u);
  EXPECT_EQ(vector.z, 6u);
  const uint3 back = vector;
  EXPECT_EQ(back.y, 5u);
}

}  // namespace
