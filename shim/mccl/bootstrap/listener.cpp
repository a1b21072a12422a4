#include "mccl/bootstrap/listener.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <mutex>
#include <set>
#include <thread>

#include "mccl/bootstrap/protocol.h"
#include "mccl/bootstrap/remote_party.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/core/log.h"
#include "mccl/core/service_thread.h"
#include "mccl/core/system_error.h"

namespace musashim::mccl {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(5);  // with someone who says nothing
constexpr size_t kMaxStrangers = 1024;

// Someone who has connected.
struct Guest {
  enum Kind { kRank, kFetcher };
  std::shared_ptr<const Fd> socket;
  Kind kind = kRank;
  std::string from;
  Clock::time_point since = Clock::now();
  std::vector<char> heard;
  std::shared_ptr<Meeting> meeting;  // a rank that has taken its seat
  int rank = 0;
  RankInfo info;
};

struct State {
  std::mutex mutex;  // of what follows
  pid_t pid = 0;     // of the process whose thread serves
  int wake = -1;
  in_addr address{};
  uint16_t port = 0;
  std::vector<int> listening;  // TCP
  std::set<uint16_t> ports;
};

State& state() {
  static State* const kState = new State;
  return *kState;
}

// A socket can be bound to an address of an interface that is not up, and nobody would reach it there.
bool hasRoute(const sockaddr_in& at) {
  const Fd fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return fd && connect(fd.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
}

Fd listenTcp(in_addr address, uint16_t port) {
  Fd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr = address;
  at.sin_port = port;
  const int yes = 1;
  if (!fd || setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(fd.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || listen(fd.get(), SOMAXCONN) != 0 ||
      !hasRoute(at)) {
    return Fd();
  }
  return fd;
}

std::string nameOf(int socket) {
  sockaddr_in peer{};
  socklen_t length = sizeof peer;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &length) != 0 || peer.sin_family != AF_INET) {
    return "a local process";
  }
  return fmt::format("{}:{}", inet_ntoa(peer.sin_addr), ntohs(peer.sin_port));
}

void refuse(int socket, const IdContent& content, mcclResult_t result, const std::string& reason) {
  Welcome welcome;
  welcome.rootSecret = content.rootSecret;
  welcome.result = result;
  std::strncpy(welcome.text, reason.c_str(), sizeof welcome.text - 1);
  (void)sendAll(socket, &welcome, sizeof welcome);
}

// Serves until the process ends.
class Server {
 public:
  void run() {
    while (true) {
      std::vector<pollfd> polls = pollSet();
      const int timeout = guests_.empty() ? -1 : 500;
      poll(polls.data(), polls.size(), timeout);
      if (polls[0].revents) drainWake(polls[0].fd);
      const size_t doors = polls.size() - guests_.size();
      // Guests first: accepting changes the list.
      size_t index = doors;
      for (auto guest = guests_.begin(); guest != guests_.end(); ++index) {
        const bool stays = polls[index].revents ? listenTo(*guest) : isPatient(*guest);
        guest = stays ? std::next(guest) : guests_.erase(guest);
      }
      if (!spare_) spare_ = Fd(eventfd(0, EFD_CLOEXEC));
      for (size_t i = 1; i < doors; ++i) {
        if (polls[i].revents) welcomeIn(polls[i].fd, i == 1 ? Guest::kFetcher : Guest::kRank);
      }
    }
  }

 private:
  // The wake-up, the local door, the TCP sockets, the guests.
  std::vector<pollfd> pollSet() {
    std::vector<pollfd> polls;
    State& state = mccl::state();
    std::lock_guard lock(state.mutex);
    polls.push_back({state.wake, POLLIN, 0});
    polls.push_back({Pickups::door(), POLLIN, 0});
    for (int fd : state.listening) polls.push_back({fd, POLLIN, 0});
    for (const Guest& guest : guests_) polls.push_back({guest.socket->get(), POLLIN, 0});
    return polls;
  }

  static void drainWake(int fd) {
    uint64_t count;
    [[maybe_unused]] const ssize_t got = read(fd, &count, sizeof count);
  }

