#include <gtest/gtest.h>

#include <string>

#include "translator/lib/lex/scan.h"
#include "translator/lib/project_macros.h"

namespace musashim::translator {
namespace {

size_t textsIn(std::string_view text) {
  TokenStream stream;
  scan(text, stream);
  return textMacrosOf(text, stream.tokens).size();
}

TEST(ProjectMacros, BytesTellWhetherThereMayBeText) {
  for (const std::string_view text :
       {"#define OP \"ld\"\n", "#define OP MORE", "# define OP\tL\"x\"\r\n", "#define OP \\\n \"x\"\n",
        "#define OP/**/\"x\"\n", "#define/**/ OP \"x\"\n", "#define \\\nOP \"x\"\n",
        "#define X 1\n#define OP A\n", "#define Ö A\n", "#define OP\"x\"\n"}) {
    EXPECT_EQ(textsIn(text), 1U) << text;
    EXPECT_TRUE(mayDefineText(text)) << text;
  }
  for (const std::string_view text :
       {"", "define", "#def\\\nine OP \"x\"\n", "#define", "#define A_H\n#define B_H\r\n",
        "#define N 1\n#define M (2)\n", "#define F(x) x\n#if defined(A) && defined B\n",
        "#define C 'c'\n#define D .5\n#define E -1\n"}) {
    EXPECT_EQ(textsIn(text), 0U) << text;
    EXPECT_FALSE(mayDefineText(text)) << text;
  }
}

// Of the macros of one name the first definitions come first, and those that join nothing count behind one
// that does: so many threads find what one finds.
TEST(ProjectMacros, ThreadsChangeNothing) {
  std::vector<FileMacros> files;
  for (int file = 0; file < 300; ++file) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      const std::string name = std::to_string((file * 7 + i) % 101);
      text += "#define T" + name + " \"v" + std::to_string(file % 5) + "\"\n";
      text += (file + i) % 3 == 0 ? "#define P" + name + "(x) x##End" + std::to_string(file % 4) + "\n"
                                  : "#define P" + name + "(x, y) f(x) + 1\n";
    }
    files.push_back(macrosOf(text));
  }
  PastingMacros pasting, pastingOfMany;
  TextMacros texts, textsOfMany;
  add(files, 1, pasting, texts);
  add(files, 5, pastingOfMany, textsOfMany);
  EXPECT_EQ(texts.size(), 101U);
  EXPECT_EQ(texts, textsOfMany);
  ASSERT_EQ(pasting.size(), pastingOfMany.size());
  for (const auto& [name, parameters] : pasting) {
    const auto& others = pastingOfMany[name];
    ASSERT_EQ(parameters.size(), others.size()) << name;
    for (size_t i = 0; i < parameters.size(); ++i) {
      EXPECT_EQ(parameters[i].endings, others[i].endings) << name;
      EXPECT_EQ(parameters[i].partners, others[i].partners) << name;
      EXPECT_EQ(parameters[i].passed, others[i].passed) << name;
      EXPECT_EQ(parameters[i].used, others[i].used) << name;
    }
  }
}

}  // namespace
}  // namespace musashim::translator
