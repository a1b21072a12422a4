#include "mccl/comm/ras.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
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
  uint32_t presence, messages;
};

std::vector<RankReport> lookAt(Segment& segment) {
  std::vector<RankReport> ranks;
  for (int rank = 0; rank < segment.ranks(); ++rank) {
    const RankState& state = segment.rank(rank);
    ranks.push_back({state.collectives.load(), state.presence.load(), state.unfinished.load()});
  }
  return ranks;
}

std::string stateOf(const std::vector<RankReport>& ranks, const Clique& clique) {
  if (clique.error() != mcclSuccess) return "failed: " + clique.errorText();
  std::vector<size_t> late;
  const auto least = [](const RankReport& a, const RankReport& b) { return a.collectives < b.collectives; };
  const uint64_t most = std::max_element(ranks.begin(), ranks.end(), least)->collectives;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].collectives < most) late.push_back(rank);
  }
  return late.empty() ? "in step" : fmt::format("waits for rank {}", fmt::join(late, ", "));
}

std::string describe(const RankReport& report, size_t rank, const std::vector<RankReport>& ranks,
                     const Clique& clique) {
  constexpr const char* kPresences[] = {"", ", has left", ", has died"};
  std::string text = fmt::format("{} collectives", report.collectives);
  if (report.messages > 0) text += fmt::format(", {} messages under way", report.messages);
  for (size_t other = 0; other < ranks.size(); ++other) {
    const std::string call = clique.waitsInCollective(static_cast<int>(rank), static_cast<int>(other));
    if (call.empty()) continue;
    text += fmt::format(", waits in {} for rank {}", call, other);
    break;
  }
  return text + kPresences[std::min<uint32_t>(report.presence, 2)];
}

void append(std::string& text, Communicator& communicator, bool verbose) {
  const Roster& roster = communicator.roster();
  const Clique& clique = communicator.clique();
  const std::vector<RankReport> ranks = lookAt(communicator.clique().segment());
  text += fmt::format("communicator {:016x}{:016x}  {} ranks  {}\n", roster.communicator[0],
                      roster.communicator[1], ranks.size(), stateOf(ranks, clique));
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::string line = describe(ranks[rank], rank, ranks, clique);
    const bool isPlain = line.find(',') == std::string::npos;
    if (!verbose && isPlain) continue;
    const RankInfo& info = roster.ranks[rank];
    text += fmt::format("  rank {}  process {} on {}  device {}  {}\n", rank, info.pid, info.host,
                        info.device, line);
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

void rasMain() {
  prctl(PR_SET_NAME, "mccl-ras");
  const Fd door = listenAtDoor(rasDoorOf(getpid()));
  while (door) {
    const Fd guest(accept4(door.get(), nullptr, nullptr, SOCK_CLOEXEC));
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
  static std::atomic<pid_t> process{0};  // a forked child has threads of its own
  if (settings().ras && process.exchange(getpid()) != getpid()) startServiceThread(rasMain);
}

}  // namespace musashim::mccl
