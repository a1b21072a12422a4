#include "image_link.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "mcc/driver/compile/device_image.h"
#include "mcc/driver/process.h"

extern char** environ;

namespace musashim::mtrtc {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Without the linker's name, and without the files of ours that it names.
std::string readable(const std::string& words, const std::string& folder) {
  std::istringstream lines(words);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(folder) != std::string::npos) continue;
    if (const size_t error = line.find(": error: "); error != std::string::npos)
      line = "mtrtc" + line.substr(error);
    result += line + '\n';
  }
  return result;
}

// What it prints goes to the file `output`. Returns 0 when it ended well, or why it did not start.
int runLinker(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int started = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (started != 0) return started;
  int status = 0;
  // A program that ignores SIGCHLD has no statuses: then the file that was to be made tells.
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 0;
  }
  return 0;
}

}  // namespace

bool linkObject(const mcc::Toolchain& toolchain, const std::string& object, std::string& image,
                std::string& log) {
  const mcc::TemporaryFolder folder;
  if (!folder.isOpen()) {
    log += "mtrtc: error: cannot make a temporary folder: is TMPDIR writable?\n";
    return false;
  }
  const std::string input = folder.file("unit.o"), output = folder.file("unit.so"),
                    words = folder.file("words");
  std::ofstream(input, std::ios::binary) << object;
  const std::vector<std::string> command = mcc::imageLinkCommand(toolchain, input, output);
  if (const int failure = runLinker(command, words)) {
    log += "mtrtc: error: cannot run '" + command.front() + "': " + strerror(failure) + "\n";
    return false;
  }
  log += readable(contents(words), folder.path());
  image = contents(output);
  return !image.empty();
}

}  // namespace musashim::mtrtc
