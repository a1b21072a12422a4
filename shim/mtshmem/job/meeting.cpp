#include "mtshmem/job/meeting.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "mccl/comm/roster.h"
#include "mccl/core/log.h"
#include "mccl/net/interfaces.h"

namespace musashim::mtshmem {
namespace {

using mccl::Fd;
constexpr auto kGreetWithin = std::chrono::seconds(5);
constexpr int kLookEveryMs = 100;
constexpr auto kLeaveWithin = std::chrono::seconds(5);

std::string newSecret() {
  const auto bytes = mccl::randomBytes();
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(bytes[0]),
                static_cast<unsigned long long>(bytes[1]));
  return text;
}

// Never destroyed: a thread may be on its way when the process ends.
std::vector<std::unique_ptr<Meeting>>& openOnes() {
  static auto* const ones = new std::vector<std::unique_ptr<Meeting>>;
  return *ones;
}
std::mutex& openMutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

bool sendWord(int fd, uint32_t word) { return mccl::sendAll(fd, &word, sizeof word); }

}  // namespace

struct Meeting::State {
  Fd door;
  std::string secret;
  std::vector<Fd> pes;  // by number, once they have come
  std::atomic<bool> isBegun{false}, isOver{false};

  void gather();
  bool round();
  size_t awaitWord(size_t pe, const std::vector<bool>& hasLeft) const;
  void tellMissing(size_t pe);
};

// Strangers are sent away.
void Meeting::State::gather() {
  size_t came = 0;
  do {
    pollfd poll{door.get(), POLLIN, 0};
    if (::poll(&poll, 1, 1000) <= 0) continue;
    Fd guest(accept4(door.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!guest) continue;
    MeetingHello hello;
    const auto until = std::chrono::steady_clock::now() + kGreetWithin;
    const auto wait = [until] { return std::chrono::steady_clock::now() < until; };
    if (!mccl::receiveAll(guest.get(), &hello, sizeof hello, wait)) continue;
    if (std::memcmp(hello.secret, secret.data(), sizeof hello.secret) != 0) continue;
    if (hello.size < 1 || hello.size > 65536 || hello.me < 0 || hello.me >= hello.size) continue;
    if (pes.empty()) pes.resize(static_cast<size_t>(hello.size));
    if (static_cast<size_t>(hello.size) != pes.size() || pes[static_cast<size_t>(hello.me)]) continue;
    pes[static_cast<size_t>(hello.me)] = std::move(guest);
    isBegun.store(true);
    ++came;
  } while (pes.empty() || came < pes.size());
  door = Fd();
}

void Meeting::State::tellMissing(size_t pe) {
  for (const Fd& one : pes) {
    (void)sendWord(one.get(), MeetingWords::kOneIsMissing);
    (void)sendWord(one.get(), static_cast<uint32_t>(pe));
  }
}

// Until the PE says something, or one of those that have not left is gone: which of them it is.
size_t Meeting::State::awaitWord(size_t pe, const std::vector<bool>& hasLeft) const {
  for (;;) {
    pollfd poll{pes[pe].get(), POLLIN, 0};
    if (::poll(&poll, 1, kLookEveryMs) > 0) return pe;
    for (size_t other = 0; other < pes.size(); ++other) {
      char byte = 0;
      if (!hasLeft[other] && recv(pes[other].get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) return other;
    }
  }
}

// Takes from each and gives to all. False when all have left, or one is missing.
bool Meeting::State::round() {
  std::vector<char> all;
  std::vector<bool> hasLeft(pes.size(), false);
  for (size_t pe = 0; pe < pes.size(); ++pe) {
    uint32_t bytes = 0;
    const auto always = [] { return true; };
    if (const size_t heard = awaitWord(pe, hasLeft); heard != pe) return tellMissing(heard), false;
    if (!mccl::receiveAll(pes[pe].get(), &bytes, sizeof bytes, always)) return tellMissing(pe), false;
    if (bytes == MeetingWords::kLeaves) {
      hasLeft[pe] = true;
      continue;
    }
    const size_t at = all.size();
    all.resize(at + sizeof bytes + bytes);
    std::memcpy(all.data() + at, &bytes, sizeof bytes);
    if (!mccl::receiveAll(pes[pe].get(), all.data() + at + sizeof bytes, bytes, always))
      return tellMissing(pe), false;
  }
  if (std::find(hasLeft.begin(), hasLeft.end(), true) != hasLeft.end()) return false;
  for (const Fd& one : pes) (void)mccl::sendAll(one.get(), all.data(), all.size());
  return true;
}

Meeting::Meeting() : state_(std::make_shared<State>()) {
  mccl::Interface chosen;
  if (mccl::chooseInterface(chosen) != mcclSuccess) throw std::runtime_error(mccl::lastError());
  mccl::SocketAddress address = chosen.address;
  state_->door = mccl::listenTcp(address);
  if (!state_->door)
    throw std::runtime_error("cannot listen at " + chosen.name + ": " + std::strerror(errno));
  state_->secret = newSecret();
  place_ = address.text() + "/" + state_->secret;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  std::thread([state = state_] {
    state->gather();
    while (state->round()) {
    }
    state->isOver.store(true);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Meeting::~Meeting() {
  const auto until = std::chrono::steady_clock::now() + kLeaveWithin;
  while (state_->isBegun.load() && !state_->isOver.load() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string Meeting::open() {
  const std::lock_guard lock(openMutex());
  return openOnes().emplace_back(std::make_unique<Meeting>())->place();
}

void Meeting::closeAll() {
  const std::lock_guard lock(openMutex());
  openOnes().clear();
}

bool parseMeetingPlace(const std::string& place, mccl::SocketAddress& address, MeetingHello& hello) {
  const size_t slash = place.find('/');
  if (slash == std::string::npos || place.size() - slash - 1 != sizeof hello.secret) return false;
  std::memcpy(hello.secret, place.data() + slash + 1, sizeof hello.secret);
  return mccl::parseAddress(place.substr(0, slash), AF_UNSPEC, address);
}

}  // namespace musashim::mtshmem
