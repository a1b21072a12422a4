// Variables of the device that no other file sees, but the host does: programs find them in the module by
// name.
#pragma once

#include <memory>

#include "clang/AST/ASTConsumer.h"

namespace musashim::mtrtc {

// `byTheirNames`: as the source calls them; units that are linked may each have one of the same name.
std::unique_ptr<clang::ASTConsumer> exposeStaticVariables(bool byTheirNames);

}  // namespace musashim::mtrtc
