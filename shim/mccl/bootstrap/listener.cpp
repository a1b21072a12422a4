#include "mccl/bootstrap/listener.h"

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

#include "mccl/bootstrap/mail.h"
#include "mccl/bootstrap/protocol.h"
#include "mccl/bootstrap/remote_party.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/core/log.h"
#include "mccl/core/service_thread.h"
#include "mccl/core/system_error.h"
#include "mccl/net/interfaces.h"

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
  SocketAddress address;       // on the interface that was chosen, once it is wanted
  std::vector<int> listening;  // TCP
  std::set<uint16_t> ports;
};

State& state() {
  static State* const kState = new State;
  return *kState;
}

std::string nameOf(int socket) {
  SocketAddress peer;
  socklen_t length = sizeof peer;
  if (getpeername(socket, &peer.plain, &length) != 0 || !peer.isSet()) return "a local process";
  return peer.text();
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
    size_t wanted = 0;
    while ((wanted = bytesOf(guest)) > guest.heard.size()) {
      char part[sizeof(Hello)];
      const size_t most = std::min(sizeof part, wanted - guest.heard.size());
      const ssize_t got = recv(guest.socket->get(), part, most, MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
      if (got <= 0) {
        if (guest.kind == Guest::kRank) report(guest, "closed without a greeting");
        return false;
      }
      guest.heard.insert(guest.heard.end(), part, part + got);
      if (guest.kind == Guest::kRank && !isKnown(guest)) return false;
    }
    if (guest.kind == Guest::kFetcher) return handOver(guest);
    return isMail(guest) ? takeMail(guest) : takeSeat(guest);
  }

  static bool begins(const Guest& guest, const char (&magic)[8]) {
    return std::memcmp(guest.heard.data(), magic, std::min(guest.heard.size(), sizeof magic)) == 0;
  }
  static bool isMail(const Guest& guest) { return begins(guest, kMailMagic); }

  static bool isKnown(const Guest& guest) {
    if (begins(guest, kHelloMagic) || isMail(guest)) return true;
    const bool isOther = guest.heard.size() >= 4 && std::memcmp(guest.heard.data(), kHelloMagic, 4) == 0;
    report(guest, isOther ? "speaks for another version of the library: all hosts need the same"
                          : "does not speak the protocol");
    return false;
  }

  // How much the guest has to say, as far as that is known.
  static size_t bytesOf(const Guest& guest) {
    if (guest.kind == Guest::kFetcher) return sizeof(Knock);
    if (guest.heard.size() < sizeof kHelloMagic) return sizeof kHelloMagic;
    if (!isMail(guest)) return sizeof(Hello);
    if (guest.heard.size() < sizeof(MailHeader)) return sizeof(MailHeader);
    return sizeof(MailHeader) + std::min(headerOf(guest).bytes, kMostMail);
  }

  static MailHeader headerOf(const Guest& guest) {
    MailHeader header;
    std::memcpy(static_cast<void*>(&header), guest.heard.data(), sizeof header);
    return header;
  }

  static bool takeMail(const Guest& guest) {
    Mail::deliver(headerOf(guest), {guest.heard.begin() + sizeof(MailHeader), guest.heard.end()});
    return false;
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
    if (meeting->join(hello.rank, {std::move(party), hello.color, hello.key}) != mcclSuccess) return false;
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
  state.address = {};
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

// With the lock held.
mcclResult_t listenOnInterface(State& state) {
  if (state.address.isSet()) return mcclSuccess;
  Interface chosen;
  MCCL_RETURN_IF_ERROR(chooseInterface(chosen));
  Fd tcp = listenTcp(chosen.address);
  if (!tcp && errno != EMFILE && errno != ENFILE) {
    return fail(mcclSystemError, "Bootstrap : no socket interface found : cannot listen on {} ({}): {}",
                chosen.name, chosen.address.text(), std::strerror(errno));
  }
  if (!tcp) return fail(mcclSystemError, "Bootstrap : cannot listen: {}", describeSystemError(errno, 1));
  state.address = chosen.address;
  logInfo(kBootstrap, "Bootstrap : Using {}:{}", chosen.name, chosen.address.text());
  add(state, std::move(tcp));
  return mcclSuccess;
}

}  // namespace

mcclResult_t Listener::open(SocketAddress& address) {
  State& state = mccl::state();
  std::lock_guard lock(state.mutex);
  if (!start(state)) {
    return fail(mcclSystemError, "Bootstrap : cannot listen: {}", describeSystemError(errno, 1));
  }
  MCCL_RETURN_IF_ERROR(listenOnInterface(state));
  address = state.address;
  return mcclSuccess;
}

bool Listener::openAt(const SocketAddress& address) {
  State& state = mccl::state();
  std::lock_guard lock(state.mutex);
  if (!start(state)) return false;
  if (state.ports.contains(address.port())) return true;
  SocketAddress at = address;
  Fd tcp = listenTcp(at);
  if (!tcp) return false;
  add(state, std::move(tcp));
  state.ports.insert(address.port());
  return true;
}

}  // namespace musashim::mccl
