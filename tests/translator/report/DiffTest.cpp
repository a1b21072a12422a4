#include <gtest/gtest.h>

#include "translator/lib/report/diff.h"

namespace musashim::translator {
namespace {

TEST(Diff, NothingToSay) { EXPECT_EQ(unifiedDiff("a", "a", "x\n", {}), ""); }

TEST(Diff, RenameAlone) {
  EXPECT_EQ(unifiedDiff("a.cu", "a.mu", "x\n", {}),
            "diff --git a/a.cu b/a.mu\nrename from a.cu\nrename to a.mu\n");
}

TEST(Diff, OneLineWithContext) {
  const std::vector<Edit> edits = {{8, 9, "E"}};
  EXPECT_EQ(unifiedDiff("f", "f", "a\nb\nc\nd\ne\nf\ng\nh\ni\n", edits),
            "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
}

TEST(Diff, LastLineWithoutNewline) {
  const std::vector<Edit> edits = {{2, 3, "B"}};
  EXPECT_EQ(unifiedDiff("f", "f", "a\nb", edits),
            "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of "
            "file\n+B\n\\ No newline at end of file\n");
}

TEST(Diff, FarChangesGetTheirOwnHunksAndNearOnesShare) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "x\n";
  const std::vector<Edit> edits = {{0, 1, "y"}, {8, 9, "y"}, {50, 51, "y"}};
  const std::string diff = unifiedDiff("f", "f", text, edits);
  EXPECT_NE(diff.find("@@ -1,8 +1,8 @@"), std::string::npos) << diff;
  EXPECT_NE(diff.find("@@ -23,7 +23,7 @@"), std::string::npos) << diff;
}

TEST(Diff, EditAcrossLinesChangesTheCount) {
  const std::vector<Edit> edits = {{0, 3, "z"}, {12, 13, "w"}};
  EXPECT_EQ(unifiedDiff("f", "f", "a\nb\nc\nd\ne\nf\ng\n", edits),
            "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,7 +1,6 @@\n-a\n-b\n+z\n c\n d\n e\n f\n-g\n+w\n");
}

}  // namespace
}  // namespace musashim::translator
