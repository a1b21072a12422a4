// Generators as handles: their settings, and the status of each wrong call, as cuRAND's host generators
// answered.
#include <gtest/gtest.h>
#include <murand.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

class Generator {
 public:
  explicit Generator(murandRngType_t type) {
    EXPECT_EQ(murandCreateGeneratorHost(&handle_, type), MURAND_STATUS_SUCCESS);
  }
  ~Generator() { EXPECT_EQ(murandDestroyGenerator(handle_), MURAND_STATUS_SUCCESS); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  operator murandGenerator_t() const { return handle_; }

  std::vector<unsigned> words(size_t n) const {
    std::vector<unsigned> out(n);
    EXPECT_EQ(murandGenerate(handle_, out.data(), n), MURAND_STATUS_SUCCESS);
    return out;
  }

 private:
  murandGenerator_t handle_ = nullptr;
};

TEST(RandGenerators, HandlesAreChecked) {
  unsigned word = 0;
  EXPECT_EQ(murandCreateGenerator(nullptr, MURAND_RNG_PSEUDO_XORWOW), MURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(murandDestroyGenerator(nullptr), MURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(murandGenerate(nullptr, &word, 1), MURAND_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(nullptr, 1), MURAND_STATUS_NOT_INITIALIZED);
  murandGenerator_t generator = nullptr;
  EXPECT_EQ(murandCreateGeneratorHost(&generator, static_cast<murandRngType_t>(55)),
            MURAND_STATUS_TYPE_ERROR);
  ASSERT_EQ(murandCreateGeneratorHost(&generator, MURAND_RNG_PSEUDO_DEFAULT), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandDestroyGenerator(generator), MURAND_STATUS_NOT_INITIALIZED);
}

TEST(RandGenerators, TheVersionIsThatOfCudasLibrary) {
  int version = 0, major = 0;
  EXPECT_EQ(murandGetVersion(&version), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(version, MURAND_VERSION);
  EXPECT_EQ(murandGetProperty(MAJOR_VERSION, &major), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(major, 10);
  EXPECT_EQ(murandGetProperty(static_cast<libraryPropertyType>(3), &major), MURAND_STATUS_OUT_OF_RANGE);
}

TEST(RandGenerators, OrderingsAreThoseOfTheGenerator) {
  const Generator xorwow(MURAND_RNG_PSEUDO_XORWOW), philox(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  EXPECT_EQ(murandSetGeneratorOrdering(xorwow, MURAND_ORDERING_PSEUDO_SEEDED), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandSetGeneratorOrdering(philox, MURAND_ORDERING_PSEUDO_SEEDED), MURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(murandSetGeneratorOrdering(philox, MURAND_ORDERING_PSEUDO_LEGACY), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandSetGeneratorOrdering(philox, MURAND_ORDERING_QUASI_DEFAULT), MURAND_STATUS_OUT_OF_RANGE);
}

TEST(RandGenerators, PairsComeInPairs) {
  const Generator xorwow(MURAND_RNG_PSEUDO_XORWOW), philox(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  std::array<float, 4> out{};
  EXPECT_EQ(murandGenerateNormal(xorwow, out.data(), 3, 0, 1), MURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(murandGenerateNormal(xorwow, out.data(), 4, 0, 1), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandGenerateNormal(philox, out.data(), 3, 0, 1), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandGenerateUniform(xorwow, nullptr, 0), MURAND_STATUS_SUCCESS);
}

TEST(RandGenerators, WordsHaveTheGeneratorsWidth) {
  const Generator xorwow(MURAND_RNG_PSEUDO_XORWOW);
  unsigned long long word = 0;
  EXPECT_EQ(murandGenerateLongLong(xorwow, &word, 1), MURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(xorwow, 2), MURAND_STATUS_TYPE_ERROR);
}

TEST(RandGenerators, PoissonsLambdaIsBounded) {
  const Generator philox(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  std::array<unsigned, 4> out{1, 1, 1, 1};
  for (const double lambda : {0.0, -1.0, 400001.0, double(INFINITY)})
    EXPECT_EQ(murandGeneratePoisson(philox, out.data(), 4, lambda), MURAND_STATUS_OUT_OF_RANGE) << lambda;
  EXPECT_EQ(murandGeneratePoisson(philox, out.data(), 4, NAN), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(out, (std::array<unsigned, 4>{}));
}

TEST(RandGenerators, ASeedKeepsThePlaceAndAnOffsetSetsIt) {
  const Generator used(MURAND_RNG_PSEUDO_XORWOW), fresh(MURAND_RNG_PSEUDO_XORWOW);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(fresh, 5), MURAND_STATUS_SUCCESS);
  const std::vector<unsigned> all = fresh.words(100);
  used.words(10);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(used, 5), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(used.words(5), std::vector<unsigned>(all.begin() + 10, all.begin() + 15));
  EXPECT_EQ(murandSetGeneratorOffset(used, 2), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(used.words(5), std::vector<unsigned>(all.begin() + 2, all.begin() + 7));
}

// As cuRAND's host generators do: a new seed takes the number of blocks for the place; the same seed does
// nothing.
TEST(RandGenerators, ASeedTakesPhiloxsBlocksForThePlace) {
  const Generator used(MURAND_RNG_PSEUDO_PHILOX4_32_10), fresh(MURAND_RNG_PSEUDO_PHILOX4_32_10);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(fresh, 5), MURAND_STATUS_SUCCESS);
  const std::vector<unsigned> all = fresh.words(100);
  EXPECT_EQ(murandSetGeneratorOffset(used, 3), MURAND_STATUS_SUCCESS);
  used.words(41);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(used, 5), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(used.words(6), std::vector<unsigned>(all.begin() + 14, all.begin() + 20));
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(used, 5), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(used.words(5), std::vector<unsigned>(all.begin() + 20, all.begin() + 25));
}

TEST(RandGenerators, QuasirandomOnesHaveDimensionsAndNoSeed) {
  const Generator sobol(MURAND_RNG_QUASI_SOBOL32), wide(MURAND_RNG_QUASI_SOBOL64);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(sobol, 1), MURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(sobol, 0), MURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(sobol, 20001), MURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(murandSetQuasiRandomGeneratorDimensions(sobol, 3), MURAND_STATUS_SUCCESS);
  std::array<unsigned, 6> words{};
  EXPECT_EQ(murandGenerate(sobol, words.data(), 4), MURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(murandGenerate(sobol, words.data(), 6), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandGenerate(wide, words.data(), 6), MURAND_STATUS_TYPE_ERROR);
}

TEST(RandGenerators, DirectionVectorsAreShown) {
  murandDirectionVectors32_t* narrow = nullptr;
  murandDirectionVectors64_t* wide = nullptr;
  ASSERT_EQ(murandGetDirectionVectors32(&narrow, MURAND_DIRECTION_VECTORS_32_JOEKUO6), MURAND_STATUS_SUCCESS);
  ASSERT_EQ(murandGetDirectionVectors64(&wide, MURAND_DIRECTION_VECTORS_64_JOEKUO6), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandGetDirectionVectors32(&narrow, MURAND_DIRECTION_VECTORS_64_JOEKUO6),
            MURAND_STATUS_OUT_OF_RANGE);
  // The first is van der Corput's, and each has a digit of its own.
  for (int i = 0; i < 32; ++i) EXPECT_EQ(narrow[0][i], 0x80000000u >> i);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(wide[19999][i] & ((1ull << (63 - i)) | ((1ull << (63 - i)) - 1)), 1ull << (63 - i));
}

// Checksums of cuRAND's tables: the scrambled vectors and constants of all dimensions.
TEST(RandGenerators, ScrambledTablesAreShown) {
  const auto sum = [](const void* table, size_t bytes) {
    uint64_t hash = 14695981039346656037ull;
    for (size_t i = 0; i < bytes; ++i)
      hash = (hash ^ static_cast<const unsigned char*>(table)[i]) * 1099511628211ull;
    return hash;
  };
  murandDirectionVectors32_t* narrow = nullptr;
  murandDirectionVectors64_t* wide = nullptr;
  unsigned* constants32 = nullptr;
  unsigned long long* constants64 = nullptr;
  ASSERT_EQ(murandGetDirectionVectors32(&narrow, MURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6),
            MURAND_STATUS_SUCCESS);
  ASSERT_EQ(murandGetDirectionVectors64(&wide, MURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6),
            MURAND_STATUS_SUCCESS);
  ASSERT_EQ(murandGetScrambleConstants32(&constants32), MURAND_STATUS_SUCCESS);
  ASSERT_EQ(murandGetScrambleConstants64(&constants64), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(sum(narrow, 20000 * sizeof *narrow), 0x34898f09b11d9bb6ull);
  EXPECT_EQ(sum(wide, 20000 * sizeof *wide), 0x832da52eabcac57full);
  EXPECT_EQ(sum(constants32, 20000 * sizeof *constants32), 0x5f1d5f6be104dfa6ull);
  EXPECT_EQ(sum(constants64, 20000 * sizeof *constants64), 0x97de795de60def01ull);
  EXPECT_EQ(murandGetScrambleConstants32(nullptr), MURAND_STATUS_OUT_OF_RANGE);
}

// As cuRAND's: the row that is begun, all lanes' turns, is finished before a new seed's sequence begins.
TEST(RandGenerators, ASeedComesBehindMtgp32sRow) {
  constexpr size_t kRow = 192 * 256, kLegacyRow = 64 * 256;
  const Generator used(MURAND_RNG_PSEUDO_MTGP32), old(MURAND_RNG_PSEUDO_MTGP32),
      fresh(MURAND_RNG_PSEUDO_MTGP32);
  EXPECT_EQ(murandSetGeneratorOffset(used, 1), MURAND_STATUS_TYPE_ERROR);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(fresh, 99), MURAND_STATUS_SUCCESS);
  std::vector<unsigned> expected = old.words(kRow);
  const std::vector<unsigned> all = fresh.words(3 * kRow);
  const auto behind = [](std::vector<unsigned> words, const std::vector<unsigned>& more, size_t from,
                         size_t to) {
    words.insert(words.end(), more.begin() + static_cast<ptrdiff_t>(from),
                 more.begin() + static_cast<ptrdiff_t>(to));
    return words;
  };
  used.words(300);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(used, 7), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(used.words(100), std::vector<unsigned>(expected.begin() + 300, expected.begin() + 400));
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(used, 99), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(used.words(kRow), behind({expected.begin() + 400, expected.end()}, all, 0, 400));
  EXPECT_EQ(used.words(kRow - 400), std::vector<unsigned>(all.begin() + 400, all.begin() + kRow));
  // At a row's end there is nothing to finish.
  EXPECT_EQ(murandSetGeneratorOrdering(used, MURAND_ORDERING_PSEUDO_LEGACY), MURAND_STATUS_SUCCESS);
  const std::vector<unsigned> legacy = used.words(kLegacyRow + 5);
  EXPECT_TRUE(std::equal(legacy.begin(), legacy.begin() + kLegacyRow, all.begin()));
  EXPECT_EQ(legacy[kLegacyRow], all[kRow]);
  EXPECT_EQ(murandSetGeneratorOrdering(used, MURAND_ORDERING_PSEUDO_BEST), MURAND_STATUS_SUCCESS);
  const std::vector<unsigned> last = used.words(2 * kLegacyRow);
  EXPECT_EQ(last[0], all[kRow + 5]);
  EXPECT_EQ(last[kLegacyRow - 5], all[0]);
}

// MT19937's numbers, by the checksums that cuRAND's had: words, what a call leaves off, floats, doubles and
// Poisson numbers.
TEST(RandGenerators, TheTwister) {
  constexpr size_t kCount = 30000;
  const auto sum = [](const auto& values) {
    uint64_t hash = 14695981039346656037ull;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (size_t i = 0; i < values.size() * sizeof values[0]; ++i) hash = (hash ^ bytes[i]) * 1099511628211ull;
    return hash;
  };
  const Generator twister(MURAND_RNG_PSEUDO_MT19937);
  EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(twister, 1234567), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandSetGeneratorOffset(twister, 1001), MURAND_STATUS_TYPE_ERROR);
  std::vector<unsigned> words = twister.words(kCount);
  EXPECT_EQ(sum(words), 0xa15585f9a9b85a5bull);
  EXPECT_EQ(murandGenerate(twister, words.data(), 5000), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(sum(words), 0x5ebd73a00e82df5dull);
  std::vector<float> floats(kCount);
  EXPECT_EQ(murandGenerateUniform(twister, floats.data(), kCount), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(sum(floats), 0xf9e34c151f524f00ull);
  std::vector<double> doubles(kCount);
  EXPECT_EQ(murandGenerateUniformDouble(twister, doubles.data(), kCount), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(sum(doubles), 0x6efd571b0cde8a3full);
  EXPECT_EQ(murandGenerateNormal(twister, floats.data(), kCount, 1, 2), MURAND_STATUS_SUCCESS);
  double mean = 0;
  for (const float x : floats) mean += static_cast<double>(x) / kCount;
  EXPECT_NEAR(mean, 1, 0.05);
  EXPECT_EQ(murandGenerateNormalDouble(twister, doubles.data(), kCount, 1, 2), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandGenerateLogNormal(twister, floats.data(), kCount, 0, 1), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(murandGeneratePoisson(twister, words.data(), kCount, 3.5), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(sum(words), 0x452686951cf8ccb8ull);
  EXPECT_EQ(murandGeneratePoisson(twister, words.data(), kCount, 5000), MURAND_STATUS_SUCCESS);
  EXPECT_EQ(sum(words), 0x6241e4074a20d5bfull);
  EXPECT_EQ(murandGenerateNormal(twister, floats.data(), 7, 0, 1), MURAND_STATUS_SUCCESS);
}

}  // namespace