  void welcomeIn(int door, Guest::Kind kind) {
    Fd socket(accept4(door, nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket && (errno == EMFILE || errno == ENFILE)) {
      if (kind == Guest::kRank) return turnAway(door, errno);
      spare_ = Fd();  // enough for one after the other: each soon goes
      socket = Fd(accept4(door, nullptr, nullptr, SOCK_CLOEXEC));
    }
    if (!socket) return;
    if (kind == Guest::kFetcher && !isSameUser(socket.get())) return;
    if (guests_.size() >= kMaxStrangers + 4096) return;
    const timeval limit{5, 0};
    setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    std::string from = nameOf(socket.get());
    Guest& guest = guests_.emplace_back();
    guest.socket = std::make_shared<const Fd>(std::move(socket));
    guest.kind = kind;
    guest.from = std::move(from);
  }

  // There is no descriptor for who comes. Nobody is to wait for a rank that cannot be heard; and who comes
  // before a rank of this process has to come again.
  void turnAway(int door, int error) {
    const std::vector<std::shared_ptr<Meeting>> meetings = openMeetings();
    for (const std::shared_ptr<Meeting>& meeting : meetings) {
      meeting->cancel(mcclSystemError, "Bootstrap : a rank of another process cannot be heard: " +
                                           describeSystemError(error, meeting->seats()));
    }
    spare_ = Fd();
    if (!meetings.empty()) (void)Fd(accept4(door, nullptr, nullptr, SOCK_CLOEXEC));
    spare_ = Fd(eventfd(0, EFD_CLOEXEC));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  static bool isPatient(const Guest& guest) {
    if (guest.meeting || Clock::now() - guest.since < kPatience) return true;
    report(guest, "said nothing that a rank would say");
    return false;
  }

  static void report(const Guest& guest, const char* why) {
    (void)fail(mcclSystemError, "Bootstrap : ignored a connection from {} : it {}", guest.from, why);
  }

  // False when the guest goes.
  static bool listenTo(Guest& guest) {
    if (guest.meeting) return !hasLeft(guest);
    const size_t wanted = guest.kind == Guest::kRank ? sizeof(Hello) : sizeof(Knock);
    char part[sizeof(Hello)];
    const ssize_t got = recv(guest.socket->get(), part, wanted - guest.heard.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) {
      if (guest.kind == Guest::kRank) report(guest, "closed without a greeting");
      return false;
    }
    guest.heard.insert(guest.heard.end(), part, part + got);
    const size_t look = std::min(guest.heard.size(), sizeof kHelloMagic);
    if (guest.kind == Guest::kRank && std::memcmp(guest.heard.data(), kHelloMagic, look) != 0) {
      report(guest, "does not speak the protocol");
      return false;
    }
    if (guest.heard.size() < wanted) return true;
    return guest.kind == Guest::kRank ? takeSeat(guest) : handOver(guest);
  }

  static bool hasLeft(Guest& guest) {
    char byte;
    const ssize_t got = recv(guest.socket->get(), &byte, 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    guest.meeting->leave(fmt::format("{} left during the initialisation", guest.info.describe(guest.rank)));
    return true;
  }

  static bool takeSeat(Guest& guest) {
    Hello hello;
    std::memcpy(static_cast<void*>(&hello), guest.heard.data(), sizeof hello);
    IdContent id{};
    if (!findIssued(hello.serial, hello.rankSecret, id)) {
      if (hello.serial != 0) report(guest, "shows a unique id that is not of this process, or stale");
      return false;
    }
    std::shared_ptr<Meeting> meeting;
    mcclResult_t result = mcclInvalidArgument;
    if (hello.ranks >= 1 && hello.rank >= 0 && hello.rank < hello.ranks) {
      result = meetingOf(id, hello.ranks, meeting);
    }
    if (result != mcclSuccess) {
      refuse(guest.socket->get(), id, result, lastError());
      return false;
    }
    hello.info.host[sizeof hello.info.host - 1] = hello.info.bus[sizeof hello.info.bus - 1] = '\0';
    auto party = std::make_shared<RemoteParty>(guest.socket, id, hello.info);
    if (meeting->join(hello.rank, {std::move(party), 0, hello.rank}) != mcclSuccess) return false;
    guest.meeting = meeting;
    guest.rank = hello.rank;
    guest.info = hello.info;
    logInfo(kBootstrap, "Bootstrap : {} has come", guest.info.describe(guest.rank));
    return true;
  }

  static bool handOver(Guest& guest) {
    Knock knock;
    std::memcpy(&knock, guest.heard.data(), sizeof knock);
    Pickups::hand(knock.key, guest.socket->get());
    return false;
  }

  std::list<Guest> guests_;
  Fd spare_{eventfd(0, EFD_CLOEXEC)};  // given up for a moment where there is no other
};

void serve() {
  prctl(PR_SET_NAME, "mccl-bootstrap");
  (new Server)->run();
}

// With the lock held. False, with errno, when sockets are not to be had.
bool start(State& state) {
  if (state.pid == getpid()) return true;
  state.listening.clear();  // of the parent, after a fork
  state.ports.clear();
  state.port = 0;
  if (!Pickups::open()) return false;
  const int wake = eventfd(0, EFD_CLOEXEC);
  if (wake < 0) return false;
  state.wake = wake;
  state.pid = getpid();
  startServiceThread(serve);
  return true;
}

// With the lock held: also listens to this socket.
void add(State& state, Fd tcp) {
  state.listening.push_back(tcp.release());
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(state.wake, &one, sizeof one);
}

// With the lock held. False, with errno, when there is no loopback interface.
bool listenOnLoopback(State& state) {
  if (state.port != 0) return true;
  const in_addr loopback{htonl(INADDR_LOOPBACK)};
  Fd tcp = listenTcp(loopback, 0);
  sockaddr_in bound{};
  socklen_t length = sizeof bound;
  if (!tcp || getsockname(tcp.get(), reinterpret_cast<sockaddr*>(&bound), &length) != 0) return false;
  state.address = loopback;
  state.port = bound.sin_port;
  add(state, std::move(tcp));
  return true;
}

}  // namespace

bool Listener::open(in_addr& address, uint16_t& port) {
  State& state = mccl::state();
  std::lock_guard lock(state.mutex);
  if (!start(state) || !listenOnLoopback(state)) return false;
  address = state.address;
  port = state.port;
  return true;
}

bool Listener::openAt(in_addr address, uint16_t port) {
  State& state = mccl::state();
  std::lock_guard lock(state.mutex);
  if (!start(state)) return false;
  if (state.ports.contains(port)) return true;
  Fd tcp = listenTcp(address, port);
  if (!tcp) return false;
  add(state, std::move(tcp));
  state.ports.insert(port);
  return true;
}

}  // namespace musashim::mccl
