// mtshmrun: starts the PEs of a job on this host or on several, hands on their ends, and ends the others when
// one fails.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mtshmem/job/meeting.h"
#include "mtshmem/tools/host_list.h"

namespace {

std::vector<pid_t> gPes;

constexpr const char* kHelp =
    "mtshmrun - starts the PEs of an MTSHMEM program, on this host or on several\n\n"
    "Usage: mtshmrun -np N [-hosts HOST,...] [-env NAME VALUE]... program [argument...]\n\n"
    "  -n, -np, --np N     how many PEs (1 to 256)\n"
    "  -hosts H,H:PES,...  where: as many PEs as said, or -ppn, on each in turn\n"
    "  -f FILE             the same, a host on each line\n"
    "  -ppn N              PEs on a host; without: in equal parts\n"
    "  -launcher-exec P    a program as ssh, which is taken without it: P HOST COMMAND\n"
    "  -env, -genv N V     a variable of their environment\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 if all PEs ended with 0, else that of the first that did not (128 + n for signal n).\n";

constexpr int kHandedOn[] = {SIGINT, SIGTERM, SIGHUP};

struct Job {
  int size = 0;
  std::string name;
  std::string meeting;  // empty: all on this host
  musashim::mtshmem::HostList hosts;
  std::string launcher;
};

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

// With these signals blocked: one that comes for the child before it has its program must end it, and not be
// handed on by the launcher's own handler. `mask`: what its program begins with.
pid_t start(int pe, const Job& job, char** command, const sigset_t& mask) {
  const pid_t child = fork();
  if (child != 0) return child;
  for (const int signal : kHandedOn) std::signal(signal, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  const std::vector<std::pair<std::string, std::string>> own = {{"MTSHMEM_PE", std::to_string(pe)},
                                                                {"MTSHMEM_NPES", std::to_string(job.size)},
                                                                {"MTSHMEM_JOB", job.name},
                                                                {"MTSHMEM_MEETING", job.meeting}};
  const std::string host = job.hosts.hostOf(pe);
  if (host.empty()) {
    for (const auto& [name, value] : own) {
      if (!value.empty()) setenv(name.c_str(), value.c_str(), 1);
    }
    execvp(command[0], command);
    std::fprintf(stderr, "mtshmrun: cannot start %s: %s\n", command[0], std::strerror(errno));
    std::_Exit(127);
  }
  std::string line = musashim::mtshmem::remoteCommand(own, job.hosts.exported, command);
  std::string launcher = job.launcher, place = host;
  char* const words[] = {launcher.data(), place.data(), line.data(), nullptr};
  execvp(words[0], words);
  std::fprintf(stderr, "mtshmrun: cannot start %s: %s\n", launcher.c_str(), std::strerror(errno));
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
  Job job;
  int& size = job.size;
  int at = 1, perHost = 0;
  const char* const launcher = std::getenv("HYDRA_LAUNCHER_EXEC");
  job.launcher = launcher != nullptr ? launcher : "ssh";
  for (; at < argc && argv[at][0] == '-'; ++at) {
    const std::string option = argv[at];
    if (option == "-h" || option == "--help") return std::fputs(kHelp, stdout), 0;
    if ((option == "-n" || option == "-np" || option == "--np") && at + 1 < argc) {
      size = std::atoi(argv[++at]);
      if (size < 1 || size > 256) return usage("'" + std::string(argv[at]) + "' PEs cannot be: 1 to 256 can");
    } else if ((option == "-hosts" || option == "-host") && at + 1 < argc) {
      job.hosts.add(argv[++at]);
    } else if ((option == "-f" || option == "-hostfile") && at + 1 < argc) {
      if (!job.hosts.addFile(argv[++at])) return usage("cannot read " + std::string(argv[at]));
    } else if (option == "-ppn" && at + 1 < argc) {
      perHost = std::atoi(argv[++at]);
      if (perHost < 1) return usage("'" + std::string(argv[at]) + "' PEs on a host cannot be");
    } else if (option == "-launcher-exec" && at + 1 < argc) {
      job.launcher = argv[++at];
    } else if ((option == "-env" || option == "-genv") && at + 2 < argc) {
      setenv(argv[at + 1], argv[at + 2], 1);
      job.hosts.exported.push_back(argv[at + 1]);
      at += 2;
    } else {
      return usage("'" + option + "' is no option, or lacks its value");
    }
  }
  if (size == 0) return usage("say how many PEs: -np N");
  if (at == argc) return usage("say which program");
  job.name = std::to_string(getpid()) + "-" + std::to_string(std::time(nullptr));
  if (!job.hosts.spread(size, perHost))
    return usage("there is no room for " + std::to_string(size) + " PEs on these hosts");
  std::unique_ptr<musashim::mtshmem::Meeting> meeting;
  try {
    if (!job.hosts.isEmpty()) {
      meeting = std::make_unique<musashim::mtshmem::Meeting>();
      job.meeting = meeting->place();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mtshmrun: %s\n", error.what());
    return 1;
  }
  sigset_t handedOn, before;
  sigemptyset(&handedOn);
  for (const int signal : kHandedOn) sigaddset(&handedOn, signal);
  sigprocmask(SIG_BLOCK, &handedOn, &before);
  for (const int signal : kHandedOn) std::signal(signal, handOn);
  for (int pe = 0; pe < size; ++pe) {
    const pid_t started = start(pe, job, argv + at, before);
    if (started < 0) {
      std::fprintf(stderr, "mtshmrun: cannot start PE %d: %s\n", pe, std::strerror(errno));
      endAll(SIGTERM);
      return 1;
    }
    gPes.push_back(started);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  const int result = waitForAll();
  if (result != 0) std::_Exit(result);  // nobody comes to the meeting any more
  return result;
}
