#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "translator/lib/lex/scan.h"
#include "translator/lib/names/lexicon.h"

namespace musashim::translator {
namespace {

/// Tokens as `kind:bytes`, separated by `|`; comments apart behind a `#`.
std::string scanned(std::string_view text) {
  static constexpr const char* kNames[] = {"id", "num", "str", "raw", "chr", "hdr",
                                           "",   "dir", "end", "lc",  "bc"};
  TokenStream stream;
  scan(text, stream);
  std::string out;
  for (const auto* list : {&stream.tokens, &stream.comments}) {
    if (list == &stream.comments && !list->empty()) out += " # ";
    for (const Token& token : *list) {
      if (!out.empty() && out.back() != ' ') out += '|';
      const std::string name = kNames[static_cast<int>(token.kind)];
      out += name + (name.empty() ? "" : ":") + std::string(bytesOf(token, text));
    }
  }
  return out;
}

struct Case {
  const char* name;
  std::string_view text;
  std::string_view tokens;
};

class ScanCases : public testing::TestWithParam<Case> {};

TEST_P(ScanCases, Tokens) { EXPECT_EQ(scanned(GetParam().text), GetParam().tokens); }

using namespace std::string_view_literals;

INSTANTIATE_TEST_SUITE_P(
    Scan, ScanCases,
    testing::Values(
        Case{"Empty", "", ""}, Case{"Blank", " \t\r\n\n", ""}, Case{"Words", "a b_1 $c", "id:a|id:b_1|id:$c"},
        Case{"Utf8Word", "caf\xC3\xA9 x", "id:caf\xC3\xA9|id:x"}, Case{"LatinByte", "\xE9 x", "id:\xE9|id:x"},
        Case{"Bom", "\xEF\xBB\xBFx", "id:x"}, Case{"Nul", "a\0b"sv, "id:a|\0|id:b"sv},
        Case{"Splice", "ab\\\ncd e", "id:ab\\\ncd|id:e"}, Case{"SpliceCrlf", "ab\\\r\ncd", "id:ab\\\r\ncd"},
        Case{"SpliceBlank", "ab\\ \ncd", "id:ab\\ \ncd"}, Case{"SpliceTwice", "a\\\n\\\nb", "id:a\\\n\\\nb"},
        Case{"SpliceAfterWord", "ab\\\n cd", "id:ab|id:cd"}, Case{"Backslash", "a\\b", "id:a|\\|id:b"},
        Case{"BackslashAtEnd", "a\\", "id:a|\\"},
        Case{"Numbers", "0x1F 1'000 1.5e+3f .5 1e-9", "num:0x1F|num:1'000|num:1.5e+3f|num:.5|num:1e-9"},
        Case{"HexSum", "0x1e+1", "num:0x1e|+|num:1"}, Case{"HexFloat", "0x1p+1", "num:0x1p+1"},
        Case{"NumberThenMember", "1.x", "num:1.x"},
        Case{"Strings", "\"a\\\"b\" u8\"x\" L\"y\"", "str:\"a\\\"b\"|str:u8\"x\"|str:L\"y\""},
        Case{"WordNotPrefix", "foo\"x\"", "id:foo|str:\"x\""},
        Case{"OpenString", "\"abc\nd", "str:\"abc|id:d"},
        Case{"SplicedString", "\"a\\\nb\" c", "str:\"a\\\nb\"|id:c"},
        Case{"Chars", "'a' '\\'' L'x'", "chr:'a'|chr:'\\''|chr:L'x'"},
        Case{"OpenChar", "don't do\nx", "id:don|chr:'t do|id:x"},
        Case{"Raw", "R\"(a\"b\\\n)\" x", "raw:R\"(a\"b\\\n)\"|id:x"},
        Case{"RawDelimiter", "R\"cu(x)\" )cu\" y", "raw:R\"cu(x)\" )cu\"|id:y"},
        Case{"RawPrefix", "u8R\"(x)\"", "raw:u8R\"(x)\""}, Case{"RawOpen", "R\"(abc", "raw:R\"(abc"},
        Case{"RawBadDelimiter", "R\"a b(x)\"", "str:R\"a b(x)\""},
        Case{"WordEndsInR", "FOR\"x\"", "id:FOR|str:\"x\""},
        Case{"LineComment", "a//b\nc", "id:a|id:c # lc://b"},
        Case{"SplicedComment", "//a\\\nb\nc", "id:c # lc://a\\\nb"},
        Case{"SplicedOpener", "/\\\n/ x\ny", "id:y # lc:/\\\n/ x"},
        Case{"BlockComment", "a/*b\n*/c", "id:a|id:c # bc:/*b\n*/"},
        Case{"OpenComment", "a/*b", "id:a # bc:/*b"}, Case{"CommentInString", "\"//\" x", "str:\"//\"|id:x"},
        Case{"QuoteInComment", "//'\nx", "id:x # lc://'"},
        Case{"Marks", "a::b->c...d", "id:a|::|id:b|->|id:c|...|id:d"},
        Case{"Launch", "k<<<1,2>>>()", "id:k|<|<|<|num:1|,|num:2|>|>|>|(|)"},
        Case{"Include", "#include <a/b.h> // x\n", "dir:#|id:include|hdr:<a/b.h>|end: # lc:// x"},
        Case{"IncludeQuoted", " # include\t\"a b.h\"\n", "dir:#|id:include|hdr:\"a b.h\"|end:"},
        Case{"IncludeMacro", "#include X\n", "dir:#|id:include|id:X|end:"},
        Case{"IncludeAfterComment", "#/*c*/include/*d*/<x>\n",
             "dir:#|id:include|hdr:<x>|end: # bc:/*c*/|bc:/*d*/"},
        Case{"Directive", "#define A a##b\\\n c\nd", "dir:#|id:define|id:A|id:a|##|id:b|id:c|end:|id:d"},
        Case{"DirectiveAtEnd", "#endif", "dir:#|id:endif|end:"},
        Case{"SplicedDirective", "#inc\\\nlude <x>\n", "dir:#|id:inc\\\nlude|hdr:<x>|end:"},
        Case{"ErrorIsProse", "#error don't \"do\nx", "dir:#|id:error|end:|id:x"},
        Case{"HashInside", "a # b", "id:a|#|id:b"},
        Case{"CommentBeforeHash", "/* c */ #if x\n", "dir:#|id:if|id:x|end: # bc:/* c */"}),
    [](const auto& info) { return info.param.name; });

TEST(Scan, SpellingDropsSplices) {
  const std::string_view text = "cu\\\r\nda\\ \nX";
  TokenStream stream;
  scan(text, stream);
  ASSERT_EQ(stream.tokens.size(), 1U);
  EXPECT_EQ(spelling(stream.tokens[0], text), "cudaX");
}

TEST(Scan, BodyOfLiterals) {
  for (const auto& [text, body] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"\"\"", ""},
                                                                            {"\"ab\"", "ab"},
                                                                            {"u8\"ab\"", "ab"},
                                                                            {"\"ab", "ab"},
                                                                            {"\"", ""},
                                                                            {"R\"(ab)\"", "ab"},
                                                                            {"R\"xy(ab)xy\"", "ab"},
                                                                            {"R\"()\"", ""},
                                                                            {"'a'", "a"}}) {
    TokenStream stream;
    scan(text, stream);
    ASSERT_EQ(stream.tokens.size(), 1U) << text;
    EXPECT_EQ(bytesOf(literalBody(stream.tokens[0], text), text), body) << text;
  }
}

