#include "mccl/watch/host_watch.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "mccl/bootstrap/mail.h"
#include "mccl/comm/communicator.h"
#include "mccl/core/log.h"
#include "mccl/core/service_thread.h"
#include "mccl/hosts/host_exchange.h"

namespace musashim::mccl {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLookEvery = std::chrono::milliseconds(20);
constexpr auto kSignEvery = std::chrono::seconds(1);
constexpr auto kPatience = std::chrono::seconds(1);  // with one sign of life
constexpr int kMostSilent = 4;                       // signs that do not arrive, one after the other

// What goes by mail about a communicator that has failed.
struct Failure {
  int32_t result = mcclSuccess;
  char text[508] = {};
};

// The memory of the ranks is kept: a communicator may be aborted and gone before the others are told.
struct Watched {
  explicit Watched(const std::shared_ptr<Communicator>& one)
      : communicator(one),
        segment(one->clique().sharedSegment()),
        roster(one->roster()),
        hosts(one->exchange()->hosts()) {}

  std::weak_ptr<Communicator> communicator;
  std::shared_ptr<Segment> segment;
  Roster roster;
  HostMap hosts;
  std::atomic<bool> hasTold{false};
  bool isOver = false;  // its next host has left, or has been reported

  int own() const { return hosts.at(hosts.own()).leader(); }
  int next() const { return hosts.at((hosts.own() + 1) % hosts.count()).leader(); }
  const RankInfo& info(int rank) const { return roster.ranks[static_cast<size_t>(rank)]; }
};

struct Peer {
  Clock::time_point nextSign{};
  int silent = 0;
};

struct State {
  std::mutex mutex;
  pid_t pid = 0;
  std::vector<std::shared_ptr<Watched>> watched;
};

State& state() {
  static State* const kState = new State;
  return *kState;
}

// What another host has told.
void hear(Watched& watched) {
  std::vector<char> text;
  while (Mail::takeAny(watched.roster, watched.own(), MailKind::kFailure, text)) {
    Failure failure;
    if (text.size() != sizeof failure) continue;
    std::memcpy(&failure, text.data(), sizeof failure);
    failure.text[sizeof failure.text - 1] = '\0';
    watched.hasTold = true;  // whoever has told us tells all
    if (const auto communicator = watched.communicator.lock())
      communicator->clique().fail(static_cast<mcclResult_t>(failure.result), failure.text);
  }
  while (Mail::takeAny(watched.roster, watched.own(), MailKind::kLeaving, text)) watched.isOver = true;
}

// Those who have failed themselves need not be told first.
void tell(Watched& watched) {
  const Control& control = watched.segment->control();
  if (control.stopped.load() == 0 || watched.hasTold.exchange(true)) return;
  Failure failure;
  failure.result = control.error.load();
  std::memcpy(failure.text, control.text, std::min(sizeof failure.text, sizeof control.text) - 1);
  const std::span<const char> text(reinterpret_cast<const char*>(&failure), sizeof failure);
  for (int host = 0; host < watched.hosts.count(); ++host) {
    if (host == watched.hosts.own()) continue;
    (void)Mail::post(watched.roster, watched.own(), watched.hosts.at(host).leader(), MailKind::kFailure, 0,
                     text, std::chrono::milliseconds(300));
  }
}

void report(Watched& watched, const std::string& why) {
  watched.isOver = true;
  const auto communicator = watched.communicator.lock();
  if (!communicator) return;
  const int rank = watched.next();
  communicator->clique().fail(mcclRemoteError, fmt::format("{} {}", watched.info(rank).describe(rank), why));
}

// One sign of life for all communicators that share the next process.
void sign(std::span<const std::shared_ptr<Watched>> all, Peer& peer) {
  Watched& first = *all.front();
  const int rank = first.next();
  if (Mail::post(first.roster, first.own(), rank, MailKind::kAlive, 0, {}, kPatience)) {
    peer.silent = 0;
    return;
  }
  const int error = errno;
  const bool hasEnded = error == ECONNREFUSED;
  if (!hasEnded && ++peer.silent < kMostSilent) return;
  for (const auto& watched : all) {
    hear(*watched);  // it may have left before it ended
    if (watched->isOver) continue;
    report(*watched, hasEnded ? "has ended without leaving the communicator"
                              : fmt::format("cannot be reached any more: {}", std::strerror(error)));
  }
}

void watchMain() {
  prctl(PR_SET_NAME, "mccl-hosts");
  std::map<ProcessToken, Peer> peers;
  while (true) {
    std::vector<std::shared_ptr<Watched>> all;
    {
      std::lock_guard lock(state().mutex);
      std::erase_if(state().watched, [](const auto& watched) {
        const bool isStopped = watched->segment->control().stopped.load() != 0;
        return watched->communicator.expired() && (!isStopped || watched->hasTold);
      });
      all = state().watched;
    }
    std::map<ProcessToken, std::vector<std::shared_ptr<Watched>>> byPeer;
    for (const auto& watched : all) {
      hear(*watched);
      tell(*watched);
      if (!watched->isOver && watched->segment->control().stopped.load() == 0)
        byPeer[watched->info(watched->next()).process].push_back(watched);
    }
    std::erase_if(peers, [&](const auto& peer) { return !byPeer.contains(peer.first); });
    for (const auto& [process, group] : byPeer) {
      Peer& peer = peers[process];
      if (Clock::now() < peer.nextSign) continue;
      peer.nextSign = Clock::now() + kSignEvery;
      sign(group, peer);
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

}  // namespace

void HostWatch::watch(const std::shared_ptr<Communicator>& communicator) {
  const HostMap& hosts = communicator->exchange()->hosts();
  if (!communicator->roster().isLocal(hosts.at(hosts.own()).leader())) return;
  State& state = mccl::state();
  std::lock_guard lock(state.mutex);
  if (state.pid != getpid()) {
    state.pid = getpid();
    state.watched.clear();  // of the parent, after a fork
    startServiceThread(watchMain);
  }
  state.watched.push_back(std::make_shared<Watched>(communicator));
}

// To the host before this one, which looks after it.
void HostWatch::leave(const Communicator& communicator) {
  std::shared_ptr<Watched> watched;
  {
    std::lock_guard lock(state().mutex);
    const auto isOf = [&](const auto& one) {
      return one->roster.communicator == communicator.roster().communicator;
    };
    const auto found = std::ranges::find_if(state().watched, isOf);
    if (found == state().watched.end()) return;
    watched = *found;
  }
  if (watched->segment->control().stopped.load() != 0) return tell(*watched);
  const HostMap& hosts = watched->hosts;
  const int before = (hosts.own() + hosts.count() - 1) % hosts.count();
  (void)Mail::post(watched->roster, watched->own(), hosts.at(before).leader(), MailKind::kLeaving, 0, {},
                   std::chrono::milliseconds(300));
}

}  // namespace musashim::mccl
