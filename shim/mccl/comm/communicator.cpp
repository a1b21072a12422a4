#include "mccl/comm/communicator.h"

#include <fmt/core.h>

#include <atomic>

#include "mccl/bootstrap/meeting.h"
#include "mccl/core/log.h"
#include "mccl/watch/ras.h"
#include "mccl/watch/watcher.h"

namespace musashim::mccl {
namespace {

std::atomic<Communicator::AddressBookMaker> addressBookMaker{nullptr};

std::unique_ptr<AddressBook> makeAddressBook(const Roster& roster, bool allLocal) {
  const Communicator::AddressBookMaker maker = addressBookMaker.load();
  if (allLocal || !maker) return std::make_unique<OwnAddresses>();
  return maker(roster);
}

struct Table {
  std::mutex mutex;
  std::map<std::array<uint64_t, 2>, std::weak_ptr<Communicator>> communicators;
};

Table& table() {
  static Table* const kTable = new Table;
  return *kTable;
}

}  // namespace

Communicator::Communicator(Roster roster, std::shared_ptr<Segment> segment)
    : roster_(std::move(roster)),
      allLocal_(roster_.allLocal()),
      clique_(std::move(segment), makeAddressBook(roster_, allLocal_)) {}

void Communicator::setAddressBookMaker(AddressBookMaker maker) { addressBookMaker.store(maker); }

std::shared_ptr<Communicator> Communicator::findOrMake(const Roster& roster,
                                                       std::shared_ptr<Segment> segment) {
  std::lock_guard lock(table().mutex);
  std::erase_if(table().communicators, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<Communicator>& known = table().communicators[roster.communicator];
  std::shared_ptr<Communicator> communicator = known.lock();
  if (!communicator) {
    communicator = std::make_shared<Communicator>(roster, std::move(segment));
    known = communicator;
    startRas();
    if (!communicator->allLocal()) Watcher::watch(communicator);
  }
  return communicator;
}

std::vector<std::shared_ptr<Communicator>> Communicator::all() {
  std::vector<std::shared_ptr<Communicator>> living;
  std::lock_guard lock(table().mutex);
  for (const auto& [name, known] : table().communicators) {
    if (std::shared_ptr<Communicator> communicator = known.lock()) living.push_back(std::move(communicator));
  }
  return living;
}

mcclResult_t Communicator::error() {
  const mcclResult_t error = clique_.error();
  if (error != mcclSuccess && !reported_.exchange(true)) {
    if (const std::string text = clique_.errorText(); text != lastError()) (void)fail(error, "{}", text);
  }
  return error;
}

std::shared_ptr<Meeting> Communicator::meetingFor(Kind kind, uint64_t number, int seats) {
  std::lock_guard lock(mutex_);
  Open& open = meetings_[{kind, number}];
  if (!open.meeting) open.meeting = std::make_shared<Meeting>(seats);
  std::shared_ptr<Meeting> meeting = open.meeting;
  if (++open.asked == meeting->seats()) meetings_.erase({kind, number});
  return meeting;
}

void Communicator::processDied(const ProcessToken& process) {
  std::string dead;
  for (int rank = 0; rank < ranks(); ++rank) {
    if (roster_.ranks[rank].process != process) continue;
    const bool wasHere = clique_.segment().rank(rank).presence.load() == RankState::kHere;
    clique_.noteDeath(rank);
    if (wasHere && dead.empty()) dead = roster_.ranks[rank].describe(rank);
  }
  if (!dead.empty())
    clique_.fail(mcclRemoteError, fmt::format("{} has ended without leaving the communicator", dead));
}

}  // namespace musashim::mccl
