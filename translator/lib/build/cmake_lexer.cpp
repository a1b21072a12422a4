#include "translator/lib/build/cmake_lexer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "translator/lib/build/words.h"

namespace musashim::translator {
namespace {

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<CMakeArgument>* comments) : text_(text), comments_(comments) {}

  std::vector<CMakeCommand> run() {
    commands_.reserve(32);
    while (at_ < text_.size()) {
      if (skipSpace()) continue;
      if (!isAsciiWordByte(text_[at_])) {
        skipLine();
        continue;
      }
      command();
    }
    return std::move(commands_);
  }

 private:
  bool skipSpace() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
      return true;
    }
    if (c != '#') return false;
    const std::size_t begin = at_++;
    if (std::size_t end = 0; bracketAt(at_, end)) {
      at_ = end;
    } else {
      skipLine();
    }
    if (comments_) comments_->push_back({begin, at_, CMakeArgument::Kind::Unquoted});
    return true;
  }

  void skipLine() { at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1; }

  /// [==[ ... ]==] at `at`: `end` is behind it.
  bool bracketAt(std::size_t at, std::size_t& end) {
    if (at >= text_.size() || text_[at] != '[') return false;
    std::size_t open = at + 1;
    while (open < text_.size() && text_[open] == '=') ++open;
    if (open >= text_.size() || text_[open] != '[') return false;
    bracketSize_ = open + 1 - at;
    std::string close(text_.substr(at, bracketSize_));
    close.front() = close.back() = ']';
    const std::size_t found = text_.find(close, open + 1);
    end = found == std::string_view::npos ? text_.size() : found + close.size();
    return true;
  }

  void command() {
    CMakeCommand result{at_, at_, at_, {}};
    result.arguments.reserve(8);
    while (at_ < text_.size() && isAsciiWordByte(text_[at_])) ++at_;
    result.nameEnd = at_;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (at_ >= text_.size() || text_[at_] != '(') return skipLine();
    ++at_;
    for (int depth = 1; at_ < text_.size();) {
      if (skipSpace()) continue;
      const char c = text_[at_];
      if (c == '(' || c == ')') {
        ++at_;
        depth += c == '(' ? 1 : -1;
        if (depth == 0) break;
        continue;
      }
      argument(result);
    }
    result.end = at_;
    commands_.push_back(std::move(result));
  }

  void argument(CMakeCommand& into) {
    if (std::size_t end = 0; bracketAt(at_, end)) {
      const std::size_t begin = at_ + bracketSize_;
      into.arguments.push_back(
          {begin, std::max(begin, end - std::min(end, bracketSize_)), CMakeArgument::Kind::Bracket});
      at_ = end;
      return;
    }
    if (text_[at_] == '"') {
      const std::size_t begin = at_ + 1;
      const std::size_t end = quoteEnd(begin);
      into.arguments.push_back({begin, end, CMakeArgument::Kind::Quoted});
      at_ = std::min(end + 1, text_.size());
      return;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\') {
        at_ = std::min(at_ + 2, text_.size());
      } else if (c == '"') {  // -DX="a b"
        at_ = std::min(quoteEnd(at_ + 1) + 1, text_.size());
      } else if (c == '$' && at_ + 1 < text_.size() && text_[at_ + 1] == '(') {  // of Make
        at_ = std::min(text_.find(')', at_), text_.size() - 1) + 1;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '(' || c == ')' || c == '#') {
        break;
      } else {
        ++at_;
      }
    }
    into.arguments.push_back({begin, at_, CMakeArgument::Kind::Unquoted});
  }

  std::size_t quoteEnd(std::size_t at) const {
    while (at < text_.size() && text_[at] != '"') at += text_[at] == '\\' ? 2 : 1;
    return std::min(at, text_.size());
  }

  std::string_view text_;
  std::vector<CMakeArgument>* comments_;
  std::size_t at_ = 0;
  std::size_t bracketSize_ = 0;
  std::vector<CMakeCommand> commands_;
};

}  // namespace

std::vector<CMakeCommand> cmakeCommands(std::string_view text, std::vector<CMakeArgument>* comments) {
  return Lexer(text, comments).run();
}

}  // namespace musashim::translator
