#pragma once

#include "translator/lib/build/build.h"
#include "translator/lib/build/editor.h"

namespace musashim::translator {

/// Ports a Python source by its syntax tree: torch.cuda, devices and backends, extensions, environment
/// variables, the toolkit's paths and files. Text for people and names of the project's own stay.
void portPython(BuildEditor& editor, const BuildFacts& facts);

}  // namespace musashim::translator
