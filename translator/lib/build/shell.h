#pragma once

#include "translator/lib/build/words.h"

namespace musashim::translator {

/// Ports a script of a shell's, or a file of variables.
void portShell(BuildEditor& editor);
/// Ports a Dockerfile: its commands, its variables, its image.
void portDocker(BuildEditor& editor);
/// Commands of a shell in [begin, end), one line and those that continue it: what is said to people by echo
/// and printf stays.
void portCommands(BuildEditor& editor, std::size_t begin, std::size_t end, const WordContext& context);

}  // namespace musashim::translator
