#include "mccl/hosts/host_exchange.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <thread>
#include <vector>

#include "mccl/bootstrap/mail.h"
#include "mccl/core/log.h"
#include "mccl/hosts/looks.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

constexpr int kLooksForMail = 16;  // that sleep, between two looks for mail
constexpr auto kTellWithin = std::chrono::seconds(2);
constexpr auto kHearWithin = std::chrono::milliseconds(300);
constexpr auto kLongestSleep = std::chrono::milliseconds(2);  // then the clique is looked at again

}  // namespace

HostExchange::HostExchange(const Roster& roster, Clique& clique)
    : roster_(roster),
      clique_(clique),
      hosts_(roster),
      plan_(clique.segment().channels()),
      agreement_(roster_, hosts_, plan_),
      run_(hosts_) {}

Link& HostExchange::linkOf(int rank, int peer, const LinkName& name, bool isOut, const LinkRoute& route) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<Link>& link = links_[{{rank, peer}, {name, isOut}}];
  if (!link && isOut) link = std::make_unique<OutLink>(*theNet(), roster_, rank, peer, name, route);
  if (!link) link = std::make_unique<InLink>(*theNet(), roster_, rank, peer, name, route);
  return *link;
}

// Between two ranks always the same ones of what is near to each.
Link& HostExchange::messageLink(int rank, int peer, bool isOut) {
  const std::vector<int>& here = hosts_.at(hosts_.own()).ranks;
  const auto seat = static_cast<int>(std::ranges::find(here, rank) - here.begin());
  LinkRoute route;
  route.device = clique_.segment().nearDevice(seat, rank + peer);
  route.from = isOut ? rank : peer;
  route.to = isOut ? peer : rank;
  return linkOf(rank, peer, {LinkPurpose::kMessages, 0}, isOut, route);
}

// By the devices of the lane's channel. In a ring data comes to the first rank here, and goes on from the
// last.
Link& HostExchange::channelLink(int host, Phase phase, int lane, bool isOut) {
  const int channels = agreement_.fabric().channels, own = hosts_.own();
  const bool isTree = lane >= channels;
  LinkRoute route;
  route.channel = isTree ? lane - channels : lane;  // as the log's trees are numbered
  const int channel = lane % channels;
  if (!plan_.devices.empty()) {
    const ChannelPlan::Devices& devices = plan_.devices[static_cast<size_t>(channel)];
    if (isTree) route.device = isOut ? devices.treeOut : devices.treeIn;
    if (!isTree) route.device = isOut ? devices.ringOut : devices.ringIn;
  }
  const int from = isOut ? own : host, to = isOut ? host : own;
  route.from = isTree ? agreement_.tree(from, channel).front() : agreement_.ring(from, channel).back();
  route.to = isTree ? agreement_.tree(to, channel).front() : agreement_.ring(to, channel).front();
  const LinkPurpose purpose = phase == Phase::kReduce ? LinkPurpose::kReduce : LinkPurpose::kSpread;
  return linkOf(hosts_.at(own).leader(), hosts_.at(host).leader(), {purpose, lane}, isOut, route);
}

