#include "mccl/bootstrap/join.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "mccl/bootstrap/protocol.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/core/log.h"
#include "mccl/core/system_error.h"

namespace musashim::mccl {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kRetryEvery = std::chrono::milliseconds(20);
constexpr auto kRetryFor = std::chrono::seconds(30);  // an address from the environment: rank 0 may come late

std::string addressText(const IdContent& id) {
  char text[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &id.address, text, sizeof text);
  return fmt::format("{}:{}", text, ntohs(id.port));
}

Fd connectOnce(const IdContent& id) {
  Fd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr = id.address;
  at.sin_port = id.port;
  if (!fd || connect(fd.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) return Fd();
  return fd;
}

// One rank's way to the meeting.
class Journey {
 public:
  Journey(const IdContent& id, int ranks, int rank, const std::shared_ptr<Member>& member)
      : id_(id), ranks_(ranks), rank_(rank), member_(member) {}

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
    if (id_.port == 0) {
      return fail(mcclInvalidUsage, "the unique id was made by process {} on {} for its own ranks only",
                  id_.pid, id_.host);
    }
    Fd socket = connectOnce(id_);
    if (!socket) {
      return fail(mcclSystemError,
                  "Bootstrap : process {} on host {}, which made the unique id, does not answer at {}: {}",
                  id_.pid, id_.host, addressText(id_), describeSystemError(errno, ranks_));
    }
    Hello hello;
    std::memcpy(hello.magic, kHelloMagic, sizeof hello.magic);
    hello.serial = id_.serial;
    hello.rankSecret = id_.rankSecret;
    hello.ranks = ranks_;
    hello.rank = rank_;
    hello.info = member_->info();
    Welcome welcome;
    if (!sendAll(socket.get(), &hello, sizeof hello) ||
        !receiveAll(socket.get(), &welcome, sizeof welcome, patience())) {
      return gone();
    }
    if (welcome.rootSecret != id_.rootSecret) {
      return fail(mcclSystemError, "Bootstrap : who answers at {} did not make this unique id",
                  addressText(id_));
    }
    welcome.text[sizeof welcome.text - 1] = welcome.door[sizeof welcome.door - 1] = '\0';
    if (welcome.result != mcclSuccess) {
      return fail(static_cast<mcclResult_t>(welcome.result), "{}", static_cast<const char*>(welcome.text));
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
    Roster roster{welcome.communicator, std::vector<RankInfo>(static_cast<size_t>(welcome.ranks))};
    if (!receiveAll(socket, roster.ranks.data(), roster.ranks.size() * sizeof(RankInfo), patience()))
      return gone();
    Fd door = connectToDoor(welcome.door);
    const Knock knock{welcome.key};
    if (!door && errno == EMFILE) return refused();
    if (!door || !sendAll(door.get(), &knock, sizeof knock)) return gone();
    Fd memory = receiveFd(door.get(), patience());
    if (!memory && errno == EMFILE) return refused();
    if (!memory) return gone();
    auto segment = Segment::open(memory.release(), welcome.ranks);
    if (!segment) return fail(mcclSystemError, "Bootstrap : the communicator's memory cannot be mapped");
    auto communicator = Communicator::findOrMake(roster, segment);
    member_->admit({communicator->roster(), segment, communicator, welcome.rank});
    return mcclSuccess;
  }

  const IdContent& id_;
  const int ranks_, rank_;
  const std::shared_ptr<Member>& member_;
};

}  // namespace

void joinRemote(const IdContent& id, int ranks, int rank, const std::shared_ptr<Member>& member) {
  Journey(id, ranks, rank, member).go();
}

}  // namespace musashim::mccl
