// Someone who takes part in a meeting on behalf of one rank: a member of this process, or the
// connection of a rank of another.
#pragma once

#include <memory>
#include <string>

#include "mccl.h"
#include "mccl/comm/roster.h"
#include "mccl/engine/segment.h"

namespace musashim::mccl {

class Communicator;

// What a meeting decides for one party.
struct Admission {
  const Roster& roster;
  std::shared_ptr<Segment> segment;            // of its host; null when that is another one than this
  std::shared_ptr<Communicator> communicator;  // of this process; null when it has no rank in it
  int rank;
};

class Party {
 public:
  virtual ~Party() = default;
  virtual const RankInfo& info() const = 0;
  // Whether it takes the communicator's memory as a file, whatever its process.
  virtual bool comesBySocket() const { return false; }

  // One of these is called, once.
  virtual void admit(const Admission& admission) = 0;
  // Also with mcclSuccess: for a rank that wants no communicator (MCCL_SPLIT_NOCOLOR).
  virtual void reject(mcclResult_t result, const std::string& reason) = 0;
};

}  // namespace musashim::mccl
