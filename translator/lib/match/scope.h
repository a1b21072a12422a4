#pragma once

// Where in the program a token stands, as far as brackets and #if tell: inside which record, behind
// which conditionals. Lexical, so it needs no headers and no macro definitions.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "translator/lib/match/cursor.h"

namespace musashim::translator {

/// One #if ... #elif ... #else ... #endif.
struct Conditional {
  bool testsArchitecture = false;  // some condition of it names __CUDA_ARCH__
  bool holdsAssembly = false;      // PTX that could not be ported, in no inner one of that kind
};

class Scope {
 public:
  explicit Scope(const Cursor& cursor) : cursor_(cursor) {
    constexpr std::size_t kUsual = 16;
    levels_.reserve(kUsual);
    holes_.reserve(kUsual);
  }

  /// Must see every word that lexicon.stops() lets pass, and every brace and directive, in order; and any
  /// word or mark while it needsAll(). A macro's words and braces are not the program's.
  void identifier(std::size_t index) {
    if (inDirective_) return;
    const std::string_view name = bytesOf(cursor_.tokens[index], cursor_.text);
    if (inSpaceName_ || mayBeKeyword(name)) return word(index, name);
    wordsSinceTag_ += tagged_ ? 1 : 0;
  }
  void punctuator(std::size_t index) {
    const char which = cursor_.tokens[index].mark;
    if (!inDirective_ && matters(which)) mark(which, index);
  }
  void openDirective(std::size_t index);
  void closeDirective(std::size_t index) {
    if (inDirective_) holes_.push_back({directive_, index});
    inDirective_ = false;
  }
  /// Tokens [index, end) are none of the program's.
  void skip(std::size_t index, std::size_t end) {
    if (!inDirective_) holes_.push_back({index, end});
  }
  /// Behind a keyword that may open a scope.
  bool needsAll() const { return (tagged_ || inSpaceName_) && !inDirective_; }

  bool inDirective() const { return inDirective_; }
  /// The directive is #if, #elif, #ifdef or #ifndef.
  bool inCondition() const { return inDirective_ && inCondition_; }

  /// Is the name behind `->` a type, as in `auto f() -> NAME`, rather than a member?
  bool isReturnType(std::size_t index) const;

  /// Is the identifier declared here as a member of a record: `int NAME;`, `int NAME(...)`,
  /// `int (*NAME)(...)` directly inside struct, class or union?
  bool declaresMember(std::size_t index) const;

  /// Is the identifier declared here as a variable of the function that holds it?
  bool declaresLocal(std::size_t index) const;
  /// Does the statement that holds the token begin with `using`?
  bool inUsing(std::size_t index) const { return cursor_.bytes(statementStart(index)) == "using"; }
  /// The namespace whose brace was opened last; empty if another brace was.
  std::string_view innermostNamespace() const {
    return levels_.empty() ? std::string_view() : levels_.back().name;
  }
  /// Number of braces that are open.
  std::size_t depth() const { return levels_.size(); }
  /// Does the source define the identifier here, as something of its own? Nothing for uses, prototypes,
  /// typedefs (which may only repeat the API's) and what is local to a function.
  std::optional<Definition> definition(std::size_t index, std::string_view name) const;
  /// The record that a member is declared in; empty if it has no name.
  std::string_view record() const;
  /// Is the current token inside namespace or record `name`, in a function `name::f`, or behind
  /// `using namespace name`?
  bool sees(std::string_view name) const;

  /// Of the innermost conditional; SIZE_MAX outside of all.
  std::size_t currentConditional() const;
  void noteArchitectureTest();
  void noteAssembly();
  const Conditional& conditional(std::size_t id) const { return conditionals_[id]; }

