#include "mccl/watch/ras.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string_view>
#include <vector>

#include "mccl/bootstrap/socket.h"
#include "mccl/comm/communicator.h"
#include "mccl/core/service_thread.h"
#include "mccl/core/settings.h"

namespace musashim::mccl {
namespace {

struct RankReport {
  uint64_t collectives;
  uint32_t presence, messages, workers;
};

struct Look {
  std::vector<RankReport> ranks;
  uint64_t waitsIn = 0;         // number of the collective in which ranks wait
  std::vector<size_t> awaited;  // for these
};

Look lookAt(const Clique& clique) {
  const Segment& segment = clique.segment();
  Look look;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const RankState& state = segment.rank(rank);
    look.ranks.push_back({segment.collectives(rank).load(), state.presence.load(), state.unfinished.load(),
                          state.workers.load()});
  }
  const uint64_t begun = std::ranges::min(look.ranks, {}, &RankReport::collectives).collectives;
  const auto await = [&](auto isAwaited) {
    for (size_t rank = 0; rank < look.ranks.size(); ++rank) {
      if (isAwaited(look.ranks[rank])) look.awaited.push_back(rank);
    }
  };
  if (begun > 0 && !clique.isDone(begun - 1)) {
    // All have come: those that work at it are waited for, one that was stopped there, say.
    look.waitsIn = begun - 1;
    await([](const RankReport& report) { return report.workers > 0; });
  } else if (std::ranges::any_of(look.ranks,
                                 [&](const auto& report) { return report.collectives > begun; })) {
    look.waitsIn = begun;
    await([&](const RankReport& report) { return report.collectives <= begun; });
  }
  return look;
}

std::string stateOf(const Look& look, const Clique& clique) {
  if (clique.error() != mcclSuccess) return "failed: " + clique.errorText();
  return look.awaited.empty() ? "in step" : fmt::format("waits for rank {}", fmt::join(look.awaited, ", "));
}

std::string waitsIn(const Look& look, size_t rank, const Segment& segment) {
  const bool waits = look.ranks[rank].collectives > look.waitsIn && !look.awaited.empty() &&
                     std::ranges::find(look.awaited, rank) == look.awaited.end();
  if (!waits) return "";
  const CollectiveTask& call = segment.post(look.waitsIn, static_cast<int>(rank));
  return fmt::format(", waits in {} for rank {}", call.describe(), look.awaited.front());
}

std::string describe(const Look& look, size_t rank, const Segment& segment) {
  constexpr const char* kPresences[] = {"", ", has left", ", has died"};
  const RankReport& report = look.ranks[rank];
  std::string text = fmt::format("{} collectives", report.collectives);
  if (report.messages > 0) text += fmt::format(", {} messages under way", report.messages);
  return text + waitsIn(look, rank, segment) + kPresences[std::min<uint32_t>(report.presence, 2)];
}

void append(std::string& text, Communicator& communicator, bool verbose) {
  const Roster& roster = communicator.near();
  const Segment& segment = communicator.clique().segment();
  const Look look = lookAt(communicator.clique());
  const std::string here =
      communicator.hasFarRanks() ? fmt::format(" ({} on this host)", look.ranks.size()) : "";
  text +=
      fmt::format("communicator {:016x}{:016x}  {} ranks{}  {}\n", roster.communicator[0],
                  roster.communicator[1], communicator.ranks(), here, stateOf(look, communicator.clique()));
  for (size_t rank = 0; rank < look.ranks.size(); ++rank) {
    const std::string line = describe(look, rank, segment);
    const bool isPlain = line.find(',') == std::string::npos;
    if (!verbose && isPlain) continue;
    const RankInfo& info = roster.ranks[rank];
    text += fmt::format("  rank {}  process {} on {}  device {}  {}\n",
                        communicator.rankAt(static_cast<int>(rank)), info.pid, info.host, info.device, line);
  }
}

void answer(int socket) {
  using namespace std::chrono_literals;
  if (!isSameUser(socket)) return;
  const auto end = std::chrono::steady_clock::now() + 1s;
  std::string request;
  for (char next = 0; request.size() < 64 && next != '\n'; request += next) {
    if (!receiveAll(socket, &next, 1, [&] { return std::chrono::steady_clock::now() < end; })) return;
  }
  const std::string report = rasReport(std::string_view(request).starts_with("VERBOSE"));
  (void)sendAll(socket, report.data(), report.size());
}

std::atomic<int> rasDoor{-1};

void rasMain() {
  prctl(PR_SET_NAME, "mccl-ras");
  const int door = rasDoor.load();
  while (true) {
    // A thread that waits in accept4() itself holds a descriptor for who might come: the bootstrap's last
    // one, while ranks wait to be heard.
    pollfd ready{door, POLLIN, 0};
    if (poll(&ready, 1, -1) <= 0) continue;
    const Fd guest(accept4(door, nullptr, nullptr, SOCK_CLOEXEC));
    if (guest) {
      answer(guest.get());
    } else {
      usleep(100000);  // no file descriptors left, most likely
    }
  }
}

}  // namespace

std::string rasReport(bool verbose) {
  std::string text;
  for (const std::shared_ptr<Communicator>& communicator : Communicator::all()) {
    append(text, *communicator, verbose);
  }
  return text;
}

std::string rasDoorPrefix() { return fmt::format("mccl-ras-{}-", getuid()); }

std::string rasDoorOf(int pid) { return fmt::format("{}{}", rasDoorPrefix(), pid); }

void startRas() {
  static std::mutex mutex;
  static pid_t process = 0;  // a forked child has threads of its own
  if (!settings().ras) return;
  std::lock_guard lock(mutex);
  if (process == getpid()) return;
  Fd door = listenAtDoor(rasDoorOf(getpid()));
  if (!door) return;  // no descriptors left: the next communicator may have one
  process = getpid();
  rasDoor.store(door.release());
  startServiceThread(rasMain);
}

}  // namespace musashim::mccl
