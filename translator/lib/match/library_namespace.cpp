#include "translator/lib/match/library_namespace.h"

#include <algorithm>
#include <array>

#include "translator/lib/match/name_halves.h"
#include "translator/lib/match/qualification.h"
#include "translator/lib/names/table.h"

namespace musashim::translator {
namespace {

/// The first token of `a::b::NAME`.
std::size_t startOfName(const Cursor& cursor, std::size_t index) {
  while (cursor.isMark(index - 1, mark::kScope) && cursor.isWord(index - 2)) index -= 2;
  return index;
}

}  // namespace

/// `namespace cuda { namespace std {` of libcu++, `namespace thrust { namespace system { namespace cuda {`
bool LibraryNamespace::definesLibrary(std::size_t index) const {
  if (cursor_.bytes(index - 1) != "namespace" || cursor_.bytes(index - 2) == "using") return false;
  if (cursor_.isMark(index + 1, mark::kScope)) return cursor_.bytes(index + 2) == "std";
  if (!cursor_.isMark(index + 1, '{')) return false;
  return (cursor_.bytes(index + 2) == "namespace" && cursor_.bytes(index + 3) == "std") ||
         isNamespaceQualifier(scope_.innermostNamespace());
}

LibraryNamespace::Use LibraryNamespace::useAt(std::size_t index) const {
  if (definesLibrary(index)) return Use::Librarys;
  const std::size_t start = startOfName(cursor_, index);
  const std::string_view before = cursor_.bytes(start - 1);
  const bool scopeFollows = cursor_.isMark(index + 1, mark::kScope);
  const bool directive = before == "namespace" && cursor_.bytes(start - 2) == "using";
  if (before == "namespace" && !directive) return Use::Definition;
  // struct cuda, using cuda = x
  static constexpr std::array<std::string_view, 4> kTags = {"struct", "class", "union", "enum"};
  if (start == index && !scopeFollows && std::find(kTags.begin(), kTags.end(), before) != kTags.end())
    return Use::Definition;
  if (start == index && before == "using" && cursor_.isMark(index + 1, '=')) return Use::Definition;
  const bool alias = cursor_.isMark(start - 1, '=') && cursor_.bytes(start - 3) == "namespace";
  if (!scopeFollows && !directive && !(alias && cursor_.isMark(index + 1, ';'))) return Use::None;
  if (!cursor_.isMark(index - 1, mark::kScope)) return Use::Unqualified;
  if (isGlobalScope(cursor_, index - 1)) return Use::Unqualified;
  return isNamespaceQualifier(cursor_.bytes(index - 2)) ? Use::Librarys : Use::None;
}

/// Has the project, or a library that is known for it, something of that name in what is seen from here?
bool LibraryNamespace::isProjects(std::size_t index, std::string_view name) const {
  const bool global = cursor_.isMark(index - 1, mark::kScope);
  const auto sees = [&](std::string_view space) { return space.empty() || (!global && scope_.sees(space)); };
  const auto others = namespacesWithOwn();
  if (std::any_of(others.begin(), others.end(), sees)) return true;
  if (!cursor_.options.symbols) return false;
  const auto spaces = cursor_.options.symbols->spaces.find(name);
  return spaces != cursor_.options.symbols->spaces.end() &&
         std::any_of(spaces->second.begin(), spaces->second.end(), sees);
}

void LibraryNamespace::define(std::size_t index, std::string_view name) {
  defined_ = true;
  if (cursor_.options.symbols) return;
  const bool qualified = startOfName(cursor_, index) != index;
  const std::string_view space = qualified ? cursor_.bytes(index - 2) : scope_.innermostNamespace();
  cursor_.out.definitions.push_back(
      {Definition::Kind::InNamespace, cursor_.at(index).begin, std::string(name), std::string(space), false});
}

void LibraryNamespace::look(std::size_t index, const KnownName& name) {
  const Use use = useAt(index);
  if (use == Use::None) return;
  cursor_.out.names |= nameBit(name.name);
  if (use == Use::Definition) return define(index, name.name);
  const bool member = cursor_.isMark(index + 1, mark::kScope) && isNamespaceMember(cursor_.bytes(index + 2));
  if (use == Use::Librarys || member) return rename(index, name.name, name.target);
  if (!isProjects(index, name.name))
    doubtful_.push_back({index, std::string(name.name), std::string(name.target)});
}

void LibraryNamespace::resolve() {
  // Of a source that stands alone, no other pass has seen what it defines.
  if (defined_ && !cursor_.options.symbols) return;
  for (const Doubtful& use : doubtful_) rename(use.index, use.name, use.target);
}

void LibraryNamespace::rename(std::size_t index, std::string_view name, std::string_view target) {
  cursor_.rename(cursor_.at(index), target);
  cursor_.found(FindingKind::Name, cursor_.at(index), std::string(name) + "::", kWords);
}

}  // namespace musashim::translator
