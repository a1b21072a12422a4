#include "translator/tool/commands/command.h"

#include <string_view>

namespace musashim::translator {

std::optional<int> runCommand(int argc, char** argv) {
  if (argc < 1) return std::nullopt;
  const std::string_view program = argv[0];
  if (program.substr(program.rfind('/') + 1) == "musify-text") return runMusify(argc, argv);
  if (argc < 2) return std::nullopt;
  const std::string_view word = argv[1];
  if (word == "query") return runQuery(argc - 1, argv + 1);
  if (word == "alias") return runAlias(argc - 1, argv + 1);
  return std::nullopt;
}

}  // namespace musashim::translator
