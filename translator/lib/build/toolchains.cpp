#include "translator/lib/build/toolchains.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "translator/lib/build/build_table.h"
#include "translator/lib/build/words.h"

namespace musashim::translator {
namespace {

enum class Language : std::uint8_t { None, Meson, Bazel };

Language languageOf(std::string_view name) {
  if (name.starts_with("meson")) return Language::Meson;
  if (name.ends_with(".bazel") || name.ends_with(".bzl") || name == "BUILD" || name == "WORKSPACE")
    return Language::Bazel;
  return Language::None;
}

/// Calls and the strings in them, which both languages write as Python does.
class Toolchains {
 public:
  Toolchains(BuildEditor& editor, Language language)
      : editor_(editor), text_(editor.text()), language_(language) {}

  void run() {
    for (std::size_t at = 0; at < text_.size();) at = step(at);
  }

 private:
  std::size_t step(std::size_t at) {
    const char c = text_[at];
    if (c == '#') return std::min(text_.find('\n', at), text_.size());
    if (c == '"' || c == '\'') return string(at);
    if (c == '(') calls_.push_back(std::exchange(word_, {}));
    if (c == ')' && !calls_.empty()) calls_.pop_back();
    if (!isAsciiWordByte(c)) {
      if (c == ':' || c == '=') keyword_ = word_;
      if (c == ',' || c == '(') keyword_ = {};
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') word_ = {};
      return at + 1;
    }
    std::size_t end = at;
    while (end < text_.size() && isAsciiWordByte(text_[end])) ++end;
    word_ = text_.substr(at, end - at);
    if (language_ == Language::Bazel && end < text_.size() && text_[end] == '(') report(at, end, word_);
    return end;
  }

  std::size_t string(std::size_t begin) {
    const std::string_view quote = text_.substr(begin, 1);
    const std::string_view three = text_.substr(begin, 3);
    const bool isLong = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
    const std::size_t from = begin + (isLong ? 3 : 1);
    std::size_t end = from;
    for (;; ++end) {
      end = std::min(text_.find(isLong ? three : quote, end), text_.size());
      if (isLong || end == text_.size() || text_[end - 1] != '\\' || end == from) break;
    }
    content(from, end);
    return std::min(end + (isLong ? 3 : 1), text_.size());
  }

  void content(std::size_t begin, std::size_t end) {
    const std::string_view text = text_.substr(begin, end - begin);
    if (language_ == Language::Bazel) return report(begin, end, text);
    const std::string_view call = calls_.empty() ? std::string_view() : calls_.back();
    if (call == "find_library") {
      const BuildRow* row = findRow(BuildTable::Libraries, text);
      if (row && row->becomes.empty()) editor_.leave(begin, end, row->advice);
      if (row && !row->becomes.empty()) editor_.replace(begin, end, row->becomes);
    } else if (text.find("cuda") != std::string_view::npos) {
      // 'cuda' as an option's name or a folder's is the project's own.
      const std::string_view place = keyword_ == "language" ? keyword_ : call;
      report(begin, end, std::string(place).append(1, ' ').append(text));
    }
  }

  void report(std::size_t begin, std::size_t end, std::string_view what) {
    const BuildTable table = language_ == Language::Meson ? BuildTable::MesonWords : BuildTable::BazelWords;
    const BuildRow* row = findBeginning(table, what);
    if (!row) return;
    // A label goes on behind the name of its repository, a name does not.
    const char next = what.size() > row->name.size() ? what[row->name.size()] : '/';
    if (next == '/' || next == '.') editor_.leave(begin, end, row->advice);
  }

  BuildEditor& editor_;
  std::string_view text_;
  Language language_;
  std::vector<std::string_view> calls_;  // those that are open
  std::string_view word_;                // just before
  std::string_view keyword_;             // whose value comes
};

}  // namespace

void reportToolchains(BuildEditor& editor, std::string_view name) {
  if (const Language language = languageOf(name); language != Language::None)
    Toolchains(editor, language).run();
}

}  // namespace musashim::translator
