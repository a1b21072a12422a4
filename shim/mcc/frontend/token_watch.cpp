#include "token_watch.h"

#include <memory>
#include <vector>

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

}  // namespace musashim::mcc
