#include "mcc/driver/options/option_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "mcc/driver/options/options.h"

namespace musashim::mcc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Strings = std::vector<std::string>;

std::string fileWith(const std::string& name, const std::string& text) {
  const std::string file = ::testing::TempDir() + "option_files_test." + name;
  std::ofstream(file) << text;
  return file;
}

Strings expanded(const Strings& arguments) {
  Strings result;
  std::string error;
  EXPECT_TRUE(expandOptionFiles(arguments, result, error)) << error;
  return result;
}

std::string mistake(const Strings& arguments) {
  Strings result;
  std::string error;
  EXPECT_FALSE(expandOptionFiles(arguments, result, error));
  return error;
}

TEST(OptionFiles, StandInTheirPlace) {
  const std::string file = fileWith("place", "-I\"/a b/c\" -arch=sm_80\n-Xcompiler -fPIC");
  const auto isWhole = ElementsAre("-c", "-I/a b/c", "-arch=sm_80", "-Xcompiler", "-fPIC", "a.mu");
  EXPECT_THAT(expanded({"-c", "--options-file", file, "a.mu"}), isWhole);
  EXPECT_THAT(expanded({"-c", "--options-file=" + file, "a.mu"}), isWhole);
  EXPECT_THAT(expanded({"-c", "-optf", file, "a.mu"}), isWhole);
  EXPECT_THAT(expanded({"-c", "--optf=" + file, "a.mu"}), isWhole);
  EXPECT_THAT(expanded({"-c", "@" + file, "a.mu"}), isWhole);
}

TEST(OptionFiles, MayNameFiles) {
  const std::string inner = fileWith("inner", "-g");
  const std::string outer = fileWith("outer", "-O2 @" + inner + " -optf " + inner + " -c");
  EXPECT_THAT(expanded({"@" + outer, "@" + outer}),
              ElementsAre("-O2", "-g", "-g", "-c", "-O2", "-g", "-g", "-c"));
}

TEST(OptionFiles, CirclesAreMistakes) {
  const std::string one = ::testing::TempDir() + "option_files_test.one";
  const std::string two = fileWith("two", "-c @" + one);
  fileWith("one", "--options-file " + two);
  EXPECT_THAT(mistake({"-optf", one}), HasSubstr("cannot hold themselves"));
  const std::string self = fileWith("self", "@" + ::testing::TempDir() + "./option_files_test.self");
  EXPECT_THAT(mistake({"@" + self}), HasSubstr("option_files_test.self"));
}

TEST(OptionFiles, ThatAreMissing) {
  EXPECT_THAT(mistake({"-optf=/no/such/file"}), HasSubstr("cannot read '/no/such/file'"));
  EXPECT_THAT(mistake({"-c", "--options-file"}), HasSubstr("needs a value"));
  EXPECT_THAT(expanded({"@/no/such/file", "@"}), ElementsAre("@/no/such/file", "@"));
}

TEST(OptionFiles, MayHoldOptionsOfMccs) {
  Options options;
  std::string error;
  ASSERT_TRUE(parseOptions({"@" + fileWith("own", "-dc --offload-arch=mp_22"), "a.mu"}, options, error))
      << error;
  EXPECT_THAT(options.archs, ElementsAre(220));
}

}  // namespace
}  // namespace musashim::mcc