// Before the first collective. False when it is not reached in time, or the clique has failed.
bool HostExchange::agree(const std::string& call, Clock::time_point until) {
  const int own = hosts_.at(hosts_.own()).leader();
  for (int looks = 1; !agreement_.isReached() && !clique_.stopped(); ++looks) {
    if (const mcclResult_t result = agreement_.progress(); result != mcclSuccess) {
      fail(result, own, agreement_.failedPeer(), call);
      return false;
    }
    if (agreement_.isReached()) break;
    if (until != kForEver && Clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (looks % kLooksForMail == 0 && isInAnotherCall(own, call)) return false;
  }
  if (clique_.stopped()) return false;
  agreement_.report();
  run_.setFabric(agreement_.fabric(), plan_.rings);
  return true;
}

void HostExchange::fail(mcclResult_t result, int rank, int peer, const std::string& call) {
  const std::string why = lastError();
  if (result == mcclInvalidUsage) {
    // The other side finds out as well, or sees the mail, and tells what it is in.
    std::vector<char> other;
    const auto end = Clock::now() + kTellWithin;
    (void)Mail::post(roster_, rank, peer, MailKind::kCall, 0, call, kTellWithin);
    if (Mail::await(roster_, peer, rank, MailKind::kCall, 0, other, [&] { return Clock::now() < end; }))
      return failAsMismatch(rank, call, peer, other);
  }
  const std::string name = roster_.ranks[static_cast<size_t>(peer)].describe(peer);
  if (result == mcclRemoteError) {
    // A host that goes because it has failed has told why; see watch/host_watch.h.
    for (const auto end = Clock::now() + kHearWithin; Clock::now() < end;) {
      if (clique_.stopped()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return clique_.fail(
        result,
        fmt::format("{} has ended without leaving the communicator, or is not reached: {} of rank {}: {}",
                    name, call, rank, why));
  }
  clique_.fail(result, fmt::format("{} of rank {} with {} failed: {}", call, rank, name, why));
}

void HostExchange::failAsMismatch(int rank, const std::string& call, int peer, std::span<const char> other) {
  clique_.fail(mcclInvalidUsage, fmt::format("mismatched calls: rank {} called {}, rank {} called {}", rank,
                                             call, peer, std::string_view(other.data(), other.size())));
}

// Another host waits for this one in another call. Whoever has found that out tells; see fail().
bool HostExchange::isInAnotherCall(int rank, const std::string& call) {
  std::vector<char> other;
  int peer = 0;
  if (!Mail::takeAny(roster_, rank, MailKind::kCall, other, &peer)) return false;
  (void)Mail::post(roster_, rank, peer, MailKind::kCall, 0, call, kTellWithin);
  failAsMismatch(rank, call, peer, other);
  return true;
}

// False when the clique has failed.
bool HostExchange::prepare(uint64_t sequence, std::span<const CollectiveTask* const> tasks) {
  const std::vector<int>& here = hosts_.at(hosts_.own()).ranks;
  std::vector<AddressBook::Wanted> wanted;
  CollectiveRun::Buffers buffers;
  for (size_t seat = 0; seat < tasks.size(); ++seat) {
    if (readsSendBuffer(*tasks[seat], here[seat]))
      wanted.push_back({static_cast<int>(seat), &tasks[seat]->send});
    if (writesRecvBuffer(*tasks[seat], here[seat]))
      wanted.push_back({static_cast<int>(seat), &tasks[seat]->recv});
    buffers.factors.push_back(tasks[seat]->factor);
  }
  std::vector<void*> found(wanted.size());
  clique_.addresses().find(wanted, found);
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i]) continue;
    clique_.reportUnreachable(0, wanted[i].rank, [] { return false; });
    return false;
  }
  auto next = found.begin();
  for (size_t seat = 0; seat < tasks.size(); ++seat) {
    const bool reads = readsSendBuffer(*tasks[seat], here[seat]);
    const bool writes = writesRecvBuffer(*tasks[seat], here[seat]);
    buffers.send.push_back(reads ? static_cast<const std::byte*>(*next++) : nullptr);
    buffers.recv.push_back(writes ? static_cast<std::byte*>(*next++) : nullptr);
  }
  run_.begin(sequence, *tasks[0], static_cast<int>(roster_.ranks.size()), std::move(buffers),
             [&](int host, Phase phase, int lane, bool isOut) -> Link& {
               return channelLink(host, phase, lane, isOut);
             });
  return true;
}

bool HostExchange::run(uint64_t sequence, std::span<const CollectiveTask* const> tasks,
                       Clock::time_point until) {
  if (!theNet()) {
    clique_.fail(mcclSystemError, lastError());
    return true;
  }
  if (!agreement_.isReached() && !agree(tasks[0]->describe(), until)) return clique_.stopped();
  if (!run_.isUnderWay(sequence) && !prepare(sequence, tasks)) return true;
  const int own = hosts_.at(hosts_.own()).leader();
  Looks looks;
  for (int sleeps = 0; !run_.isDone();) {
    if (clique_.stopped()) return true;
    bool moved = false;
    const mcclResult_t result = run_.progress(moved);
    if (result != mcclSuccess) {
      if (!isInAnotherCall(own, tasks[0]->describe()))
        fail(result, own, run_.failedPeer(), tasks[0]->describe());
      return true;
    }
    if (moved) {
      looks.somethingCame();
      continue;
    }
    if (until != kForEver && Clock::now() >= until) return false;
    if (looks.again()) continue;
    await(run_.waitingLinks(), until);
    if (++sleeps % kLooksForMail == 0 && isInAnotherCall(own, tasks[0]->describe())) return true;
  }
  run_.end();
  return true;
}

void HostExchange::await(std::span<Link* const> links, Clock::time_point until) {
  Clock::duration most = kLongestSleep;
  if (until != kForEver)
    most = std::clamp<Clock::duration>(until - Clock::now(), Clock::duration::zero(), most);
  struct Comms {  // one memory for all calls
    std::vector<void*> list;
  };
  std::vector<void*>& comms = support::PerThread<Comms>::get().list;
  comms.clear();
  bool isConnecting = false;
  for (const Link* link : links) {
    if (link->comm()) comms.push_back(link->comm());
    isConnecting = isConnecting || !link->comm();
  }
  if (isConnecting) most = std::min<Clock::duration>(most, std::chrono::microseconds(200));
  if (comms.empty()) return std::this_thread::sleep_for(most);
  theNet()->await(comms, std::chrono::duration_cast<std::chrono::microseconds>(most));
}

}  // namespace musashim::mccl
