// Transforms whose sides share memory: all of the input counts, wherever the output lies.
#include <gtest/gtest.h>
#include <mufft.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "mufft/reference.h"

namespace musashim::test {
namespace {

// Element (i, j, k) of member b is at begin + b * distance + ((i * embed[1] + j) * embed[2] + k) * stride.
struct Side {
  int begin, stride, distance;
  std::vector<int> embed;
};
struct Layout {
  const char* name;
  std::vector<int> n;
  int batch;
  Side in, out;  // in elements of the side
};

std::vector<size_t> placesOf(const Layout& l, const Side& side, bool isHalved) {
  std::vector<int> n = l.n;
  if (isHalved) n.back() = n.back() / 2 + 1;
  std::vector<size_t> places;
  for (int b = 0; b < l.batch; ++b)
    for (size_t number = 0; number < volume(n); ++number) {
      size_t place = 0, inner = volume(n), rest = number;
      for (size_t axis = 0; axis < n.size(); ++axis) {
        inner /= static_cast<size_t>(n[axis]);
        place = place * static_cast<size_t>(axis == 0 ? 0 : side.embed[axis]) + rest / inner;
        rest %= inner;
      }
      places.push_back(static_cast<size_t>(side.begin) +
                       static_cast<size_t>(b) * static_cast<size_t>(side.distance) +
                       place * static_cast<size_t>(side.stride));
    }
  return places;
}

mufftHandle planOf(const Layout& l, mufftType type) {
  mufftHandle plan = MUFFT_PLAN_NULL;
  std::vector<int> n = l.n, in = l.in.embed, out = l.out.embed;
  EXPECT_EQ(mufftPlanMany(&plan, static_cast<int>(n.size()), n.data(), in.data(), l.in.stride, l.in.distance,
                          out.data(), l.out.stride, l.out.distance, type, l.batch),
            MUFFT_SUCCESS);
  return plan;
}

// `In` and `Out`: elements of the sides in the memory that they share.
template <class In, class Out, class Execute>
void expectRight(const Layout& l, mufftType type, bool inHalved, bool outHalved, int sign, Execute execute) {
  const auto ins = placesOf(l, l.in, inHalved), outs = placesOf(l, l.out, outHalved);
  const size_t bytes = std::max((*std::max_element(ins.begin(), ins.end()) + 1) * sizeof(In),
                                (*std::max_element(outs.begin(), outs.end()) + 1) * sizeof(Out));
  std::vector<unsigned char> memory(bytes, 0x5a);
  const size_t member = volume(l.n), ofIn = ins.size() / static_cast<size_t>(l.batch);
  std::vector<Wide> expected;
  std::vector<bool> isWritten(bytes);
  for (int b = 0; b < l.batch; ++b) {
    // Numbers that are real, so that their halves are of a real transform in either direction.
    const auto real = randomNumbers<double>(member, static_cast<unsigned>(b + 1));
    std::vector<Wide> whole(real.begin(), real.end());
    std::vector<In> input(ofIn);
    if (inHalved) {  // what comes from real numbers, to which it goes back
      const auto half = halfOf(reference(whole, l.n, -1), l.n.back());
      for (size_t i = 0; i < ofIn; ++i)
        if constexpr (kIsComplex<In>)
          input[i] = In(static_cast<typename In::value_type>(half[i].real()),
                        static_cast<typename In::value_type>(half[i].imag()));
      for (Wide& value : whole) value *= static_cast<long double>(member);
    } else {
      for (size_t i = 0; i < ofIn; ++i) {
        input[i] = In(static_cast<decltype(std::real(In()))>(real[i]));
        whole[i] = wide(input[i]);
      }
      whole = reference(whole, l.n, sign);
      if (outHalved) whole = halfOf(whole, l.n.back());
    }
    expected.insert(expected.end(), whole.begin(), whole.end());
    for (size_t i = 0; i < ofIn; ++i)
      std::memcpy(memory.data() + ins[static_cast<size_t>(b) * ofIn + i] * sizeof(In), &input[i], sizeof(In));
  }
  const OnDevice<unsigned char> data(memory);
  const mufftHandle plan = planOf(l, type);
  ASSERT_EQ(execute(plan, reinterpret_cast<In*>(data.get()) + l.in.begin,
                    reinterpret_cast<Out*>(data.get()) + l.out.begin),
            MUFFT_SUCCESS)
      << l.name;
  const auto got = data.fetch();
  std::vector<Out> result(outs.size());
  for (size_t i = 0; i < outs.size(); ++i) {
    std::memcpy(&result[i], got.data() + outs[i] * sizeof(Out), sizeof(Out));
    std::fill_n(isWritten.begin() + static_cast<ptrdiff_t>(outs[i] * sizeof(Out)), sizeof(Out), true);
  }
  expectClose(result, expected, l.name, 8);
  for (size_t i = 0; i < bytes; ++i)
    ASSERT_TRUE(isWritten[i] || got[i] == memory[i]) << l.name << ": byte " << i;
  EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
}

// The distances of pairs on the complex side, of numbers on the other.
const Layout kReal[] = {
    {"line", {6}, 4, {0, 2, 14, {6}}, {0, 1, 7, {4}}},
    {"line apart", {6}, 4, {0, 8, 2, {6}}, {0, 4, 1, {4}}},
    {"odd line", {7}, 3, {0, 6, 2, {7}}, {0, 3, 1, {4}}},
    {"padded", {8}, 3, {0, 1, 10, {10}}, {0, 1, 5, {5}}},
    {"members in each other", {8}, 5, {0, 1, 8, {8}}, {0, 1, 5, {5}}},
    {"members far in each other", {9}, 40, {0, 1, 9, {9}}, {0, 2, 12, {5}}},
    {"single", {1}, 4, {0, 2, 8, {1}}, {0, 1, 4, {1}}},
    {"from further on", {16}, 2, {5, 1, 16, {16}}, {1, 1, 9, {9}}},
    {"plane", {4, 6}, 3, {0, 6, 2, {4, 6}}, {0, 3, 1, {4, 6}}},
    {"plane without gaps", {4, 6}, 2, {0, 1, 24, {4, 6}}, {0, 1, 16, {4, 4}}},
    {"space", {3, 4, 6}, 2, {0, 4, 2, {3, 4, 6}}, {0, 2, 1, {3, 4, 6}}},
    {"space without gaps", {3, 4, 5}, 3, {0, 1, 60, {3, 4, 5}}, {0, 1, 36, {3, 4, 3}}},
    {"much", {512}, 140, {0, 1, 512, {512}}, {0, 1, 257, {257}}},
};
const Layout kComplex[] = {
    {"the same", {12}, 3, {0, 2, 30, {12}}, {0, 2, 30, {12}}},
    {"closer", {12}, 3, {0, 2, 24, {12}}, {0, 1, 12, {12}}},
    {"wider", {12}, 3, {0, 1, 12, {12}}, {0, 2, 24, {12}}},
    {"turned round", {12}, 5, {0, 1, 12, {12}}, {0, 5, 1, {12}}},
    {"from further on", {12}, 3, {3, 1, 12, {12}}, {0, 1, 12, {12}}},
    {"to further on", {12}, 3, {0, 1, 12, {12}}, {7, 1, 12, {12}}},
    {"one with another distance", {12}, 1, {0, 1, 5, {12}}, {0, 1, 7, {12}}},
    {"plane", {4, 6}, 2, {0, 1, 24, {4, 6}}, {0, 2, 64, {4, 8}}},
    {"space", {3, 4, 5}, 2, {0, 1, 60, {3, 4, 5}}, {0, 2, 1, {3, 4, 5}}},
    {"much", {256}, 260, {0, 1, 256, {256}}, {0, 260, 1, {256}}},
};

template <class Real>
class MufftInPlace : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MufftInPlace, Reals);

TYPED_TEST(MufftInPlace, RealToComplex) {
  using K = Kinds<TypeParam>;
  using Complex = typename K::Complex;
  for (const Layout& l : kReal) expectRight<TypeParam, Complex>(l, K::kForward, false, true, -1, K::forward);
}

TYPED_TEST(MufftInPlace, ComplexToReal) {
  using K = Kinds<TypeParam>;
  using Complex = typename K::Complex;
  for (Layout l : kReal) {
    std::swap(l.in, l.out);
    expectRight<Complex, TypeParam>(l, K::kBackward, true, false, 1, K::backward);
  }
}

TYPED_TEST(MufftInPlace, Complex) {
  using K = Kinds<TypeParam>;
  using Complex = typename K::Complex;
  for (const Layout& l : kComplex)
    for (const int sign : {MUFFT_FORWARD, MUFFT_INVERSE})
      expectRight<Complex, Complex>(
          l, K::kComplex, false, false, sign,
          [&](mufftHandle plan, Complex* in, Complex* out) { return K::complex(plan, in, out, sign); });
}

}  // namespace
}  // namespace musashim::test
