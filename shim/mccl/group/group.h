// The calls between mcclGroupStart and mcclGroupEnd of one thread.
//
//   call -> check -> add to the group -> outermost end: ranks meet, then work is queued
//
// A call outside a group is a group of its own. All work that a group holds for one
// communicator becomes one piece of work on the stream: collectives in the order of the
// calls, then the transfers, all at once.
#pragma once

#include <musa_runtime_api.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mccl.h"
#include "mccl/bootstrap/meeting.h"
#include "mccl/comm/member.h"
#include "mccl/core/thrown.h"
#include "mccl/engine/task.h"
#include "mccl/group/work.h"

namespace musashim::mccl {

// A rank that becomes one.
struct Initialisation {
  std::shared_ptr<Member> member;
  mcclComm_t* comm = nullptr;  // the user's variable: set to null when it fails; may be null

  // Either a meeting of ranks of this process ...
  std::shared_ptr<Meeting> meeting;
  int place = 0;
  Meeting::Seat seat;
  // ... or what a thread of its own does until the member is admitted or rejected.
  std::function<void()> journey;
};

// What all ranks of a communicator do together, in steps: in each but the first a rank waits for all others
// to have done the one before. A rank that fails goes on with its steps.
struct JointCall {
  static constexpr int kSteps = 3;
  std::shared_ptr<Member> member;
  std::function<mcclResult_t(int step)> run;
};

class Group {
 public:
  static Group& current();  // of the calling thread

  int depth() const { return depth_; }
  void start() { ++depth_; }

  // mcclInvalidUsage without a start. The outermost end runs what was collected, unless a
  // call has failed: then it returns that error and runs nothing.
  mcclResult_t end();

  // As end(), but queues nothing: what the outermost end would take, in microseconds. The
  // time is set by the outermost end only.
  mcclResult_t simulateEnd(float& microseconds);

  // Whether a communicator may be made in this group: either all calls that make one wait for it, or none.
  mcclResult_t checkBlocking(bool blocking) const;

  // An error of a call inside the group; mcclInProgress is none.
  void noteError(mcclResult_t result);

  void add(const std::shared_ptr<Member>& member, musaStream_t stream, const CollectiveTask& task) {
    workOf(member, stream).collectives.push_back(task);
  }
  void add(const std::shared_ptr<Member>& member, musaStream_t stream, std::span<const TransferTask> tasks) {
    if (tasks.empty()) return;
    std::vector<TransferTask>& all = workOf(member, stream).transfers;
    all.insert(all.end(), tasks.begin(), tasks.end());
  }
  void add(Initialisation initialisation) { initialisations_.push_back(std::move(initialisation)); }
  void add(JointCall call) { jointCalls_.push_back(std::move(call)); }

 private:
  mcclResult_t run(std::vector<Work>& works, std::vector<Initialisation>& initialisations);
  Work& workOf(const std::shared_ptr<Member>& member, musaStream_t stream);
  mcclResult_t leave();
  void recycle(std::vector<Work>& works);
  static mcclResult_t initialise(std::vector<Initialisation>& initialisations);
  static mcclResult_t runJointly(std::vector<JointCall> calls);

  int depth_ = 0;
  mcclResult_t error_ = mcclSuccess;
  std::vector<Work> works_;
  std::vector<Work> spare_;  // empty ones: their memory serves the next group
  std::vector<Initialisation> initialisations_;
  std::vector<JointCall> jointCalls_;
};

// Runs `call`, which adds to the current group, as a group of its own or inside the user's.
template <class Call>
mcclResult_t groupCall(Call&& call) {
  Group& group = Group::current();
  group.start();
  mcclResult_t result = mcclSuccess;
  try {
    result = call(group);
  } catch (...) {
    result = resultOfThrown();
  }
  group.noteError(result);
  const mcclResult_t ended = group.end();
  return result != mcclSuccess ? result : ended;
}

}  // namespace musashim::mccl
