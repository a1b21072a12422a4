// What looks at many bytes, or at a few of many names, against what looks at each.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "translator/lib/lex/byte_masks.h"
#include "translator/lib/lex/word_bytes.h"
#include "translator/lib/names/table.h"

namespace musashim::translator {
namespace {

/// Long enough for some blocks and what is left of one.
constexpr std::size_t kLongest = 200;

TEST(Search, FindsTwoBytesWhereverTheyStand) {
  for (const MaskFunctions* masks : allMasks()) {
    for (std::size_t size = 0; size <= kLongest; ++size) {
      for (std::size_t place = 0; place <= size; ++place) {
        std::string text(size, '<');
        for (std::size_t i = 1; i < size; i += 2) text[i] = 'x';  // the first of them alone
        text.replace(place, 2, "<>", std::min<std::size_t>(2, size - place));
        text += "<>";  // behind the end
        const char* const end = text.data() + size;
        const std::size_t expected = std::string_view(text.data(), size).find("<>");
        const char* const found = masks->findBytes(text.data(), end, '<', '>');
        ASSERT_EQ(found ? static_cast<std::size_t>(found - text.data()) : std::string_view::npos, expected)
            << size << " " << place;
      }
    }
  }
}

TEST(Search, FindsTwoBytesFromAPlaceOn) {
  EXPECT_EQ(findBytes("a<<b<<", '<', '<'), 1U);
  EXPECT_EQ(findBytes("a<<b<<", '<', '<', 2), 4U);
  EXPECT_EQ(findBytes("a<<b<<", '<', '<', 5), std::string_view::npos);
  EXPECT_EQ(findBytes("a<<b<<", '<', '<', 7), std::string_view::npos);
  EXPECT_EQ(findBytes("<", '<', '<'), std::string_view::npos);
  EXPECT_EQ(findBytes("", '<', '<'), std::string_view::npos);
}

TEST(Search, RunsOfLiteralsEndAtQuotesBackslashesAndLines) {
  for (const char end : {'"', '\\', '\n'}) {
    for (std::size_t place = 0; place <= 40; ++place) {
      std::string text(40, '\'');  // the other quote
      text.replace(place, 1, std::min<std::size_t>(1, text.size() - place), end);
      EXPECT_EQ(endOfRun(text.data(), text.data() + 40, '"') - text.data(),
                static_cast<std::ptrdiff_t>(place));
    }
  }
  const std::string text = "a\"b'";
  EXPECT_EQ(endOfRun(text.data(), text.data() + text.size(), '\'') - text.data(), 3);
}

TEST(Search, KnowsTheBeginningsOfAllNames) {
  std::vector<std::string> names;
  visitNames([](const KnownName& name,
                void* context) { static_cast<std::vector<std::string>*>(context)->emplace_back(name.name); },
             &names);
  ASSERT_GT(names.size(), 10000U);
  std::sort(names.begin(), names.end());
  const auto expected = [&](const std::string& beginning) {
    const auto next = std::upper_bound(names.begin(), names.end(), beginning);
    return next != names.end() && next->starts_with(beginning);
  };
  for (const std::string& name : names) {
    for (std::size_t size = 1; size <= name.size(); ++size) {
      const std::string beginning = name.substr(0, size), other = beginning + '~', lower = beginning + '!';
      ASSERT_EQ(beginsNames(beginning), expected(beginning)) << beginning;
      ASSERT_FALSE(beginsNames(other)) << other;
      ASSERT_FALSE(beginsNames(lower)) << lower;
    }
  }
  EXPECT_TRUE(beginsNames(""));
}

}  // namespace
}  // namespace musashim::translator
