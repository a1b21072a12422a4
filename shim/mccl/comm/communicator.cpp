#include "mccl/comm/communicator.h"

#include <fmt/core.h>

#include <atomic>
#include <cerrno>

#include "mccl/bootstrap/meeting.h"
#include "mccl/core/log.h"
#include "mccl/core/system_error.h"
#include "mccl/hosts/host_exchange.h"
#include "mccl/net/net.h"
#include "mccl/watch/host_watch.h"
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
  std::map<std::pair<std::array<uint64_t, 2>, int>, std::shared_ptr<Communicator>> kept;
};

Table& table() {
  static Table* const kTable = new Table;
  return *kTable;
}

Roster nearOf(const Roster& roster) {
  Roster near{roster.communicator, roster.secret, {}};
  for (const int rank : roster.nearRanks()) near.ranks.push_back(roster.ranks[static_cast<size_t>(rank)]);
  return near;
}

std::vector<int> seatsOf(const Roster& roster) {
  std::vector<int> seats(roster.ranks.size(), -1);
  int next = 0;
  for (const int rank : roster.nearRanks()) seats[static_cast<size_t>(rank)] = next++;
  return seats;
}

}  // namespace

Communicator::Communicator(Roster roster, std::shared_ptr<Segment> segment)
    : roster_(std::move(roster)),
      near_(nearOf(roster_)),
      seats_(seatsOf(roster_)),
      allLocal_(roster_.allLocal()),
      clique_(std::move(segment), makeAddressBook(near_, near_.allLocal()), roster_.nearRanks()) {
  if (!hasFarRanks()) return;
  exchange_ = std::make_unique<HostExchange>(roster_, clique_);
  clique_.goAcross(*exchange_);
}

Communicator::~Communicator() = default;

mcclResult_t Communicator::makeSegment(const Roster& roster, bool shared, const ChannelPlan& plan,
                                       std::shared_ptr<Segment>& segment) {
  if (roster.hasFarRanks() && !theNet()) return fail(mcclSystemError, "{}", lastError());
  const int ranks = static_cast<int>(roster.nearRanks().size());
  segment = Segment::create(ranks, shared);
  if (!segment) {
    return fail(mcclSystemError, "no memory for a communicator of {} ranks: {}", ranks,
                describeSystemError(errno, ranks));
  }
  if (roster.hasFarRanks()) {
    segment->setChannels(plan);
  } else {
    segment->setRings(plan.rings);
  }
  return mcclSuccess;
}

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
    if (!communicator->near().allLocal()) Watcher::watch(communicator);
    if (communicator->hasFarRanks()) HostWatch::watch(communicator);
  }
  return communicator;
}

void Communicator::keepFor(int rank) {
  std::lock_guard lock(table().mutex);
  table().kept[{roster_.communicator, rank}] = shared_from_this();
}

std::shared_ptr<Communicator> Communicator::takeKept(const std::array<uint64_t, 2>& name, int rank) {
  std::lock_guard lock(table().mutex);
  auto kept = table().kept.extract({name, rank});
  return kept.empty() ? nullptr : std::move(kept.mapped());
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
  for (int seat = 0; seat < clique_.ranks(); ++seat) {
    const RankInfo& info = near_.ranks[seat];
    if (info.process != process) continue;
    const bool wasHere = clique_.segment().rank(seat).presence.load() == RankState::kHere;
    clique_.noteDeath(seat);
    if (wasHere && dead.empty()) dead = info.describe(rankAt(seat));
  }
  if (!dead.empty())
    clique_.fail(mcclRemoteError, fmt::format("{} has ended without leaving the communicator", dead));
}

}  // namespace musashim::mccl
