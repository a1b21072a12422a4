// Name expressions: what a program's user calls a kernel or a variable, as C++ has it, and how the image
// calls it.
#pragma once

#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"

namespace musashim::mtrtc {

// Declarations behind the program that name what the expressions name.
std::string nameDeclarations(const std::vector<std::string>& expressions);

// Instantiates what they name, and writes the names in the image to `lowered`, in their order.
std::unique_ptr<clang::ASTConsumer> lowerNames(clang::CompilerInstance& compiler,
                                               std::vector<std::string>& lowered);

}  // namespace musashim::mtrtc
