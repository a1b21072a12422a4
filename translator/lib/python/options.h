#pragma once

#include "translator/lib/build/editor.h"
#include "translator/lib/python/tree.h"

namespace musashim::translator {

/// Options of nvcc in a list of strings: ["-O3", "--expt-relaxed-constexpr", "-gencode", "arch=..."].
void portOptionList(BuildEditor& editor, const PythonNode& list);

/// Options that two statements append to a list: flags.append("-gencode"),
/// flags.append("arch=compute_80,code=sm_80").
void portAppendedOptions(BuildEditor& editor, const PythonNode& block);

/// A command that asks nvcc for its version, [cuda + "/bin/nvcc", "-V"], in a source that reads the answer.
void noteVersionCommand(BuildEditor& editor, const PythonNode& list);

}  // namespace musashim::translator