/// What may be cut by a block's end, joined at random; also words that are longer than a block.
std::string mixture(std::uint32_t& state) {
  static const std::vector<std::string> kPieces = {":",
                                                   ":",
                                                   "->",
                                                   "-",
                                                   ">",
                                                   ".",
                                                   "1",
                                                   "2e+",
                                                   "0x1p",
                                                   "'",
                                                   "\"",
                                                   "\"a\"",
                                                   "L\"b\"",
                                                   "\\",
                                                   "\n",
                                                   "\\\n",
                                                   "\\ \n",
                                                   "\r",
                                                   "//",
                                                   "// c",
                                                   "/* d",
                                                   "*/",
                                                   "#",
                                                   "#define ",
                                                   "cudaMalloc",
                                                   "{",
                                                   "}",
                                                   "(",
                                                   " ",
                                                   "    ",
                                                   "x_",
                                                   "$",
                                                   "R\"(",
                                                   ")\"",
                                                   "\xC3\xBA",
                                                   std::string(20, ' '),
                                                   std::string(90, 'w')};
  std::string text;
  const auto next = [&](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % below;
  };
  for (std::size_t left = 1 + next(120); left > 0; --left) text += kPieces[next(kPieces.size())];
  return text;
}

/// Holds texts that end where no byte can be read any more.
class LastPage {
 public:
  LastPage() : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* const pages = mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    begin_ = pages == MAP_FAILED ? nullptr : static_cast<char*>(pages);
    if (begin_) mprotect(begin_ + size_, size_, PROT_NONE);
  }
  ~LastPage() {
    if (begin_) munmap(begin_, 2 * size_);
  }
  LastPage(const LastPage&) = delete;
  LastPage& operator=(const LastPage&) = delete;

  bool works() const { return begin_ != nullptr; }
  /// Its end, if it is longer than the page.
  std::string_view hold(std::string_view text) {
    text.remove_prefix(text.size() - std::min(text.size(), size_));
    char* const place = begin_ + size_ - text.size();
    std::copy(text.begin(), text.end(), place);
    return {place, text.size()};
  }

 private:
  std::size_t size_;
  char* begin_;
};

