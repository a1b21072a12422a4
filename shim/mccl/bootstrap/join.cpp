#include "mccl/bootstrap/join.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "mccl/bootstrap/listener.h"
#include "mccl/bootstrap/mail.h"
#include "mccl/bootstrap/protocol.h"
#include "mccl/bootstrap/remote_party.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/core/log.h"
#include "mccl/core/system_error.h"
#include "mccl/net/net.h"
#include "mccl/topology/plan.h"

namespace musashim::mccl {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kRetryEvery = std::chrono::milliseconds(20);
constexpr auto kRetryFor = std::chrono::seconds(30);  // an address from the environment: rank 0 may come late

constexpr auto kConnectFor = std::chrono::seconds(10);
constexpr auto kFetchFor = std::chrono::seconds(60);  // of memory, from another rank of this host

// What a message takes on its way. Short ones are part of what is counted anyway; and all that is decided by
// it has to be the same from run to run: powers of two.
double wayOf(int socket) {
  const double way = shortestRoundTripUs(socket) / 2;
  return way < 400 ? 0 : std::exp2(std::round(std::log2(way)));
}

// One rank's way to the meeting.
class Journey {
 public:
  Journey(const IdContent& id, int ranks, int rank, const JoinSeat& seat,
          const std::shared_ptr<Member>& member)
      : id_(id), ranks_(ranks), rank_(rank), seat_(seat), member_(member) {}

  void go() {
    const auto start = Clock::now();
    mcclResult_t result;
    while (true) {
      result = attempt();
      // Only what the environment names may not be there yet.
      const bool usedBefore =
          result == mcclInvalidUsage && lastError().find("already used") != std::string::npos;
      const bool mayComeLater =
          id_.serial == 0 && (result == mcclSystemError || result == mcclRemoteError || usedBefore);
      if (!mayComeLater || member_->cancelled() || Clock::now() - start > kRetryFor) break;
      std::this_thread::sleep_for(kRetryEvery);
    }
    if (result != mcclSuccess) member_->reject(result);
  }

 private:
  mcclResult_t attempt() {
    if (!id_.address.isSet()) {
      return fail(mcclInvalidUsage, "the unique id was made by process {} on {} for its own ranks only",
                  id_.pid, id_.host);
    }
    RankInfo info = member_->info();
    MCCL_RETURN_IF_ERROR(Listener::open(info.address));
    Fd socket = connectTcp(id_.address, kConnectFor);
    if (!socket) {
      return fail(mcclSystemError,
                  "Bootstrap : process {} on host {}, which made the unique id, does not answer at {}: {}",
                  id_.pid, id_.host, id_.address.text(), describeSystemError(errno, ranks_));
    }
    Hello hello;
    std::memcpy(hello.magic, kHelloMagic, sizeof hello.magic);
    hello.serial = id_.serial;
    hello.rankSecret = id_.rankSecret;
    hello.ranks = ranks_;
    hello.rank = rank_;
    hello.color = seat_.color;
    hello.key = seat_.key;
    hello.info = info;
    Welcome welcome;
    if (!sendAll(socket.get(), &hello, sizeof hello) ||
        !receiveAll(socket.get(), &welcome, sizeof welcome, patience())) {
      return gone();
    }
    wayUs_ = wayOf(socket.get());
    if (welcome.rootSecret != id_.rootSecret) {
      return fail(mcclSystemError, "Bootstrap : who answers at {} did not make this unique id",
                  id_.address.text());
    }
    welcome.text[sizeof welcome.text - 1] = welcome.door[sizeof welcome.door - 1] = '\0';
    if (welcome.result != mcclSuccess) {
      return fail(static_cast<mcclResult_t>(welcome.result), "{}", static_cast<const char*>(welcome.text));
    }
    if (welcome.ranks == 0) {  // it wants no communicator
      member_->reject(mcclSuccess, "");
      return mcclSuccess;
    }
    const mcclResult_t result = enter(socket.get(), welcome);
    // The other side waits for this end, which a child that has been forked meanwhile must not keep open.
    (void)shutdown(socket.get(), SHUT_RDWR);
    return result;
  }

  KeepWaiting patience() const {
    return [this] { return !member_->cancelled(); };
  }

  mcclResult_t gone() const {
    if (member_->cancelled())
      return fail(mcclRemoteError, "the initialisation of rank {} was aborted", rank_);
    return fail(mcclRemoteError,
                "Bootstrap : process {} on host {} has closed the connection: it has ended, or the unique id "
                "is stale",
                id_.pid, id_.host);
  }

  mcclResult_t refused() const {
    return fail(mcclSystemError, "Bootstrap : rank {} cannot fetch the communicator's memory: {}", rank_,
                describeSystemError(errno, ranks_));
  }

