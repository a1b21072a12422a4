#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "translator/lib/project_macros.h"

namespace musashim::translator {
namespace {

size_t macrosIn(std::string_view text) {
  const FileMacros macros = macrosOf(text);
  return macros.texts.size() + macros.pasting.size();
}

TEST(ProjectMacros, BytesTellWhetherThereMayBeOne) {
  for (const std::string_view text :
       {"#define OP \"ld\"\n", "#define OP MORE", "# define OP\tL\"x\"\r\n", "#define OP \\\n \"x\"\n",
        "#define OP/**/\"x\"\n", "#define/**/ OP \"x\"\n", "#define \\\nOP \"x\"\n", "#define\f\vOP A\n",
        "#define X 1\n#define OP A\n", "#define Ö A\n", "#define OP\"x\"\n", "#define F(x) x##End\n",
        "#define F(x) g(x) // ##\n", "#define O\\\nP A\n"}) {
    EXPECT_EQ(macrosIn(text), 1U) << text;
    EXPECT_EQ(macroNamesOf(text).size(), 1U) << text;
  }
  for (const std::string_view text :
       {"", "define", "#def\\\nine OP \"x\"\n", "#define", "#define A_H\n#define B_H\r\n",
        "#define N 1\n#define M (2)\n", "#define F(x) x\n#if defined(A) && defined B\n",
        "#define C 'c'\n#define D .5\n#define E -1\n", "// to define, or to define/undef: \"define\"\n"}) {
    EXPECT_EQ(macrosIn(text), 0U) << text;
    EXPECT_EQ(macroNamesOf(text).size(), 0U) << text;
  }
}

void expectSame(const std::vector<PastedParameter>& some, const std::vector<PastedParameter>& others,
                const std::string& name) {
  ASSERT_EQ(some.size(), others.size()) << name;
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].endings, others[i].endings) << name;
    EXPECT_EQ(some[i].partners, others[i].partners) << name;
    EXPECT_EQ(some[i].passed, others[i].passed) << name;
    EXPECT_EQ(some[i].used, others[i].used) << name;
  }
}

ProjectMacros macrosOfAll(const std::vector<std::string>& texts, unsigned threads) {
  static std::vector<MacroNames> names;
  names.clear();
  for (const std::string& text : texts) names.push_back(macroNamesOf(text));
  std::vector<const MacroNames*> pointers;
  for (const MacroNames& some : names) pointers.push_back(&some);
  return {pointers, threads, [&texts](size_t file) { return macrosOf(texts[file]); }};
}

// Of the macros of one name the first definitions come first, and those that join nothing count behind one
// that does: so many threads find what one finds.
TEST(ProjectMacros, ThreadsChangeNothing) {
  std::vector<std::string> texts;
  for (int file = 0; file < 300; ++file) {
    std::string& text = texts.emplace_back();
    for (int i = 0; i < 40; ++i) {
      const std::string name = std::to_string((file * 7 + i) % 101);
      text += "#define T" + name + " \"v" + std::to_string(file % 5) + "\"\n";
      text += (file + i) % 3 == 0 ? "#define P" + name + "(x) x##End" + std::to_string(file % 4) + "\n"
                                  : "#define P" + name + "(x, y) f(x) + 1\n";
    }
  }
  const ProjectMacros one = macrosOfAll(texts, 1), many = macrosOfAll(texts, 5);
  const auto all = one.all(1), allOfMany = many.all(5);
  EXPECT_EQ(all.second.size(), 101U);
  EXPECT_EQ(all.second, allOfMany.second);
  ASSERT_EQ(all.first.size(), allOfMany.first.size());
  for (const auto& [name, parameters] : all.first) expectSame(parameters, allOfMany.first.at(name), name);
}

// One that is asked for is what it is among all, though only the files that may define it are looked at.
TEST(ProjectMacros, OneIsFoundWithoutTheOthers) {
  const std::vector<std::string> texts = {
      "#define T \"a\"\n#define P(x) f(x)\n",
      "#define P(x) x##End\n#define U T\n",
      "#define/**/T \"b\"\n",
      "#define OTHER \"c\"\n",
      "#define P(x, y) y##x\n#define NUMBER 3\n",
  };
  for (const unsigned threads : {1U, 3U}) {
    const ProjectMacros macros = macrosOfAll(texts, threads);
    const auto all = macrosOfAll(texts, threads).all(threads);
    for (const std::string name : {"T", "U", "OTHER"}) {
      ASSERT_NE(macros.texts(name), nullptr) << name;
      EXPECT_EQ(*macros.texts(name), all.second.at(name)) << name;
    }
    EXPECT_EQ(macros.texts("T")->size(), 2U);
    ASSERT_NE(macros.pasting("P"), nullptr);
    expectSame(*macros.pasting("P"), all.first.at("P"), "P");
    EXPECT_EQ(macros.pasting("P")->size(), 2U);
    for (const std::string name : {"NUMBER", "NONE", "x"}) {
      EXPECT_EQ(macros.texts(name), nullptr) << name;
      EXPECT_EQ(macros.pasting(name), nullptr) << name;
    }
    EXPECT_FALSE(macros.empty());
  }
  EXPECT_TRUE(macrosOfAll({"int x;\n", "#define N 1\n"}, 2).empty());
}

// A file is looked at once, whatever is asked of it and by whom.
TEST(ProjectMacros, AFileIsReadOnce) {
  const std::vector<std::string> texts(8, "#define A \"x\"\n#define B \"y\"\n");
  std::vector<MacroNames> names(texts.size(), macroNamesOf(texts[0]));
  std::vector<const MacroNames*> pointers;
  for (const MacroNames& some : names) pointers.push_back(&some);
  std::atomic<int> reads{0};
  const ProjectMacros macros(pointers, 2, [&](size_t file) {
    ++reads;
    return macrosOf(texts[file]);
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      EXPECT_EQ(macros.texts("A")->size(), 1U);
      EXPECT_EQ(macros.texts("B")->size(), 1U);
      EXPECT_EQ(macros.texts("C"), nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(reads, 8);
}

}  // namespace
}  // namespace musashim::translator
