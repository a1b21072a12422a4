#include "mcc/driver/kept/identifiers.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace musashim::mcc {
namespace {

class Identifiers : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string of(const std::vector<std::string>& texts) const {
    std::vector<std::string> files;
    for (const std::string& text : texts) {
      files.push_back(folder_ + '/' + std::to_string(files.size()));
      std::ofstream(files.back()) << text;
    }
    return identifiersOf(files);
  }

 private:
  std::string folder_ = testing::TempDir() + "identifiers-XXXXXX";
};

TEST_F(Identifiers, AreThoseOfAllFilesOnce) { EXPECT_EQ(of({"b a(b);", "c = a"}), "\na\nb\nc\n"); }

TEST_F(Identifiers, AreOfDirectivesAndOfSkippedText) {
  const std::string found =
      of({"#ifdef ASKED\n#if 0\nint skipped = 1'000;\n#endif\n#endif\n#define F(x) x##tail\n"});
  for (const char* name : {"ASKED", "skipped", "F", "x", "tail", "int"})
    EXPECT_TRUE(mentions(found, name)) << name;
  EXPECT_FALSE(mentions(found, "000"));
}

TEST_F(Identifiers, AreNotOfCommentsNorStrings) {
  EXPECT_EQ(of({"// one\n/* two */ \"three // \" 'f' R\"(five \" )\" last"}), "\nlast\n");
}

TEST_F(Identifiers, AreWholeNames) {
  const std::string found = of({"width"});
  EXPECT_FALSE(mentions(found, "wid"));
  EXPECT_FALSE(mentions(found, "idth"));
  EXPECT_FALSE(mentions(found, ""));
  EXPECT_TRUE(mentions(found, "width"));
}

TEST_F(Identifiers, LeaveOutReservedOnes) {
  EXPECT_EQ(of({"__GNUC__ _GNU_SOURCE NDEBUG MUSASHIM_CHECKS"}), "\n");
  EXPECT_TRUE(isReservedIdentifier("_GNU_SOURCE"));
  EXPECT_FALSE(isReservedIdentifier("GNU_SOURCE"));
}

TEST_F(Identifiers, AreSeenInValuesOfMacros) {
  EXPECT_TRUE(isInValue("-DA=B", "B"));
  EXPECT_TRUE(isInValue("-DA(x)=f(x, B_1)+C", "B_1"));
  EXPECT_TRUE(isInValue("-DA==C", "C"));
  EXPECT_FALSE(isInValue("-DA=B", "A"));
  EXPECT_FALSE(isInValue("-DA=B_1", "B"));
  EXPECT_FALSE(isInValue("-DA", "A"));
  EXPECT_FALSE(isInValue("-DA=", ""));
}

TEST_F(Identifiers, OfAFileThatIsNotThereAreNone) { EXPECT_EQ(identifiersOf({"/nonexistent"}), "\n"); }

}  // namespace
}  // namespace musashim::mcc
