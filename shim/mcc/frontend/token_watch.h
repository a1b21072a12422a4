// What the clang halves of mcc's plugins do with tokens, before the parser sees their
// meaning: the preprocessor has one watcher, which calls all of them.
#pragma once

#include <functional>
#include <memory>

#include "clang/Lex/Preprocessor.h"

namespace clang {
class CompilerInstance;
class NamedDecl;
}  // namespace clang

namespace musashim::mcc {

// `watcher` gets every token that the parser will get.
void watchTokens(clang::Preprocessor& preprocessor, std::function<void(const clang::Token&)> watcher);

// What a name means where the parser is; null: nothing, several things, or there is no parser yet.
clang::NamedDecl* meaningOf(clang::CompilerInstance& compiler, clang::IdentifierInfo* name);

// Reads on in the source behind the token at `location`, which stays as it is; null where there is no source.
std::unique_ptr<clang::Lexer> readBehind(const clang::Preprocessor& preprocessor,
                                         clang::SourceLocation location);

}  // namespace musashim::mcc
