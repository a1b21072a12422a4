#pragma once

// Whose a known name is where it stands: the API's, or the project's, which has it for something of its own.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translator/lib/match/cursor.h"
#include "translator/lib/match/scope.h"

namespace musashim::translator {

/// Is asked about the names in the order of the source. Definitions that it meets go to cursor.out.
class UserNames {
 public:
  UserNames(Cursor& cursor, const Scope& scope) : cursor_(cursor), scope_(scope) {}

  /// False for members (a.name, p->name, `int name;` in a record) and for names of other namespaces.
  bool isGlobal(std::size_t index, std::string_view name);
  /// Is the known name here, or everywhere, the project's own?
  bool isUsers(std::size_t index, std::string_view name);

  /// Does the project define a name that the port gives to something else?
  void noteTarget(std::size_t index, std::string_view word) {
    if (cursor_.lexicon.toMusa() && kTargetFilter.mayHold(word)) noteLikelyTarget(index, word);
  }

 private:
  bool isLocal(std::size_t index, std::string_view name);
  bool isApiScope(std::size_t scope) const;
  void noteMember(std::size_t index, std::string_view name) const;
  void noteLikelyTarget(std::size_t index, std::string_view word);

  Cursor& cursor_;
  const Scope& scope_;
  std::vector<std::pair<std::string, std::size_t>> locals_;  // with the depth of their braces
};

}  // namespace musashim::translator
