#pragma once

#include "translator/lib/build/editor.h"

namespace musashim::translator {

/// Ports a makefile: variables, rules and recipes, line by line, continued lines as one.
void portMake(BuildEditor& editor);

}  // namespace musashim::translator
