// What the ranks of one communicator share.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "mccl/engine/clique.h"

namespace musashim::mccl {

class Meeting;

class Communicator {
 public:
  explicit Communicator(int ranks) : clique_(ranks) {}

  Clique& clique() { return clique_; }
  const Clique& clique() const { return clique_; }

  // The meeting of split `number`; every rank asks for it once.
  std::shared_ptr<Meeting> splitMeeting(uint64_t number);

 private:
  struct Split {
    std::shared_ptr<Meeting> meeting;
    int asked = 0;
  };

  Clique clique_;
  std::mutex mutex_;
  std::map<uint64_t, Split> splits_;  // those that not all ranks have asked for
};

}  // namespace musashim::mccl
