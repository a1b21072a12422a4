// What the ranks of one communicator share, in this process.
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

class Meeting;

class Communicator {
 public:
  // `segment` is shared exactly when not all ranks are of this process.
  Communicator(Roster roster, std::shared_ptr<Segment> segment);

  // The communicator that `roster` names: one object per process, made by whoever is first.
  static std::shared_ptr<Communicator> findOrMake(const Roster& roster, std::shared_ptr<Segment> segment);

  // All that live in this process.
  static std::vector<std::shared_ptr<Communicator>> all();

  // How the memory of other processes is reached; set once, before the first communicator.
  using AddressBookMaker = std::unique_ptr<AddressBook> (*)(const Roster& roster);
  static void setAddressBookMaker(AddressBookMaker maker);

  int ranks() const { return clique_.ranks(); }
  const Roster& roster() const { return roster_; }
  bool allLocal() const { return allLocal_; }
  Clique& clique() { return clique_; }
  const Clique& clique() const { return clique_; }

  // The clique's error. The first time that this process sees it, it is logged here as well.
  mcclResult_t error();

  // The meeting of split or shrink `number` with `seats` ranks, all of this process; every one
  // of them asks for it once.
  enum Kind { kSplit, kShrink };
  std::shared_ptr<Meeting> meetingFor(Kind kind, uint64_t number, int seats);

  // A process has ended. Reports it when it had not left the communicator before.
  void processDied(const ProcessToken& process);

 private:
  struct Open {
    std::shared_ptr<Meeting> meeting;
    int asked = 0;
  };

  const Roster roster_;
  const bool allLocal_;
  Clique clique_;
  std::atomic<bool> reported_{false};
  std::mutex mutex_;
  std::map<std::pair<Kind, uint64_t>, Open> meetings_;  // those that not all ranks have asked for
};

}  // namespace musashim::mccl