 private:
  enum class Brace : std::uint8_t { Block, Record, Enum, Namespace, ExternC };
  /// Tokens [begin, end) that a count of round brackets leaves out: a block that is closed, a directive.
  struct Hole {
    std::size_t begin;
    std::size_t end;
  };
  /// Of the round brackets that are open in a block: most numbers are never asked for.
  struct Count {
    std::uint32_t parens = 0;
    std::size_t done = 0;      // the token that comes next
    std::size_t nextHole = 0;  // of holes_
  };
  struct Level {
    Brace brace;
    std::string_view name;  // of a namespace
    std::size_t token;      // its brace
    Count outer;            // up to that
    std::size_t holes;      // that there were
  };
  struct OpenConditional {
    std::size_t id;
    std::vector<Level> levels;  // brackets open at its #if
    std::uint32_t parens;
  };

  void directive(std::size_t index, std::string_view name);
  void openConditional();
  void elseConditional();
  void closeConditional();
  /// namespace, class, struct, union, enum: told from most words by length and first letter.
  static bool mayBeKeyword(std::string_view name) {
    return name.size() - 4 <= 5 &&
           (name[0] == 's' || name[0] == 'c' || name[0] == 'e' || name[0] == 'u' || name[0] == 'n');
  }
  /// The marks that mark() looks at.
  static bool matters(char mark) {
    static constexpr auto kMarks = [] {
      std::array<bool, 256> result{};
      for (const char c : std::string_view("{}();=:<>,")) result[static_cast<unsigned char>(c)] = true;
      return result;
    }();
    return kMarks[static_cast<unsigned char>(mark)];
  }
  void word(std::size_t index, std::string_view name);
  void mark(char mark, std::size_t index);
  Level opened(std::size_t index);
  bool belongsTo(const Level& level, std::string_view name) const;
  bool declaresAuto(std::size_t close) const;
  bool afterTypeWord(std::size_t index) const;
  bool behindInitializer(std::size_t index) const;
  bool startsBody(std::size_t index) const;
  std::string_view signOf(std::size_t index) const;
  bool defines(std::size_t index) const;
  bool hasTypeOfApi(std::size_t index, std::string_view name) const;
  std::size_t statementStart(std::size_t index) const;
  bool inRecord() const { return !levels_.empty() && levels_.back().brace == Brace::Record; }
  bool inEnum() const { return !levels_.empty() && levels_.back().brace == Brace::Enum; }
  bool inFunctionOrRecord() const;

  void count(Count& count, std::size_t end) const {
    auto parens = static_cast<std::int32_t>(count.parens);
    for (; count.done < end; ++count.done) {
      const char mark = cursor_.tokens[count.done].mark;
      parens = std::max(parens + (mark == '(' ? 1 : 0) - (mark == ')' ? 1 : 0), 0);
    }
    count.parens = static_cast<std::uint32_t>(parens);
  }
  /// Up to token `end`, when there were `holes`.
  void finish(Count& count, std::size_t end, std::size_t holes) const {
    for (; count.nextHole < holes; ++count.nextHole) {
      this->count(count, holes_[count.nextHole].begin);
      count.done = holes_[count.nextHole].end;
    }
    this->count(count, end);
  }
  std::uint32_t parensBefore(std::size_t index) const {
    finish(now_, index, holes_.size());
    return now_.parens;
  }

  const Cursor& cursor_;
  bool inDirective_ = false;
  bool inCondition_ = false;
  std::vector<Level> levels_;
  mutable Count now_;
  std::vector<Hole> holes_;
  std::size_t directive_ = 0;  // where the last one began
  // A struct, class, union or enum keyword was seen and its brace may still come.
  bool tagged_ = false;
  Brace tag_ = Brace::Block;
  std::uint32_t wordsSinceTag_ = 0;
  std::uint32_t angles_ = 0;
  std::uint32_t parens_ = 0;  // open since the keyword
  bool basesSeen_ = false;
  std::string_view spaceName_;  // after `namespace`
  bool inSpaceName_ = false;
  std::vector<std::string_view> usings_;
  bool guarded_ = false;  // the whole file stands behind an include guard
  std::vector<OpenConditional> open_;
  std::vector<Conditional> conditionals_;
};

}  // namespace musashim::translator
