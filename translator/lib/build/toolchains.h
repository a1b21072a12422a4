#pragma once

#include <string_view>

#include "translator/lib/build/editor.h"

namespace musashim::translator {

/// Meson and Bazel know CUDA as a language, a package and sets of rules, and have none of that for MUSA:
/// where one of their files asks for it, this is reported with what to do. Libraries that Meson looks for
/// follow. Nothing is done to other files. `name`: of the file, without folders.
void reportToolchains(BuildEditor& editor, std::string_view name);

}  // namespace musashim::translator
