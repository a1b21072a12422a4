#include "abi/offload_bundle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace musashim::abi {
namespace {

std::vector<std::byte> bytes(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

struct Bundled {
  std::vector<std::byte> first = bytes("image of mp_22");
  std::vector<std::byte> second = bytes(std::string(5000, 'x'));
  std::vector<std::byte> data;

  Bundled() {
    const BundleEntry entries[] = {{bundleId(220), first}, {bundleId(310), second}};
    data = writeBundle(entries);
  }
};

TEST(BundleId, NamesTheArchitecture) {
  EXPECT_EQ(bundleId(310), "musa-mtgpu-mt-musa-mp_31");
  EXPECT_EQ(bundleArch("musa-mtgpu-mt-musa-mp_22"), 220u);
  EXPECT_EQ(bundleId(310, "x86-64-v4"), "musa-mtgpu-mt-musa-mp_31:x86-64-v4");
  EXPECT_EQ(bundleArch("musa-mtgpu-mt-musa-mp_31:x86-64-v4"), 310u);
  EXPECT_EQ(bundleProcessor("musa-mtgpu-mt-musa-mp_31:x86-64-v4"), "x86-64-v4");
  EXPECT_EQ(bundleProcessor("musa-mtgpu-mt-musa-mp_31"), "");
}

TEST(BundleId, RejectsOtherTargets) {
  EXPECT_EQ(bundleArch("host-x86_64-unknown-linux-gnu"), 0u);
  EXPECT_EQ(bundleArch("hip-amdgcn-amd-amdhsa--gfx906"), 0u);
  EXPECT_EQ(bundleArch("musa-mtgpu-mt-musa-mp_"), 0u);
  EXPECT_EQ(bundleArch("musa-mtgpu-mt-musa-mp_31x"), 0u);
}

TEST(Bundle, GivesBackWhatWasWritten) {
  const Bundled bundled;
  std::vector<BundleEntry> entries;
  std::string error;
  ASSERT_TRUE(readBundle(bundled.data.data(), bundled.data.size(), entries, error)) << error;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].id, bundleId(220));
  EXPECT_TRUE(std::ranges::equal(entries[0].image, bundled.first));
  EXPECT_TRUE(std::ranges::equal(entries[1].image, bundled.second));
  EXPECT_EQ((entries[1].image.data() - bundled.data.data()) % 4096, 0) << "images are page aligned";
}

TEST(Bundle, EmptyOneHasNoEntries) {
  const std::vector<std::byte> data = writeBundle({});
  std::vector<BundleEntry> entries;
  std::string error;
  EXPECT_TRUE(readBundle(data.data(), data.size(), entries, error)) << error;
  EXPECT_TRUE(entries.empty());
}

TEST(Bundle, RefusesOtherData) {
  const std::vector<std::byte> data = bytes("\x7f" "ELF and then a lot more text than the magic has");
  std::vector<BundleEntry> entries;
  std::string error;
  EXPECT_FALSE(readBundle(data.data(), data.size(), entries, error));
  EXPECT_NE(error.find("__CLANG_OFFLOAD_BUNDLE__"), std::string::npos);
}

TEST(Bundle, RefusesEveryTruncation) {
  const Bundled bundled;
  std::vector<BundleEntry> entries;
  std::string error;
  for (size_t size = 0; size < bundled.data.size(); size += size < 256 ? 1 : 997) {
    // A copy of exactly that size, so that AddressSanitizer sees any read past it.
    const std::vector<std::byte> cut(bundled.data.begin(), bundled.data.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_FALSE(readBundle(cut.data(), cut.size(), entries, error)) << "cut to " << size;
  }
}

TEST(Bundle, SurvivesCorruptHeaders) {
  const Bundled bundled;
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> data = bundled.data;
    data[24 + random() % 120] = static_cast<std::byte>(random());
    std::vector<BundleEntry> entries;
    std::string error;
    if (!readBundle(data.data(), data.size(), entries, error)) continue;
    for (const BundleEntry& entry : entries) {
      ASSERT_GE(entry.image.data(), data.data());
      ASSERT_LE(entry.image.data() + entry.image.size(), data.data() + data.size());
    }
  }
}

}  // namespace
}  // namespace musashim::abi
