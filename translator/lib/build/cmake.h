#pragma once

#include "translator/lib/build/build.h"
#include "translator/lib/build/editor.h"

namespace musashim::translator {

/// Ports a CMakeLists.txt, a module or a preset's text.
void portCMake(BuildEditor& editor, const BuildFacts& facts);
/// The names that add_library() defines.
void collectCMakeTargets(std::string_view text, BuildFacts& facts);

}  // namespace musashim::translator
