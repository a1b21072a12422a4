#pragma once

#include "translator/lib/build/editor.h"
#include "translator/lib/python/tree.h"

namespace musashim::translator {

/// Options of nvcc in a list of strings: ["-O3", "--expt-relaxed-constexpr", "-gencode", "arch=..."].
void portOptionList(BuildEditor& editor, const PythonNode& list);

}  // namespace musashim::translator
