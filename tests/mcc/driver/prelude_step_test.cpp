#include "mcc/driver/kept/prelude_step.h"

#include <gtest/gtest.h>

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kPrelude = "/sdk/lib/musashim/include/mcc_prelude.h";

// A step with `more` in the middle.
Strings step(const Strings& more, const std::string& source = "a.mu") {
  Strings command{"/usr/bin/clang++-19", "-cc1", "-internal-isystem", "/sdk/include", "-DN=1"};
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(),
                 {"-include", kPrelude, "-o", source + ".o", "-emit-obj", "-x", "hip", source});
  return command;
}

std::optional<PreludeStep> of(const Strings& command) { return preludeStep(command, kPrelude, "/tmp/mcc-1"); }

TEST(PreludeStep, IsTheSameForTheSourcesOfAProject) {
  const auto one = of(step({"-main-file-name", "a.mu", "-MT", "a.o", "-dependency-file", "a.d", "-cuid=1"}));
  const auto other =
      of(step({"-main-file-name", "b.mu", "-I", "/project", "-fcuda-include-gpubinary", "/tmp/b"}, "b.mu"));
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->options, other->options);
  EXPECT_EQ(one->options, (Strings{"/usr/bin/clang++-19", "-cc1", "-internal-isystem", "/sdk/include"}));
}

TEST(PreludeStep, SeesWhetherCodeIsOptimizedAndNotHow) {
  EXPECT_EQ(of(step({"-O1"}))->options,
            of(step({"-O3", "-vectorize-loops", "-mllvm", "-musa-fibers"}))->options);
  EXPECT_NE(of(step({"-O0"}))->options, of(step({"-O1"}))->options);
  EXPECT_NE(of(step({"-Os"}))->options, of(step({"-O2"}))->options);
}

TEST(PreludeStep, SeesNoWarnings) {
  EXPECT_EQ(
      of(step({"-Wall", "-Werror=unused", "-w", "-pedantic", "-ferror-limit", "19", "-Rpass=.*"}))->options,
      of(step({}))->options);
  EXPECT_FALSE(of(step({"-Wsystem-headers"})));
}

TEST(PreludeStep, DependsOnTheLanguage) {
  EXPECT_NE(of(step({"-std=c++20"}))->options, of(step({"-std=c++17"}))->options);
}

TEST(PreludeStep, TellsMacrosFromOtherOptions) {
  const auto found = of(step({"-D", "A", "-DB=1", "-U", "A", "-DC(x)=x", "-UD"}));
  EXPECT_EQ(found->options, of(step({}))->options);
  EXPECT_EQ(
      found->macros,
      (std::vector<MacroOption>{
          {"N", "-DN=1"}, {"A", "-DA"}, {"B", "-DB=1"}, {"A", "-UA"}, {"C", "-DC(x)=x"}, {"D", "-UD"}}));
}

TEST(PreludeStep, KnowsWhereHeadersAreSearched) {
  const auto found =
      of(step({"-I", "/a", "-I/b", "-isystem", "/c", "-internal-externc-isystem", "/usr/include"}));
  EXPECT_EQ(found->userFolders, (Strings{"/a", "/b", "/c"}));
  EXPECT_EQ(found->systemFolders, (Strings{"/sdk/include", "/usr/include"}));
}

TEST(PreludeStep, IsWhereThePreludeIsIncluded) {
  const Strings command = step({"-DM"});
  EXPECT_EQ(command[of(command)->include], "-include");
  EXPECT_EQ(command[of(command)->include + 1], kPrelude);
}

TEST(PreludeStep, LeavesWhatComesBeforeThePrelude) {
  EXPECT_FALSE(of(step({"-include", "first.h"})));
  EXPECT_FALSE(of(step({"-imacros", "macros.h"})));
  EXPECT_FALSE(of(step({"-include-pch", "mine.pch"})));
  EXPECT_FALSE(of(step({"-E"})));
  EXPECT_FALSE(of({"/usr/bin/ld.lld-19", "-shared", "-o", "a.so", "a.o", "-lm"}));
}

TEST(PreludeStep, TakesOnlyMccsOwnOverlays) {
  EXPECT_TRUE(of(step({"-ivfsoverlay", "/tmp/mcc-1/port0.json"})));
  EXPECT_FALSE(of(step({"-ivfsoverlay", "/project/overlay.yaml"})));
}

}  // namespace
}  // namespace musashim::mcc
