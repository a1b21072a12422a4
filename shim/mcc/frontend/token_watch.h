// What the clang halves of mcc's plugins do with tokens, before the parser sees their
// meaning: the preprocessor has one watcher, which calls all of them.
#pragma once

#include <functional>

#include "clang/Lex/Preprocessor.h"

namespace musashim::mcc {

// `watcher` gets every token that the parser will get.
void watchTokens(clang::Preprocessor& preprocessor, std::function<void(const clang::Token&)> watcher);

}  // namespace musashim::mcc
