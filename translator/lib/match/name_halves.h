#pragma once

// Names that a macro puts together: `cuda##x`, CAT(cudaMem, cpy), and T(cuda) where T joins `Malloc` to it.
// What stands in the source is half of a name, and is renamed if all names it becomes part of are renamed
// likewise.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "translator/lib/match/cursor.h"
#include "translator/lib/match/pasting.h"
#include "translator/lib/match/scope.h"

namespace musashim::translator {

/// The library of names that are half of others only.
inline constexpr std::string_view kWords = "words";

class NameHalves {
 public:
  NameHalves(Cursor& cursor, const Scope& scope) : cursor_(cursor), scope_(scope) {}

  /// A word that is known as half of others (cuda, nccl, ...): false if no macro joins it to something.
  bool portWord(std::size_t index, const KnownName& name);

  /// A word that is not known itself, but may be the beginning of known names.
  void portUnknown(std::size_t index, std::string_view word) {
    const bool joined = cursor_.isMark(index + 1, mark::kPaste) || cursor_.isMark(index + 1, ',');
    if (joined && half(index, word)) return;
    const bool alone = cursor_.isMark(index + 1, ')') || cursor_.isMark(index + 1, ',');
    if (alone && cursor_.lexicon.mayBeginNames(word)) halfArgument(index, word);
  }

 private:
  bool half(std::size_t index, std::string_view word);
  void halfArgument(std::size_t index, std::string_view word);
  void argument(std::size_t index, const KnownName& name, const MacroArgument& call);
  void paste(std::size_t index, const KnownName& name);

  bool isBareArgument(std::size_t index) const;
  bool isJoinedToNext(std::size_t index);
  bool isMacroParameter(std::size_t index, std::string_view name) const;
  bool mayBeMacro(std::size_t index, std::string_view name);

  const std::vector<PastedParameter>* findOwn(std::string_view name);
  const PastedParameter* pastedParameter(const MacroArgument& call);

  Cursor& cursor_;
  const Scope& scope_;
  std::optional<PastingMacros> macros_;  // of this file
};

}  // namespace musashim::translator
