#include "process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "errors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace musashim::mcc {

namespace {

BuiltInTool builtInTool = nullptr;

// As the program of `command` would, in this process; returns where it is to be started.
void runAndExit(const std::vector<std::string>& command) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);  // as exec does
  const std::optional<int> status = builtInTool(command);
  if (!status) return;
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(*status);
}

}  // namespace

// Clang's driver hands on the signal of what it ran, or 254 for any, and 70 where LLVM gave up. The signals
// by which a user or the system ends a step are no crashes.
bool isCrash(int status) {
  switch (status) {
    case 70:
    case 128 + SIGILL:
    case 128 + SIGABRT:
    case 128 + SIGBUS:
    case 128 + SIGFPE:
    case 128 + SIGSEGV:
    case 128 + SIGTRAP:
    case 254:
      return true;
    default:
      return false;
  }
}

int StepRunner::run(const std::vector<std::string>& command) const {
  if (verbose_ || dryRun_) {
    // So build systems know nvcc's steps, and look for the host's link among what the host's compiler says.
    if (asNvcc_) llvm::errs() << "#$";
    for (const std::string& argument : command) {
      llvm::errs() << ' ';
      llvm::sys::printArg(llvm::errs(), argument, /*Quote=*/true);
    }
    llvm::errs() << '\n';
  }
  if (dryRun_) return 0;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> changed = command;
  for (const StepChanges* change : changes_) changed = change->use(changed);
  int status = runProgram(changed);
  for (const StepChanges* change : changes_) status = change->ended(changed, status);
  if (times_ != nullptr) times_->add(command, std::chrono::steady_clock::now() - start);
  if (isCrash(status) && crashes_ != nullptr) crashes_->crashed(command, status);
  return status;
}

int StepChanges::ended(const std::vector<std::string>& /*command*/, int status) const { return status; }

void useBuiltInTools(BuiltInTool tool) { builtInTool = tool; }

int runProgram(const std::vector<std::string>& command, const std::string& output, unsigned seconds) {
  llvm::outs().flush();  // else the child would write it, too
  const pid_t child = fork();
  if (child < 0) return failStatus(llvm::Twine("cannot start '") + command.front() + "': " + strerror(errno));
  if (child == 0) {
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    if (!output.empty()) {
      const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
    }
    alarm(seconds);  // which exec keeps
    if (builtInTool != nullptr) runAndExit(command);
    execv(arguments[0], arguments.data());
    reportError(llvm::Twine("cannot run '") + command.front() + "': " + strerror(errno));
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return failStatus(llvm::Twine("cannot wait for a step: ") + strerror(errno));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
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
