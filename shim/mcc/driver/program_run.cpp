#include "program_run.h"

#include <cstdlib>
#include <filesystem>

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "process.h"

namespace musashim::mcc {

bool isProgramOnly(const Options& options) {
  if (options.inputs.size() != 1) return false;
  const std::string& path = options.inputs.front().path;
  llvm::file_magic magic;
  if (llvm::identify_magic(path, magic)) return false;
  const bool isElf =
      magic == llvm::file_magic::elf_executable || magic == llvm::file_magic::elf_shared_object;
  return isElf && llvm::sys::fs::can_execute(path);
}

int runBuiltProgram(const Options& options, const Toolchain& toolchain) {
  const std::string built = options.output.empty() ? "a.out" : options.output;
  const std::string program = isProgramOnly(options) ? options.inputs.front().path : built;
  const char* others = std::getenv("LD_LIBRARY_PATH");
  const std::string libraries =
      toolchain.sdk + "/cuda/lib64:" + toolchain.lib + (others == nullptr ? "" : ":" + std::string(others));
  setenv("LD_LIBRARY_PATH", libraries.c_str(), /*overwrite=*/1);
  std::vector<std::string> command{std::filesystem::absolute(program).string()};
  command.insert(command.end(), options.runArguments.begin(), options.runArguments.end());
  return StepRunner(options.verbose, options.dryRun, nullptr, options.calledNvcc).run(command);
}

}  // namespace musashim::mcc
