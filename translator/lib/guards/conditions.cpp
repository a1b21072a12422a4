#include "translator/lib/guards/conditions.h"

#include <algorithm>

#include "translator/lib/guards/guards.h"
#include "translator/lib/guards/in_code.h"

namespace musashim::translator {
namespace {

std::size_t directiveEnd(const Cursor& cursor, std::size_t index) {
  while (index < cursor.tokens.size() && cursor.at(index).kind != TokenKind::DirectiveEnd) ++index;
  return index;
}

/// A macro whose text is a condition: nothing but tests, no statement.
bool isStatement(const Cursor& cursor, std::size_t from, std::size_t end) {
  for (std::size_t i = from; i < end; ++i) {
    if (cursor.isMark(i, ';') || cursor.isMark(i, '{')) return true;
  }
  return false;
}

/// A macro of nothing but versions that headers define: 0 can take the place of each.
bool canReadAsZero(const Cursor& cursor, std::size_t index, const KnownName& name) {
  return isHeaderVersion(name.kind) && !isDefinedTest(cursor, index) && cursor.lexicon.toMusa();
}

bool isCode(NameKind kind) {
  return kind == NameKind::Rename || kind == NameKind::Call || kind == NameKind::Unported;
}

}  // namespace

/// Guards, and the names that would be renamed.
std::vector<Conditions::Use> Conditions::usesIn(std::size_t from, std::size_t end, bool inCondition) const {
  std::vector<Use> uses;
  for (std::size_t i = from; i < end; ++i) {
    if (!cursor_.isWord(i) || !cursor_.lexicon.mayBeKnown(cursor_.bytes(i))) continue;
    KnownName name;
    const auto& symbols = cursor_.options.symbols;
    if (!cursor_.lexicon.find(cursor_.bytes(i), name) || (symbols && symbols->plain.contains(name.name)))
      continue;
    const bool guard = isGuard(name.kind);
    if (!guard && !isCode(name.kind)) continue;
    uses.push_back({i, name, guard ? guardObstacle(cursor_, i, name, inCondition) : std::nullopt});
  }
  return uses;
}

bool Conditions::isOpaqueMacro(std::size_t index) const {
  return cursor_.isWord(index) &&
         std::find(opaque_.begin(), opaque_.end(), cursor_.bytes(index)) != opaque_.end();
}

Conditions::Condition Conditions::look(std::size_t index) {
  const std::string_view word = cursor_.bytes(index + 1);
  const bool macro = word == "define";
  if (!macro && word != "if" && word != "elif") return {};
  const std::size_t end = directiveEnd(cursor_, index);
  const std::size_t from = index + (macro ? 3 : 2);
  const std::vector<Use> uses = usesIn(from, end, !macro);
  Condition result;
  bool stays = false;
  for (std::size_t i = from; i < end && !opaque_.empty(); ++i) stays = stays || isOpaqueMacro(i);
  for (const Use& use : uses) {
    stays = stays || (use.obstacle && !isBeyondMusa(cursor_, use.index, use.name));
    result.testsArchitecture = result.testsArchitecture || use.name.kind == NameKind::Architecture;
  }
  if (!stays) return result;
  if (macro) {
    const bool code =
        std::any_of(uses.begin(), uses.end(), [](const Use& use) { return !isGuard(use.name.kind); });
    if (code || isStatement(cursor_, from, end)) return result;
    opaque_.push_back(cursor_.bytes(index + 2));
    const bool zeros = std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
      return canReadAsZero(cursor_, use.index, use.name);
    });
    if (zeros) {
      for (const Use& use : uses) {
        cursor_.out.names |= nameBit(use.name.name);
        zeroGuard(cursor_, use.index, use.name, use.obstacle.value_or(guardTogether()));
      }
      result.end = end;
      return result;
    }
  }
  report(uses);
  result.end = end;
  return result;
}

/// Each part that cannot be translated with its reason, then, once, each name that stays for their sake.
void Conditions::report(const std::vector<Use>& uses) {
  std::vector<std::string_view> told;
  for (const Use& use : uses) {
    cursor_.out.names |= nameBit(use.name.name);
    if (use.obstacle) told.push_back(use.name.name);
  }
  for (const Use& use : uses) {
    const bool before = std::find(told.begin(), told.end(), use.name.name) != told.end();
    if (!use.obstacle && before) continue;
    const Advice others = use.name.kind == NameKind::Unported ? use.name.advice : guardTogether();
    told.push_back(use.name.name);
    cursor_.report(FindingKind::Unported, cursor_.at(use.index), use.name.name, "guards",
                   use.obstacle.value_or(others));
  }
}

}  // namespace musashim::translator
