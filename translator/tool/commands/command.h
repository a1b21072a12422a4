#pragma once

// musaport's commands beside the port itself: query and alias; and musify-text, its other name.

#include <optional>

namespace musashim::translator {

/// The exit status if the first argument is a command, or the program is called by another name, else
/// nothing.
std::optional<int> runCommand(int argc, char** argv);

/// musaport query NAME...: what it becomes, since when, caveats, this SDK's support, how it is declared.
int runQuery(int argc, char** argv);

/// musify-text [-t|-c|-i] FILE...: the port by the vendor's command line.
int runMusify(int argc, char** argv);

/// musaport alias IN... [-o FILE]: a header of #defines for the names that a project uses.
int runAlias(int argc, char** argv);

}  // namespace musashim::translator
