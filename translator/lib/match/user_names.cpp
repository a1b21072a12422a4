#include "translator/lib/match/user_names.h"

#include <algorithm>
#include <optional>

#include "translator/lib/match/qualification.h"

namespace musashim::translator {

bool UserNames::isGlobal(std::size_t index, std::string_view name) {
  if (cursor_.isMark(index - 1, '.')) return false;
  if (cursor_.isMark(index - 1, mark::kArrow)) return scope_.isReturnType(index);
  if (cursor_.isMark(index - 1, mark::kScope)) {
    const bool global = isApiScope(index - 1);
    // using mine::cudaFree; from here on the bare name means that one
    if (!global && scope_.inUsing(index)) locals_.emplace_back(name, scope_.depth());
    return global;
  }
  if (!scope_.declaresMember(index)) return true;
  noteMember(index, name);
  return false;
}

bool UserNames::isUsers(std::size_t index, std::string_view name) {
  cursor_.out.names |= nameBit(name);
  if (isLocal(index, name)) return true;
  if (cursor_.options.symbols) {
    const UserSymbols& symbols = *cursor_.options.symbols;
    if (symbols.plain.contains(name)) return true;
    if (cursor_.options.localSymbols && cursor_.options.localSymbols->contains(name)) return true;
    const auto spaces = symbols.spaces.find(name);
    return spaces != symbols.spaces.end() && !cursor_.isMark(index - 1, mark::kScope) &&
           std::any_of(spaces->second.begin(), spaces->second.end(),
                       [&](const std::string& space) { return scope_.sees(space); });
  }
  if (auto definition = scope_.definition(index, name))
    cursor_.out.definitions.push_back(*std::move(definition));
  return false;
}

/// A variable of the function at hand that is called like something of the API's.
bool UserNames::isLocal(std::size_t index, std::string_view name) {
  while (!locals_.empty() && locals_.back().second > scope_.depth()) locals_.pop_back();
  if (scope_.declaresLocal(index)) {
    locals_.emplace_back(name, scope_.depth());
    return true;
  }
  return std::any_of(locals_.begin(), locals_.end(), [&](const auto& local) { return local.first == name; });
}

/// Or does the :: at `scope` follow a known name, as in cudaError::cudaSuccess?
bool UserNames::isApiScope(std::size_t scope) const {
  if (isGlobalScope(cursor_, scope)) return true;
  KnownName qualifier;
  return cursor_.isWord(scope - 1) && cursor_.lexicon.find(cursor_.bytes(scope - 1), qualifier) &&
         qualifier.kind == NameKind::Rename;
}

/// Inside the record and its functions, the bare name means the member.
void UserNames::noteMember(std::size_t index, std::string_view name) const {
  const std::string_view record = scope_.record();
  if (cursor_.options.symbols || record.empty()) return;
  cursor_.out.names |= nameBit(name);
  cursor_.out.definitions.push_back({Definition::Kind::InNamespace, cursor_.at(index).begin,
                                     std::string(name), std::string(record), false});
}

void UserNames::noteLikelyTarget(std::size_t index, std::string_view word) {
  KnownName name;
  if (!findTarget(word, name)) return;
  const bool macro = scope_.inDirective() && cursor_.bytes(index - 1) == "define";
  if (!macro && !scope_.definition(index, word)) return;
  cursor_.out.definitions.push_back(
      {Definition::Kind::Target, cursor_.at(index).begin, std::string(word), {}, false});
}

}  // namespace musashim::translator
