#include "mccl/group/group.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "mccl/comm/registry.h"
#include "mccl/core/log.h"
#include "mccl/group/estimate.h"
#include "mccl/group/launch.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

void drop(std::vector<Initialisation>& initialisations, mcclResult_t error) {
  for (Initialisation& dropped : initialisations) {
    dropped.member->reject(error);
    if (dropped.comm && *dropped.comm) releaseComm(std::exchange(*dropped.comm, nullptr));
  }
}

}  // namespace

Group& Group::current() { return support::PerThread<Group>::get(); }

// Common to both ends: the error, when there was one; then everything collected is dropped.
mcclResult_t Group::leave() {
  const mcclResult_t error = std::exchange(error_, mcclSuccess);
  if (error == mcclSuccess) return error;
  works_.clear();
  jointCalls_.clear();
  std::vector<Initialisation> initialisations = std::exchange(initialisations_, {});
  drop(initialisations, error);
  return error;
}

mcclResult_t Group::end() {
  if (depth_ == 0) return fail(mcclInvalidUsage, "mcclGroupEnd: not in a group call.");
  if (--depth_ > 0) return mcclSuccess;
  MCCL_RETURN_IF_ERROR(leave());
  std::vector<Work> works = std::exchange(works_, {});
  std::vector<Initialisation> initialisations = std::exchange(initialisations_, {});
  try {
    return run(works, initialisations);
  } catch (...) {
    const mcclResult_t error = resultOfThrown();
    jointCalls_.clear();
    drop(initialisations, error);
    // Other ranks may wait for what was begun.
    for (const Work& work : works) {
      if (work.member->isReady())
        work.member->clique().fail(error, "a call could not be made: " + lastError());
    }
    return error;
  }
}

mcclResult_t Group::run(std::vector<Work>& works, std::vector<Initialisation>& initialisations) {
  const mcclResult_t initialised = initialisations.empty() ? mcclSuccess : initialise(initialisations);
  if (initialised != mcclSuccess && initialised != mcclInProgress) return initialised;
  if (!jointCalls_.empty()) MCCL_RETURN_IF_ERROR(runJointly(std::exchange(jointCalls_, {})));
  const mcclResult_t launched = launchAll(works);
  recycle(works);
  return launched != mcclSuccess ? launched : initialised;
}

void Group::recycle(std::vector<Work>& works) {
  constexpr size_t kMost = 64;
  for (Work& work : works) {
    work.clear();
    if (spare_.size() < kMost) spare_.push_back(std::move(work));
  }
  works.clear();
  if (works_.capacity() == 0) works_ = std::move(works);
}

mcclResult_t Group::simulateEnd(float& microseconds) {
  if (depth_ == 0) return fail(mcclInvalidUsage, "mcclGroupSimulateEnd: not in a group call.");
  if (--depth_ > 0) return mcclSuccess;
  MCCL_RETURN_IF_ERROR(leave());
  if (!initialisations_.empty() || !jointCalls_.empty()) {
    std::vector<Initialisation> initialisations = std::exchange(initialisations_, {});
    drop(initialisations, mcclInvalidUsage);
    works_.clear();
    jointCalls_.clear();
    return fail(mcclInvalidUsage,
                "mcclGroupSimulateEnd: communicators and windows cannot be made in simulation");
  }
  std::vector<Work> works = std::exchange(works_, {});
  MCCL_RETURN_IF_ERROR(checkAll(works));
  microseconds = 0;
  for (const Work& work : works) microseconds = std::max(microseconds, estimate(work));
  return mcclSuccess;
}

mcclResult_t Group::checkBlocking(bool blocking) const {
  if (initialisations_.empty() || initialisations_.front().member->options().blocking == blocking)
    return mcclSuccess;
  return fail(mcclInvalidArgument,
              "Blocking and nonblocking communicators are not allowed in the same group.");
}

void Group::noteError(mcclResult_t result) {
  if (result != mcclSuccess && result != mcclInProgress) error_ = result;
}

Work& Group::workOf(const std::shared_ptr<Member>& member, musaStream_t stream) {
  auto work = std::find_if(works_.begin(), works_.end(), [&](const Work& w) { return w.member == member; });
  if (work == works_.end()) {
    Work fresh;
    if (!spare_.empty()) {
      fresh = std::move(spare_.back());
      spare_.pop_back();
    }
    fresh.member = member;
    work = works_.insert(works_.end(), std::move(fresh));
  }
  if (std::find(work->streams.begin(), work->streams.end(), stream) == work->streams.end()) {
    work->streams.push_back(stream);
  }
  return *work;
}

// All of the thread's ranks come before it waits for any.
mcclResult_t Group::initialise(std::vector<Initialisation>& initialisations) {
  for (Initialisation& one : initialisations) {
    if (one.journey) {
      std::thread(one.journey).detach();
      continue;
    }
    one.member->setMeeting(one.meeting);
    (void)one.meeting->join(one.place, one.seat);  // the member's state tells
  }
  mcclResult_t first = mcclSuccess;
  bool inProgress = false;
  for (Initialisation& one : initialisations) {
    Member& member = *one.member;
    if (member.options().blocking) member.waitMet();
    // A rank that has ended since it was here is the affair of the calls to come.
    const mcclResult_t met = member.met();
    if (met == mcclInProgress) {
      inProgress = true;
    } else if (met != mcclSuccess) {
      if (first == mcclSuccess) first = met;
      if (one.comm) releaseComm(std::exchange(*one.comm, nullptr));
    } else if (one.comm) {
      logInfo(kInit, "comm {} rank {} nranks {} musaDev {} - Init COMPLETE", static_cast<void*>(*one.comm),
              member.rank(), member.ranks(), member.device());
    }
  }
  return first != mcclSuccess ? first : inProgress ? mcclInProgress : mcclSuccess;
}

// A rank's second call may begin when its first is done.
mcclResult_t Group::runJointly(std::vector<JointCall> calls) {
  mcclResult_t first = mcclSuccess;
  while (!calls.empty()) {
    std::vector<JointCall> round, later;
    for (JointCall& call : calls) {
      const bool isSecond =
          std::ranges::any_of(round, [&](const JointCall& other) { return other.member == call.member; });
      (isSecond ? later : round).push_back(std::move(call));
    }
    for (int step = 0; step < JointCall::kSteps; ++step) {
      for (const JointCall& call : round) {
        const mcclResult_t result = call.run(step);
        if (first == mcclSuccess) first = result;
      }
    }
    calls = std::move(later);
  }
  return first;
}

}  // namespace musashim::mccl
