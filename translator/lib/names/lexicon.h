#pragma once

// What a name, a header or a number becomes: the tables, the direction, and the user's own rules.

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "translator/lib/names/rules.h"
#include "translator/lib/names/table.h"

namespace musashim::translator {

enum class Direction : std::uint8_t { ToMusa, ToCuda };

/// Adds what stays where a source is only compiled, by the CUDA face of the SDK.
void addFaceRules(RuleSet& rules);

class Lexicon {
 public:
  /// `rules` come first; they must outlive the lexicon.
  Lexicon(Direction direction, const RuleSet* rules);
  /// To MUSA, by the tables alone.
  static const Lexicon& standard();
  /// The same for sources that are only compiled, by the CUDA face of the SDK.
  static const Lexicon& cudaFace();

  Direction direction() const { return direction_; }
  bool toMusa() const { return direction_ == Direction::ToMusa; }

  /// False for most words that find() does not know.
  bool mayBeKnown(std::string_view word) const { return filter_.mayHold(word); }
  /// What find() may know and, on the way to MUSA, the names it leads to.
  const WordFilter& words() const { return wordFinder_.words; }
  const WordFinder& wordFinder() const { return wordFinder_; }
  /// The words that the matcher must look at: words(), and those that may open a scope.
  const WordFinder& stops() const { return stops_; }
  bool find(std::string_view name, KnownName& found) const {
    return plain_ && findName(name, found) ? true : findSlowly(name, found);
  }

  /// New name of a header as written in #include; empty if it keeps its name.
  std::string_view mapHeader(std::string_view header, std::string& scratch) const;
  const Advice* unportedHeader(std::string_view header) const;
  /// What the beginning of known names becomes in all of them; empty if they differ, or there are none.
  /// Slow: looks at each name.
  std::string mapBeginning(std::string_view beginning) const;
  /// May known names go on from `beginning`?
  bool mayBeginNames(std::string_view beginning) const { return !plain_ || beginsNames(beginning); }
  GuardLevel mapAtLeast(GuardKind kind, long number) const;
  /// Calls `visit` for each name of a header and each text (library, variable) that has another one.
  void visitTexts(const std::function<void(std::string_view)>& visit) const;
  /// The namespace of libcu++ in the direction's source.
  std::string_view libraryNamespace() const { return toMusa() ? "cuda" : "musa"; }

 private:
  void takeRules();
  void allowPrefix(std::string_view prefix);
  bool findSlowly(std::string_view name, KnownName& found) const;
  bool findInFamilies(std::string_view name, KnownName& found) const;
  bool findInRules(std::string_view name, KnownName& found) const;

  Direction direction_;
  const RuleSet* rules_;
  bool plain_;  // the tables come first
  WordFilter filter_;
  WordFilter familyFilter_;
  WordFinder wordFinder_;
  WordFinder stops_;
  // ToCuda: what has no place in the table of targets (words, texts, asm).
  std::unordered_map<std::string_view, KnownName> others_;
  std::unordered_map<std::string_view, KnownName> fromRules_;
  std::unordered_map<std::string_view, std::string_view> headers_;
};

}  // namespace musashim::translator
