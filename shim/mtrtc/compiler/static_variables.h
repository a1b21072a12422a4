// Variables of the device that no other file sees, but the host does: programs find them in the module by name.
#pragma once

#include <memory>

#include "clang/AST/ASTConsumer.h"

namespace musashim::mtrtc {

std::unique_ptr<clang::ASTConsumer> exposeStaticVariables();

}  // namespace musashim::mtrtc
