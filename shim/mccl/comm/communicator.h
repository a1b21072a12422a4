// What the ranks of one communicator share, in this process. The ranks of this host have a clique, in which
// they are numbered from 0 on by their seats; work of all goes on between the hosts (hosts/).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mccl/comm/roster.h"
#include "mccl/engine/clique.h"

namespace musashim::mccl {

class HostExchange;
class Meeting;

class Communicator : public std::enable_shared_from_this<Communicator> {
 public:
  // `segment` is shared exactly when not all ranks are of this process.
  Communicator(Roster roster, std::shared_ptr<Segment> segment);
  ~Communicator();

  // The memory of this host's ranks. `plan`: by places of the ranks here.
  static mcclResult_t makeSegment(const Roster& roster, bool shared, const ChannelPlan& plan,
                                  std::shared_ptr<Segment>& segment);

  // The communicator that `roster` names: one object per process, made by whoever is first.
  static std::shared_ptr<Communicator> findOrMake(const Roster& roster, std::shared_ptr<Segment> segment);

  // Keeps it for another rank of this process, which takes it when it comes.
  void keepFor(int rank);
  static std::shared_ptr<Communicator> takeKept(const std::array<uint64_t, 2>& name, int rank);

  // All that live in this process.
  static std::vector<std::shared_ptr<Communicator>> all();

  // How the memory of other processes is reached; set once, before the first communicator.
  using AddressBookMaker = std::unique_ptr<AddressBook> (*)(const Roster& roster);
  static void setAddressBookMaker(AddressBookMaker maker);

  int ranks() const { return static_cast<int>(roster_.ranks.size()); }
  const Roster& roster() const { return roster_; }
  // Those of this host, by their seats.
  const Roster& near() const { return near_; }
  bool allLocal() const { return allLocal_; }
  // Whether ranks of other processes reach this one's memory.
  bool sharesMemory() const { return clique_.segment().shared(); }
  bool hasFarRanks() const { return seats_.size() != near_.ranks.size(); }
  // The place of a rank in the clique; -1 for one of another host.
  int seatOf(int rank) const { return seats_[static_cast<size_t>(rank)]; }
  int rankAt(int seat) const { return clique_.numberOf(seat); }
  Clique& clique() { return clique_; }
  const Clique& clique() const { return clique_; }

  // The clique's error. The first time that this process sees it, it is logged here as well.
  mcclResult_t error();

  // The meeting of split or shrink `number` with `seats` ranks, all of this process; every one
  // of them asks for it once.
  enum Kind { kSplit, kShrink };
  std::shared_ptr<Meeting> meetingFor(Kind kind, uint64_t number, int seats);

  // What goes on between the hosts; null where there is one.
  HostExchange* exchange() { return exchange_.get(); }

  // A process has ended. Reports it when it had not left the communicator before.
  void processDied(const ProcessToken& process);

 private:
  struct Open {
    std::shared_ptr<Meeting> meeting;
    int asked = 0;
  };

  const Roster roster_, near_;
  const std::vector<int> seats_;  // by rank
  const bool allLocal_;
  Clique clique_;
  std::unique_ptr<HostExchange> exchange_;
  std::atomic<bool> reported_{false};
  std::mutex mutex_;
  std::map<std::pair<Kind, uint64_t>, Open> meetings_;  // those that not all ranks have asked for
};

}  // namespace musashim::mccl
