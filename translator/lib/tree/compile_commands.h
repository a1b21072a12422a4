#pragma once

// compile_commands.json => what the semantic pass needs of each command.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::translator {

struct CompileCommand {
  std::filesystem::path file;          // absolute
  std::vector<std::string> arguments;  // kept ones only, see keptArguments()
  bool isCuda = false;                 // -x cu: whatever the file's name says

  /// Folders that headers are looked for in.
  std::vector<std::filesystem::path> folders() const;
};

/// Of a command line of nvcc, clang, gcc or mcc: -I, -isystem, -iquote, -D, -U, -std, -include, with paths
/// made absolute from `folder`; also what nvcc hands on (-Xcompiler, --options-file). Everything else
/// (-gencode, -rdc, -forward-unknown-to-host-compiler, ...) says nothing about what the source means.
std::vector<std::string> keptArguments(const std::vector<std::string>& command,
                                       const std::filesystem::path& folder);

/// Does the folder hold CUDA's own headers? They would meet MUSA's.
bool isCudaFolder(const std::filesystem::path& folder);

/// A command line as a shell splits it.
std::vector<std::string> splitCommand(std::string_view text);

/// Reads a compilation database. Throws PortError.
std::vector<CompileCommand> readCompileCommands(const std::filesystem::path& path);

}  // namespace musashim::translator
