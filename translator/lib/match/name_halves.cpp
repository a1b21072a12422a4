#include "translator/lib/match/name_halves.h"

#include <string>

#include "translator/lib/project_macros.h"

namespace musashim::translator {

bool NameHalves::portWord(std::size_t index, const KnownName& name) {
  const bool pastes = cursor_.isMark(index + 1, mark::kPaste) || isBareArgument(index);
  if (pastes && cursor_.isWord(index + 2)) {
    const std::string other = spelling(cursor_.at(index + 2), cursor_.text);
    KnownName whole;
    const bool known = cursor_.lexicon.find(std::string(name.name) + other, whole) &&
                       whole.kind == NameKind::Rename && whole.target == std::string(name.target) + other;
    const bool parameter = isMacroParameter(index, cursor_.bytes(index + 2)) &&
                           (cursor_.isMark(index + 1, mark::kPaste) || isJoinedToNext(index));
    if (known || parameter) {
      paste(index, name);
      return true;
    }
  }
  const auto call = macroArgument(cursor_.text, cursor_.tokens, index);
  if (call) argument(index, name, *call);
  return call.has_value();
}

/// `CUBLAS_OP_##x`, `CAT(cudaMem, cpy)`: the beginning of known names. False if it stays.
bool NameHalves::half(std::size_t index, std::string_view word) {
  if (!cursor_.isWord(index + 2)) return false;
  const std::string_view other = cursor_.bytes(index + 2);
  const bool parameter = cursor_.isMark(index + 1, mark::kPaste) && isMacroParameter(index, other);
  std::string target;
  if (parameter) {
    target = cursor_.lexicon.mapBeginning(word);
  } else if (KnownName whole; (cursor_.isMark(index + 1, mark::kPaste) || isBareArgument(index)) &&
                              cursor_.lexicon.find(std::string(word) + std::string(other), whole) &&
                              whole.kind == NameKind::Rename && whole.target.ends_with(other)) {
    target = whole.target.substr(0, whole.target.size() - other.size());
  }
  if (target.empty() || target == word) return false;
  cursor_.rename(cursor_.at(index), target);
  cursor_.found(FindingKind::Paste, cursor_.at(index), word, kWords);
  return true;
}

/// `T(cudaMem)`, where T joins its parameter to `cpy`: the beginning of known names.
void NameHalves::halfArgument(std::size_t index, std::string_view word) {
  const auto call = macroArgument(cursor_.text, cursor_.tokens, index);
  if (!call || !mayBeMacro(index, call->macro)) return;
  const PastedParameter* const parameter = pastedParameter(*call);
  if (!parameter) return;
  for (const std::string& ending : parameter->endings) {
    KnownName whole;
    if (!cursor_.lexicon.find(std::string(word) + ending, whole)) continue;
    const bool ends = whole.kind == NameKind::Rename && whole.target.ends_with(ending);
    const std::string target(whole.target.substr(0, ends ? whole.target.size() - ending.size() : 0));
    return argument(index, {word, target, kWords, NameKind::Word, {}}, *call);
  }
}

/// `T(cuda)`, where T joins its parameter to `Malloc`.
void NameHalves::argument(std::size_t index, const KnownName& name, const MacroArgument& call) {
  const PastedParameter* const parameter = pastedParameter(call);
  if (!parameter) return;
  KnownName joined{};
  bool safe = !parameter->used;
  for (const std::string& ending : parameter->endings) {
    KnownName whole;
    const std::string spelled = std::string(name.name) + ending;
    const bool known = cursor_.lexicon.find(spelled, whole);
    safe =
        safe && known && whole.kind == NameKind::Rename && whole.target == std::string(name.target) + ending;
    if (known && (joined.name.empty() || whole.kind == NameKind::Unported)) {
      joined = whole;
      joined.name = ending;
    }
  }
  if (joined.name.empty()) return;
  if (safe) return paste(index, name);
  const Token& token = cursor_.at(index);
  const std::string whole = std::string(name.name).append(joined.name), macro(call.macro);
  if (joined.kind == NameKind::Unported)
    return cursor_.report(FindingKind::Unported, token, whole, joined.library, joined.advice);
  cursor_.out.findings.push_back(
      {FindingKind::Unported, token.begin, token.end, std::string(name.name), kWords,
       "the macro " + macro + " joins it to " + whole + ", but to other names, too, or uses it otherwise",
       "give " + macro + " the whole name"});
}

void NameHalves::paste(std::size_t index, const KnownName& name) {
  cursor_.rename(cursor_.at(index), name);
  cursor_.found(FindingKind::Paste, cursor_.at(index), name.name, kWords);
}

/// `CAT(cuda, Malloc)`: alone between its comma and bracket, as is what follows. Not `f(int* cu, uint64_t
/// n)`.
bool NameHalves::isBareArgument(std::size_t index) const {
  return cursor_.isMark(index + 1, ',') &&
         (cursor_.isMark(index - 1, '(') || cursor_.isMark(index - 1, ',')) &&
         (cursor_.isMark(index + 3, ')') || cursor_.isMark(index + 3, ','));
}

/// `CAT(cuda, name)` within a macro, where CAT joins its arguments.
bool NameHalves::isJoinedToNext(std::size_t index) {
  const auto call = macroArgument(cursor_.text, cursor_.tokens, index);
  if (!call) return false;
  const auto joinsBy = [&](const FindPasting& find) {
    return joins(find, call->macro, call->number, call->number + 1);
  };
  if (joinsBy([&](std::string_view name) { return findOwn(name); })) return true;
  const ProjectMacros* const others = cursor_.options.macros;
  if (!others) cursor_.out.wantsMacros = true;
  return others && joinsBy([&](std::string_view name) { return others->pasting(name); });
}

/// Is `name` a parameter of the #define that holds the token?
bool NameHalves::isMacroParameter(std::size_t index, std::string_view name) const {
  std::size_t start = index;
  if (!scope_.inDirective()) return false;
  while (start > 0 && cursor_.at(start).kind != TokenKind::Directive) --start;
  if (cursor_.bytes(start + 1) != "define" || !cursor_.isMark(start + 3, '(')) return false;
  for (std::size_t i = start + 4; i < index && !cursor_.isMark(i, ')'); ++i) {
    if (cursor_.bytes(i) == name) return true;
  }
  return false;
}

/// One that is known, or whose result is called, as in `T(cudaMem)(a, b)`: to ask all files for each
/// function that a variable is given to would take too long.
bool NameHalves::mayBeMacro(std::size_t index, std::string_view name) {
  if (cursor_.isMark(index + 1, ')') && cursor_.isMark(index + 2, '(')) return true;
  return findOwn(name) || (cursor_.options.macros && cursor_.options.macros->pasting(name));
}

/// What the file's own macro does with its parameters; null: it has none of that name.
const std::vector<PastedParameter>* NameHalves::findOwn(std::string_view name) {
  if (!macros_) {
    macros_.emplace();
    const auto holds = [&](std::string_view mark) {
      return cursor_.text.find(mark) != std::string_view::npos;
    };
    if (holds("##") || holds("#\\")) {
      for (const PastingDefine& define : pastingDefinesOf(cursor_.text, cursor_.tokens))
        add(define, *macros_);
    }
  }
  const auto found = macros_->find(name);
  return found == macros_->end() ? nullptr : &found->second;
}

/// What the macro does with the argument; null if there is no such macro.
const PastedParameter* NameHalves::pastedParameter(const MacroArgument& call) {
  const ProjectMacros* const others = cursor_.options.macros;
  const std::vector<PastedParameter>* parameters = findOwn(call.macro);
  if (!parameters && !others) cursor_.out.wantsMacros = true;
  if (!parameters && others) parameters = others->pasting(call.macro);
  return parameters && call.number < parameters->size() ? &(*parameters)[call.number] : nullptr;
}

}  // namespace musashim::translator
