#include "mcc/driver/compile/dependency_file.h"

#include <gtest/gtest.h>

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

TEST(DependencyFile, FirstRuleGetsWhatItLacks) {
  EXPECT_EQ(withPrerequisites("a.o: a.mu \\\n  b.h\n", {"b.h", "c.h", "c.h"}, false),
            "a.o: a.mu \\\n  b.h \\\n  c.h\n");
  EXPECT_EQ(withPrerequisites("a.o: a.mu \\\n  b.h\nb.h:\n", {"a.mu", "c.h"}, true),
            "a.o: a.mu \\\n  b.h \\\n  c.h\nb.h:\nc.h:\n");
  EXPECT_EQ(withPrerequisites("a.o: a.mu\n", {"a.mu"}, true), "a.o: a.mu\n");
}

TEST(DependencyFile, NamesAreEscapedAndTheSame) {
  EXPECT_EQ(withPrerequisites("a.o: a.mu my\\ own.h\n", {"my own.h", "an other#1$.h"}, false),
            "a.o: a.mu my\\ own.h \\\n  an\\ other\\#1$$.h\n");
}

TEST(DependencyFile, WithoutAnEndOfLine) {
  EXPECT_EQ(withPrerequisites("a.o: a.mu", {"b.h"}, false), "a.o: a.mu \\\n  b.h");
  EXPECT_EQ(withPrerequisites("", {}, true), "");
}

TEST(DependencyFile, IsWantedWhereTheHostWritesOne) {
  FrontendArguments none{"clang", {"-emit-obj"}, false};
  EXPECT_FALSE(DependencyFile(none, "/tmp/rules").isWanted());
  FrontendArguments host{"clang", {"-sys-header-deps", "-dependency-file", "a.d", "-MT", "a.o"}, false};
  DependencyFile file(host, "/tmp/rules");
  EXPECT_TRUE(file.isWanted());
  EXPECT_EQ(host.arguments[2], "a.d");
  Strings pass;
  file.addTo(pass, "/tmp/list");
  EXPECT_EQ(pass, (Strings{"-dependency-file", "/tmp/list", "-MT", "read", "-sys-header-deps"}));
}

TEST(DependencyFile, PrintedRulesWaitForAllPasses) {
  FrontendArguments host{"clang", {"-dependency-file", "-"}, false};
  EXPECT_TRUE(DependencyFile(host, "/tmp/rules").isWanted());
  EXPECT_EQ(host.arguments[1], "/tmp/rules");
}

}  // namespace
}  // namespace musashim::mcc
