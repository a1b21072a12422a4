#pragma once

#include <map>
#include <mutex>

#include "clang/Frontend/CompilerInstance.h"
#include "translator/semantic/interface.h"

namespace musashim::translator {

/// What mcc includes before every MUSA source. It takes half of the time of most, so it is parsed once for
/// the units that share their options.
class Preludes {
 public:
  explicit Preludes(const SemanticRequest& request);

  /// Gives the unit, whose invocation is set up, its prelude. `files`: what it reads. By any thread.
  void addTo(clang::CompilerInvocation& invocation, const SemanticUnit& unit,
             llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files);

 private:
  struct Parsed {
    std::size_t units = 0;
    std::once_flag once;
    std::unique_ptr<llvm::MemoryBuffer> bytes;  // null: with errors, or not yet
  };
  void parse(const SemanticUnit& unit, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
             Parsed& parsed) const;

  const SemanticRequest& request_;
  std::map<std::vector<std::string>, Parsed> byArguments_;
};

}  // namespace musashim::translator