  mcclResult_t enter(int socket, const Welcome& welcome) {
    Roster roster{welcome.communicator, welcome.secret,
                  std::vector<RankInfo>(static_cast<size_t>(welcome.ranks))};
    if (!receiveAll(socket, roster.ranks.data(), roster.ranks.size() * sizeof(RankInfo), patience()))
      return gone();
    if (roster.hasFarRanks() && !theNet()) return fail(mcclSystemError, "{}", lastError());
    if (!welcome.door[0]) return enterElsewhere(roster, welcome.rank);
    return fetch(roster, welcome.rank, welcome.door, welcome.key);
  }

  // On another host than the root's: its first rank makes the memory, and tells the others.
  mcclResult_t enterElsewhere(const Roster& roster, int rank) {
    const std::vector<int> near = roster.nearRanks();
    if (near.front() == rank) return host(roster, near);
    const auto end = Clock::now() + kFetchFor;
    std::vector<char> text;
    Pickup pickup;
    if (!Mail::await(roster, near.front(), rank, MailKind::kMemory, 0, text,
                     [&] { return !member_->cancelled() && Clock::now() < end; }) ||
        text.size() != sizeof pickup) {
      return fail(mcclRemoteError, "Bootstrap : {} does not tell where the memory of this host's ranks is",
                  roster.ranks[static_cast<size_t>(near.front())].describe(near.front()));
    }
    std::memcpy(&pickup, text.data(), sizeof pickup);
    if (pickup.door[0]) return fetch(roster, rank, pickup.door, pickup.key);
    const std::shared_ptr<Communicator> communicator = Communicator::takeKept(roster.communicator, rank);
    if (!communicator) return gone();
    member_->admit({communicator->roster(), nullptr, communicator, rank});
    return mcclSuccess;
  }

  mcclResult_t host(const Roster& roster, const std::vector<int>& near) {
    const auto isElsewhere = [&](int rank) { return !roster.isLocal(rank); };
    ChannelPlan plan;
    MCCL_RETURN_IF_ERROR(topology::planFor(roster, plan));
    plan.latencyUs += wayUs_;
    std::shared_ptr<Segment> segment;
    MCCL_RETURN_IF_ERROR(
        Communicator::makeSegment(roster, std::ranges::any_of(near, isElsewhere), plan, segment));
    const std::shared_ptr<Communicator> communicator = Communicator::findOrMake(roster, segment);
    std::vector<Secret> keys;
    for (size_t i = 1; i < near.size(); ++i) {
      Pickup pickup;
      if (isElsewhere(near[i])) {
        std::strncpy(pickup.door, Pickups::doorName().c_str(), sizeof pickup.door - 1);
        pickup.key = Pickups::offer(segment);
        keys.push_back(pickup.key);
      } else {
        communicator->keepFor(near[i]);
      }
      const std::span<const char> text(reinterpret_cast<const char*>(&pickup), sizeof pickup);
      if (Mail::post(roster, near[0], near[i], MailKind::kMemory, 0, text)) continue;
      return fail(mcclRemoteError, "Bootstrap : {} does not answer at {}: {}",
                  roster.ranks[static_cast<size_t>(near[i])].describe(near[i]),
                  roster.ranks[static_cast<size_t>(near[i])].address.text(), std::strerror(errno));
    }
    // This process may end as soon as it is admitted.
    const auto end = Clock::now() + kFetchFor;
    while (std::ranges::any_of(keys, &Pickups::isWaiting) && Clock::now() < end && !member_->cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    member_->admit({communicator->roster(), segment, communicator, near[0]});
    return mcclSuccess;
  }

  mcclResult_t fetch(const Roster& roster, int rank, const char* where, const Secret& key) {
    Fd door = connectToDoor(where);
    const Knock knock{key};
    if (!door && errno == EMFILE) return refused();
    if (!door || !sendAll(door.get(), &knock, sizeof knock)) return gone();
    Fd memory = receiveFd(door.get(), patience());
    if (!memory && errno == EMFILE) return refused();
    if (!memory) return gone();
    auto segment = Segment::open(memory.release(), static_cast<int>(roster.nearRanks().size()));
    if (!segment) return fail(mcclSystemError, "Bootstrap : the communicator's memory cannot be mapped");
    auto communicator = Communicator::findOrMake(roster, segment);
    member_->admit({communicator->roster(), segment, communicator, rank});
    return mcclSuccess;
  }

  double wayUs_ = 0;  // to the root, over the network
  const IdContent& id_;
  const int ranks_, rank_;
  const JoinSeat seat_;
  const std::shared_ptr<Member>& member_;
};

}  // namespace

void joinRemote(const IdContent& id, int ranks, int rank, const JoinSeat& seat,
                const std::shared_ptr<Member>& member) {
  Journey(id, ranks, rank, seat, member).go();
}

}  // namespace musashim::mccl
