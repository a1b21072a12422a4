#include "diff/tool/align.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace musashim::diff {
namespace {

std::vector<Event> events(const std::string& keys) {
  std::vector<Event> result;
  for (const char key : keys) {
    Event event;
    event.key = key;
    result.push_back(event);
  }
  return result;
}

// "ab|-c" is: a with a, b alone in the first, c alone in the second.
std::string aligned(const std::string& a, const std::string& b) {
  std::string first, second;
  for (const Pair& pair : align(events(a), events(b))) {
    first += pair.a ? a[*pair.a] : '-';
    second += pair.b ? b[*pair.b] : '-';
  }
  return first + "|" + second;
}

TEST(Align, SameRuns) { EXPECT_EQ(aligned("abcabc", "abcabc"), "abcabc|abcabc"); }

TEST(Align, OneMore) {
  EXPECT_EQ(aligned("abc", "abxc"), "ab-c|abxc");
  EXPECT_EQ(aligned("xabc", "abc"), "xabc|-abc");
  EXPECT_EQ(aligned("abc", "abcx"), "abc-|abcx");
}

TEST(Align, NothingAlike) {
  const std::string result = aligned("ab", "cd");
  EXPECT_EQ(result.size(), 9u);
  EXPECT_EQ(std::count(result.begin(), result.end(), '-'), 4);
}

TEST(Align, Empty) {
  EXPECT_EQ(aligned("", ""), "|");
  EXPECT_EQ(aligned("a", ""), "a|-");
}

TEST(Align, RepeatedKernels) {
  const std::string result = aligned(std::string(500, 'k') + "z", std::string(503, 'k') + "z");
  EXPECT_EQ(std::count(result.begin(), result.end(), '-'), 3);
}

}  // namespace
}  // namespace musashim::diff
