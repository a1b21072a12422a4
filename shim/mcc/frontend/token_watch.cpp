#include "token_watch.h"

#include <vector>

namespace musashim::mcc {
namespace {

// One translation unit per process, as clang -cc1 has it.
std::vector<std::function<void(const clang::Token&)>>& watchers() {
  static std::vector<std::function<void(const clang::Token&)>> all;
  return all;
}

}  // namespace

void watchTokens(clang::Preprocessor& preprocessor, std::function<void(const clang::Token&)> watcher) {
  watchers().push_back(std::move(watcher));
  if (watchers().size() > 1) return;
  preprocessor.setTokenWatcher([](const clang::Token& token) {
    for (const auto& each : watchers()) each(token);
  });
}

}  // namespace musashim::mcc
