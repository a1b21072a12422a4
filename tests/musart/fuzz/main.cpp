// Calls the whole API with random arguments, in child processes: none may crash or hang.
//
//   musa_api_fuzz --seconds 10            children with seeds 1, 2, ... until the time is up
//   musa_api_fuzz --seed 7 --children 1   child 7 again; MUSASHIM_TRACE=1 shows what it calls
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

#include "progress.h"
#include "values.h"

namespace {

using namespace musashim::fuzz;
using Clock = std::chrono::steady_clock;

struct Settings {
  double seconds = 10;
  uint64_t seed = 1;
  uint64_t children = UINT64_MAX;
  uint64_t calls = 4000;
  double patience = 30;  // seconds that one call may take
  int progressFile = -1;
  bool verbose = false;
};

Progress* mapProgress(int file) {
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  return static_cast<Progress*>(memory);
}

// The program itself with other arguments: a process that only forks has no devices.
pid_t startChild(const Settings& settings, uint64_t seed) {
  const std::string seedText = std::to_string(seed), calls = std::to_string(settings.calls),
                    file = std::to_string(settings.progressFile);
  const pid_t child = fork();
  if (child != 0) return child;
  if (!settings.verbose) {  // what devices print
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(null, STDOUT_FILENO);
  }
  execl("/proc/self/exe", "musa_api_fuzz", "--seed", seedText.c_str(), "--calls", calls.c_str(), "--child",
        file.c_str(), nullptr);
  _exit(127);
}

// Waits for the child; false when it did not end well, and then says why.
bool superviseChild(pid_t child, const Settings& settings, const Progress& progress, std::string& problem) {
  uint64_t seen = 0;
  auto movedAt = Clock::now();
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && progress.ended) return true;
      problem = WIFSIGNALED(status) ? std::string("died of ") + strsignal(WTERMSIG(status))
                                    : "ended with " + std::to_string(WEXITSTATUS(status));
      return false;
    }
    const uint64_t now = progress.calls.load();
    if (now != seen) movedAt = Clock::now();
    seen = now;
    if (Clock::now() - movedAt > std::chrono::duration<double>(settings.patience)) {
      kill(child, SIGABRT);  // a core dump shows where
      waitpid(child, &status, 0);
      problem = "did not return from a call";
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void reportProblem(uint64_t seed, const std::string& problem, const Progress& progress) {
  const uint64_t calls = progress.calls;
  std::printf("seed %llu: %s at call %llu; the last ones:\n", static_cast<unsigned long long>(seed),
              problem.c_str(), static_cast<unsigned long long>(calls));
  for (uint64_t i = calls - std::min<uint64_t>(calls, 8); i < calls; ++i) {
    std::printf("  %s\n", kCalls[progress.recent[(i + 1) % Progress::kRecent]].name);
  }
  std::fflush(stdout);
}

int supervise(Settings& settings) {
  settings.progressFile = memfd_create("musa-api-fuzz", 0);
  if (settings.progressFile < 0 || ftruncate(settings.progressFile, sizeof(Progress)) != 0) return 2;
  Progress& progress = *mapProgress(settings.progressFile);
  const auto end = Clock::now() + std::chrono::duration<double>(settings.seconds);
  uint64_t children = 0, problems = 0, calls = 0;
  for (; children < settings.children && Clock::now() < end; ++children) {
    progress.calls = 0;
    progress.ended = false;
    const uint64_t seed = settings.seed + children;
    std::string problem;
    if (!superviseChild(startChild(settings, seed), settings, progress, problem)) {
      reportProblem(seed, problem, progress);
      ++problems;
    }
    calls += progress.calls;
  }
  const auto reached = std::count_if(std::begin(progress.succeeded), std::end(progress.succeeded),
                                     [](const std::atomic<bool>& flag) { return flag.load(); });
  std::printf("%llu calls in %llu processes, %llu problems; %ld of %zu entries succeeded at least once\n",
              static_cast<unsigned long long>(calls), static_cast<unsigned long long>(children),
              static_cast<unsigned long long>(problems), static_cast<long>(reached), kCallCount);
  if (settings.verbose) {
    for (size_t i = 0; i < kCallCount; ++i) {
      if (!progress.succeeded[i]) std::printf("never succeeded: %s\n", kCalls[i].name);
    }
  }
  return problems == 0 && calls != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  static_assert(Progress::kMaxCalls >= 1024);
  Settings settings;
  CLI::App app{"Calls the whole API with random arguments"};
  app.add_option("--seconds", settings.seconds, "how long to start new processes");
  app.add_option("--seed", settings.seed, "of the first process");
  app.add_option("--children", settings.children, "how many processes at most");
  app.add_option("--calls", settings.calls, "calls of each process");
  app.add_option("--patience", settings.patience, "seconds that one call may take");
  app.add_flag("--verbose", settings.verbose, "show what devices print and which entries never succeeded");
  app.add_option("--child", settings.progressFile)->group("");
  CLI11_PARSE(app, argc, argv);
  if (settings.progressFile >= 0)
    runChild(settings.seed, settings.calls, *mapProgress(settings.progressFile));
  return supervise(settings);
}
