#include "mccl/bootstrap/remote_party.h"

#include <fmt/core.h>

#include <cstring>
#include <mutex>

namespace musashim::mccl {
namespace {

struct Door {
  std::mutex mutex;
  std::string name;
  Fd socket;
  std::map<Secret, std::shared_ptr<Segment>> waiting;
};

Door& theDoor() {
  static Door* const kDoor = new Door;
  return *kDoor;
}

}  // namespace

void RemoteParty::admit(const Admission& admission) {
  Welcome welcome;
  welcome.rootSecret = id_.rootSecret;
  welcome.ranks = static_cast<int32_t>(admission.roster.ranks.size());
  welcome.rank = admission.rank;
  welcome.communicator = admission.roster.communicator;
  welcome.secret = admission.roster.secret;
  if (admission.segment) {
    welcome.key = Pickups::offer(admission.segment);
    std::strncpy(welcome.door, Pickups::doorName().c_str(), sizeof welcome.door - 1);
  }
  // When this fails the rank is gone; the others notice by its absence.
  if (!sendAll(socket_->get(), &welcome, sizeof welcome)) return;
  (void)sendAll(socket_->get(), admission.roster.ranks.data(),
                admission.roster.ranks.size() * sizeof(RankInfo));
}

void RemoteParty::reject(mcclResult_t result, const std::string& reason) {
  Welcome welcome;
  welcome.rootSecret = id_.rootSecret;
  welcome.result = result;
  std::strncpy(welcome.text, reason.c_str(), sizeof welcome.text - 1);
  (void)sendAll(socket_->get(), &welcome, sizeof welcome);
}

bool Pickups::open() {
  Door& door = theDoor();
  std::lock_guard lock(door.mutex);
  const auto random = randomBytes();
  door.name = fmt::format("mccl-{:016x}{:016x}", random[0], random[1]);
  door.socket = listenAtDoor(door.name);
  door.waiting.clear();
  return static_cast<bool>(door.socket);
}

int Pickups::door() { return theDoor().socket.get(); }

std::string Pickups::doorName() {
  std::lock_guard lock(theDoor().mutex);
  return theDoor().name;
}

Secret Pickups::offer(std::shared_ptr<Segment> segment) {
  const Secret key = randomBytes();
  std::lock_guard lock(theDoor().mutex);
  theDoor().waiting.emplace(key, std::move(segment));
  return key;
}

bool Pickups::isWaiting(const Secret& key) {
  std::lock_guard lock(theDoor().mutex);
  return theDoor().waiting.contains(key);
}

void Pickups::hand(const Secret& key, int socket) {
  std::shared_ptr<Segment> segment;
  {
    std::lock_guard lock(theDoor().mutex);
    const auto found = theDoor().waiting.find(key);
    if (found == theDoor().waiting.end()) return;
    segment = found->second;
  }
  (void)sendFd(socket, segment->fd());
  std::lock_guard lock(theDoor().mutex);
  theDoor().waiting.erase(key);  // last: whoever offers it may end then
}

}  // namespace musashim::mccl
