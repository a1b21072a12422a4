#pragma once

// libcu++'s namespace: `cuda::atomic`, `using namespace cuda`, `thrust::cuda`. Whatever stands behind
// `cuda::` is the library's, but for what the project, or a library of those that have a namespace of that
// name within theirs (words.yml), has there.

#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/match/cursor.h"
#include "translator/lib/match/scope.h"

namespace musashim::translator {

class LibraryNamespace {
 public:
  LibraryNamespace(Cursor& cursor, const Scope& scope) : cursor_(cursor), scope_(scope) {}

  /// Is shown each use of the word, in order.
  void look(std::size_t index, const KnownName& name);
  /// After the last one.
  void resolve();

 private:
  enum class Use { None, Definition, Librarys, Unqualified };
  Use useAt(std::size_t index) const;
  bool definesLibrary(std::size_t index) const;
  bool isProjects(std::size_t index, std::string_view name) const;
  void define(std::size_t index, std::string_view name);
  void rename(std::size_t index, std::string_view name, std::string_view target);

  struct Doubtful {
    std::size_t index;
    std::string name;
    std::string target;
  };

  Cursor& cursor_;
  const Scope& scope_;
  bool defined_ = false;  // in this source, by the project
  std::vector<Doubtful> doubtful_;
};

}  // namespace musashim::translator
