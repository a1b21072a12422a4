#include "translator/tool/commands/command.h"

#include <string_view>

namespace musashim::translator {

std::optional<int> runCommand(int argc, char** argv) {
  if (argc < 2) return std::nullopt;
  const std::string_view word = argv[1];
  if (word == "query") return runQuery(argc - 1, argv + 1);
  if (word == "alias") return runAlias(argc - 1, argv + 1);
  return std::nullopt;
}

}  // namespace musashim::translator