TEST(Scan, ReadsNothingBehindTheText) {
  LastPage page;
  ASSERT_TRUE(page.works());
  std::uint32_t state = 7;
  for (int i = 0; i < 5000; ++i) {
    // A backslash at the end hides nothing, wherever in a block it stands.
    const std::string text =
        mixture(state) + "\"" + std::string(static_cast<std::size_t>(i % 130), 'a') + '\\';
    for (const MaskFunctions* masks : allMasks()) {
      TokenStream stream;
      scan(page.hold(text), stream, Lexicon::standard().stops(), *masks);
      ASSERT_FALSE(stream.tokens.empty() && stream.comments.empty()) << text;
    }
  }
}

TEST(Scan, ManyTokensAtATimeAreTheSameAsOneByOne) {
  const auto parts = [](const TokenList& tokens) {
    std::vector<std::array<std::uint32_t, 5>> all;
    for (const Token& token : tokens) {
      all.push_back({token.begin, token.end, static_cast<std::uint32_t>(token.kind),
                     static_cast<unsigned char>(token.mark), token.spliced});
    }
    return all;
  };
  std::uint32_t state = 1;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = mixture(state);
    TokenStream expected;
    scanOneByOne(text, expected);
    std::vector<std::uint32_t> stops;
    for (const MaskFunctions* masks : allMasks()) {
      TokenStream stream;  // has no room yet, which must grow between any two blocks
      scan(text, stream, Lexicon::standard().stops(), *masks);
      ASSERT_EQ(parts(stream.tokens), parts(expected.tokens)) << text;
      ASSERT_EQ(parts(stream.comments), parts(expected.comments)) << text;
      if (masks == allMasks().front()) stops.assign(stream.stops.begin(), stream.stops.end());
      ASSERT_TRUE(std::ranges::equal(stream.stops, stops)) << text;
    }
  }
}

}  // namespace
}  // namespace musashim::translator
