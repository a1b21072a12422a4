#include "mcc/driver/options/option_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace musashim::mcc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What gcc got from nvcc 13.0 (--dryrun) for the same values.
TEST(OptionWords, AListIsWhatAShellReads) {
  EXPECT_THAT(wordsOfList("-DA,-DB"), ElementsAre("-DA", "-DB"));
  EXPECT_THAT(wordsOfList("-O3 -march=native"), ElementsAre("-O3", "-march=native"));
  EXPECT_THAT(wordsOfList("  -DA   -DB,,-DC "), ElementsAre("-DA", "-DB", "-DC"));
  EXPECT_THAT(wordsOfList(R"(-DA\,B)"), ElementsAre("-DA,B"));
  EXPECT_THAT(wordsOfList(R"("-Wl,-rpath,/x")"), ElementsAre("-Wl,-rpath,/x"));
  EXPECT_THAT(wordsOfList(R"('-DA,-DB')"), ElementsAre("-DA -DB"));
  EXPECT_THAT(wordsOfList(R"(-DA="x y")"), ElementsAre("-DA=x y"));
  EXPECT_THAT(wordsOfList(R"(-DA="x,y",-DB)"), ElementsAre("-DA=x,y", "-DB"));
  EXPECT_THAT(wordsOfList(R"(-DA=\"x\")"), ElementsAre("-DA=x"));
  EXPECT_THAT(wordsOfList(R"(-DA=\\\"x\\\")"), ElementsAre(R"(-DA="x")"));
  EXPECT_THAT(wordsOfList("-DA='c',-DB"), ElementsAre("-DA=c", "-DB"));
  EXPECT_THAT(wordsOfList(""), IsEmpty());
}

TEST(OptionWords, ACommaBetweenEscapedQuotesStays) {
  EXPECT_THAT(wordsOfList(R"(-DSTR=\"x,y\",-DB)"), ElementsAre(R"(-DSTR="x,y")", "-DB"));
  EXPECT_THAT(wordsOfList(R"(-DSTR=\\\"x\,y\\\")"), ElementsAre(R"(-DSTR="x,y")")) << "as to nvcc";
}

TEST(OptionWords, ValuesKeepTheirQuotes) {
  EXPECT_THAT(valuesOfList("A=1,B=2"), ElementsAre("A=1", "B=2"));
  EXPECT_THAT(valuesOfList(R"(A=1\,2)"), ElementsAre("A=1,2"));
  EXPECT_THAT(valuesOfList(R"(A="x,y",B)"), ElementsAre(R"(A="x,y")", "B"));
  EXPECT_THAT(valuesOfList(R"(A=\"x\")"), ElementsAre(R"(A="x")"));
  EXPECT_THAT(valuesOfList("/a b"), ElementsAre("/a b"));
}

TEST(OptionWords, BlanksPartTheWordsOfAVariable) {
  EXPECT_THAT(wordsOfVariable(R"( -DZ=1 -DY="a b"	-Xcompiler "-DQ -DR" )"),
              ElementsAre("-DZ=1", R"(-DY="a b")", "-Xcompiler", R"("-DQ -DR")"));
  EXPECT_THAT(wordsOfVariable(R"(-DW=\"s\")"), ElementsAre(R"(-DW=\"s\")"));
  EXPECT_THAT(wordsOfVariable(""), IsEmpty());
}

}  // namespace
}  // namespace musashim::mcc
