#include "mccl/watch/watcher.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "mccl/comm/communicator.h"
#include "mccl/core/log.h"
#include "mccl/core/service_thread.h"
#include "mccl/core/system_error.h"

namespace musashim::mccl {
namespace {

struct Watched {
  int fd = -1;  // a pidfd: readable when the process has ended
  std::vector<std::weak_ptr<Communicator>> communicators;
};

struct State {
  std::mutex mutex;
  pid_t pid = 0;  // of the process whose thread polls
  int wake = -1;
  std::map<ProcessToken, Watched> processes;
};

State& state() {
  static State* const kState = new State;
  return *kState;
}

void report(const ProcessToken& process, const std::vector<std::weak_ptr<Communicator>>& communicators) {
  for (const auto& weak : communicators) {
    if (auto communicator = weak.lock()) communicator->processDied(process);
  }
}

// Forgets processes that no living communicator shares with us. With the lock held.
void forget(State& state) {
  for (auto entry = state.processes.begin(); entry != state.processes.end();) {
    Watched& watched = entry->second;
    std::erase_if(watched.communicators, [](const auto& weak) { return weak.expired(); });
    if (!watched.communicators.empty()) {
      ++entry;
      continue;
    }
    close(watched.fd);
    entry = state.processes.erase(entry);
  }
}

void watcherMain() {
  prctl(PR_SET_NAME, "mccl-watcher");
  State& state = mccl::state();
  while (true) {
    std::vector<pollfd> polls;
    std::vector<ProcessToken> tokens;
    {
      std::lock_guard lock(state.mutex);
      forget(state);
      polls.push_back({state.wake, POLLIN, 0});
      for (const auto& [token, watched] : state.processes) {
        polls.push_back({watched.fd, POLLIN, 0});
        tokens.push_back(token);
      }
    }
    poll(polls.data(), polls.size(), -1);
    if (polls[0].revents) {
      uint64_t count;
      [[maybe_unused]] const ssize_t got = read(polls[0].fd, &count, sizeof count);
    }
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (!polls[i + 1].revents) continue;
      std::vector<std::weak_ptr<Communicator>> communicators;
      {
        std::lock_guard lock(state.mutex);
        auto node = state.processes.extract(tokens[i]);
        if (node.empty()) continue;
        close(node.mapped().fd);
        communicators = std::move(node.mapped().communicators);
      }
      report(tokens[i], communicators);
    }
  }
}

// With the lock held.
void start(State& state) {
  if (state.pid == getpid()) return;
  state.pid = getpid();
  state.processes.clear();  // of the parent, after a fork
  state.wake = eventfd(0, EFD_CLOEXEC);
  startServiceThread(watcherMain);
}

}  // namespace

void Watcher::watch(const std::shared_ptr<Communicator>& communicator) {
  State& state = mccl::state();
  std::vector<ProcessToken> gone;
  int error = 0;
  {
    std::lock_guard lock(state.mutex);
    start(state);
    const Roster& roster = communicator->near();
    for (int rank = 0; rank < static_cast<int>(roster.ranks.size()); ++rank) {
      const RankInfo& info = roster.ranks[rank];
      if (roster.isLocal(rank) || roster.leaderOf(rank) != rank) continue;
      auto found = state.processes.find(info.process);
      if (found == state.processes.end()) {
        const int fd = static_cast<int>(syscall(SYS_pidfd_open, info.pid, 0));
        if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
          error = errno;
          continue;
        }
        if (fd < 0) {
          gone.push_back(info.process);
          continue;
        }
        found = state.processes.emplace(info.process, Watched{fd, {}}).first;
      }
      found->second.communicators.push_back(communicator);
    }
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(state.wake, &one, sizeof one);
  }
  for (const ProcessToken& process : gone) report(process, {communicator});
  if (error == 0) return;
  communicator->clique().fail(mcclSystemError, "the communicator's processes cannot be watched: " +
                                                   describeSystemError(error, communicator->ranks()));
}

}  // namespace musashim::mccl
