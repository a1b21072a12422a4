// mtshmrun: starts the PEs of a job on this host, hands on their ends, and ends the others when one fails.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

std::vector<pid_t> gPes;

constexpr const char* kHelp =
    "mtshmrun - starts the PEs of an MTSHMEM program on this host\n\n"
    "Usage: mtshmrun -np N [-env NAME VALUE]... program [argument...]\n\n"
    "  -n, -np, --np N     how many PEs (1 to 256)\n"
    "  -env, -genv N V     a variable of their environment\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 if all PEs ended with 0, else that of the first that did not (128 + n for signal n).\n";

void endAll(int signal) {
  for (const pid_t pe : gPes) {
    if (pe > 0) kill(pe, signal);
  }
}

void handOn(int signal) { endAll(signal); }

int usage(const std::string& what) {
  std::fprintf(stderr, "mtshmrun: %s; try --help\n", what.c_str());
  return 2;
}

constexpr int kHandedOn[] = {SIGINT, SIGTERM, SIGHUP};

// With these signals blocked: one that comes for the child before it has its program must end it, and not be
// handed on by the launcher's own handler. `mask`: what its program begins with.
pid_t start(int pe, int size, const std::string& job, char** command, const sigset_t& mask) {
  const pid_t child = fork();
  if (child != 0) return child;
  for (const int signal : kHandedOn) std::signal(signal, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  setenv("MTSHMEM_PE", std::to_string(pe).c_str(), 1);
  setenv("MTSHMEM_NPES", std::to_string(size).c_str(), 1);
  setenv("MTSHMEM_JOB", job.c_str(), 1);
  execvp(command[0], command);
  std::fprintf(stderr, "mtshmrun: cannot start %s: %s\n", command[0], std::strerror(errno));
  std::_Exit(127);
}

int waitForAll() {
  int result = 0;
  for (std::size_t left = gPes.size(); left > 0;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0) {
      if (errno == EINTR) continue;
      break;
    }
    for (std::size_t pe = 0; pe < gPes.size(); ++pe) {
      if (gPes[pe] != ended) continue;
      gPes[pe] = 0;
      --left;
      const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      if (code == 0 || result != 0) continue;
      result = code;
      if (left > 0)
        std::fprintf(stderr, "mtshmrun: PE %zu ended with status %d; the others are ended\n", pe, code);
      endAll(SIGTERM);
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  int size = 0, at = 1;
  for (; at < argc && argv[at][0] == '-'; ++at) {
    const std::string option = argv[at];
    if (option == "-h" || option == "--help") return std::fputs(kHelp, stdout), 0;
    if ((option == "-n" || option == "-np" || option == "--np") && at + 1 < argc) {
      size = std::atoi(argv[++at]);
      if (size < 1 || size > 256) return usage("'" + std::string(argv[at]) + "' PEs cannot be: 1 to 256 can");
    } else if ((option == "-env" || option == "-genv") && at + 2 < argc) {
      setenv(argv[at + 1], argv[at + 2], 1);
      at += 2;
    } else {
      return usage("'" + option + "' is no option, or lacks its value");
    }
  }
  if (size == 0) return usage("say how many PEs: -np N");
  if (at == argc) return usage("say which program");
  const std::string job = std::to_string(getpid()) + "-" + std::to_string(std::time(nullptr));
  sigset_t handedOn, before;
  sigemptyset(&handedOn);
  for (const int signal : kHandedOn) sigaddset(&handedOn, signal);
  sigprocmask(SIG_BLOCK, &handedOn, &before);
  for (const int signal : kHandedOn) std::signal(signal, handOn);
  for (int pe = 0; pe < size; ++pe) {
    const pid_t started = start(pe, size, job, argv + at, before);
    if (started < 0) {
      std::fprintf(stderr, "mtshmrun: cannot start PE %d: %s\n", pe, std::strerror(errno));
      endAll(SIGTERM);
      return 1;
    }
    gPes.push_back(started);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return waitForAll();
}
