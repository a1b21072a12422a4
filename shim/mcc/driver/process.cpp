#include "process.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "errors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

namespace musashim::mcc {

int StepRunner::run(const std::vector<std::string>& command) const {
  if (verbose_ || dryRun_) {
    for (const std::string& argument : command) {
      llvm::errs() << ' ';
      llvm::sys::printArg(llvm::errs(), argument, /*Quote=*/true);
    }
    llvm::errs() << '\n';
  }
  if (dryRun_) return 0;
  const std::vector<llvm::StringRef> arguments(command.begin(), command.end());
  std::string error;
  const int status = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt, {}, 0, 0, &error);
  if (!error.empty()) reportError(command.front() + ": " + error);
  return status < 0 ? 1 : status;
}

TemporaryFolder::TemporaryFolder() {
  llvm::SmallString<128> path;
  if (!llvm::sys::fs::createUniqueDirectory("mcc", path)) path_ = path.str();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (isOpen()) std::filesystem::remove_all(path_, error);
}

}  // namespace musashim::mcc
