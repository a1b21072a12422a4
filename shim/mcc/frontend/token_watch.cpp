#include "token_watch.h"

#include <memory>
#include <vector>

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

namespace musashim::mcc {

void watchTokens(clang::Preprocessor& preprocessor, std::function<void(const clang::Token&)> watcher) {
  using Watchers = std::vector<std::function<void(const clang::Token&)>>;
  // Of the last preprocessor, which owns them: nothing is left of them once it is gone.
  thread_local std::weak_ptr<Watchers> last;
  thread_local const clang::Preprocessor* lastOne = nullptr;
  std::shared_ptr<Watchers> all = lastOne == &preprocessor ? last.lock() : nullptr;
  if (!all) {
    all = std::make_shared<Watchers>();
    preprocessor.setTokenWatcher([all](const clang::Token& token) {
      for (const auto& each : *all) each(token);
    });
    last = all;
    lastOne = &preprocessor;
  }
  all->push_back(std::move(watcher));
}

clang::NamedDecl* meaningOf(clang::CompilerInstance& compiler, clang::IdentifierInfo* name) {
  if (name == nullptr || !compiler.hasSema()) return nullptr;
  clang::Sema& sema = compiler.getSema();
  if (sema.getCurScope() == nullptr) return nullptr;
  clang::LookupResult found(sema, name, clang::SourceLocation(), clang::Sema::LookupOrdinaryName);
  found.suppressDiagnostics();
  sema.LookupName(found, sema.getCurScope());
  return found.isSingleResult() ? found.getFoundDecl() : nullptr;
}

std::unique_ptr<clang::Lexer> readBehind(const clang::Preprocessor& preprocessor,
                                         clang::SourceLocation location) {
  const clang::SourceManager& sources = preprocessor.getSourceManager();
  const auto [file, offset] = sources.getDecomposedLoc(sources.getSpellingLoc(location));
  bool invalid = false;
  const llvm::StringRef text = sources.getBufferData(file, &invalid);
  if (invalid) return nullptr;
  auto lexer = std::make_unique<clang::Lexer>(sources.getLocForStartOfFile(file), preprocessor.getLangOpts(),
                                              text.begin(), text.data() + offset, text.end());
  clang::Token token;
  lexer->LexFromRawLexer(token);  // the one at `location`
  return lexer;
}

}  // namespace musashim::mcc
