#include "mccl/group/group.h"

#include <algorithm>
#include <utility>

#include "mccl/comm/registry.h"
#include "mccl/core/log.h"
#include "mccl/group/batch.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {

Group& Group::current() {
  thread_local Group group;
  return group;
}

mcclResult_t Group::end() {
  if (depth_ == 0) return fail(mcclInvalidUsage, "mcclGroupEnd: not in a group call.");
  if (--depth_ > 0) return mcclSuccess;
  const mcclResult_t error = std::exchange(error_, mcclSuccess);
  std::vector<Work> works = std::exchange(works_, {});
  std::vector<Initialisation> initialisations = std::exchange(initialisations_, {});
  if (error != mcclSuccess) {
    for (Initialisation& dropped : initialisations) {
      dropped.seat.member->reject(error);
      if (dropped.comm) releaseComm(std::exchange(*dropped.comm, nullptr));
    }
    return error;
  }
  const mcclResult_t initialised = initialise(initialisations);
  if (initialised != mcclSuccess && initialised != mcclInProgress) return initialised;
  MCCL_RETURN_IF_ERROR(check(works));
  for (Work& work : works) MCCL_RETURN_IF_ERROR(launch(work));
  return initialised;
}

void Group::noteError(mcclResult_t result) {
  if (result != mcclSuccess && result != mcclInProgress) error_ = result;
}

void Group::add(const std::shared_ptr<Member>& member, musaStream_t stream, const CollectiveTask& task) {
  workOf(member, stream).collectives.push_back(task);
}

void Group::add(const std::shared_ptr<Member>& member, musaStream_t stream, const TransferTask& task) {
  workOf(member, stream).transfers.push_back(task);
}

Group::Work& Group::workOf(const std::shared_ptr<Member>& member, musaStream_t stream) {
  auto work = std::find_if(works_.begin(), works_.end(), [&](const Work& w) { return w.member == member; });
  if (work == works_.end()) work = works_.insert(works_.end(), Work{member, {}, {}, {}});
  if (std::find(work->streams.begin(), work->streams.end(), stream) == work->streams.end()) {
    work->streams.push_back(stream);
  }
  return *work;
}

// All of the thread's ranks come before it waits for any.
mcclResult_t Group::initialise(std::vector<Initialisation>& initialisations) {
  for (Initialisation& one : initialisations) {
    one.seat.member->setMeeting(one.meeting);
    (void)one.meeting->join(one.place, one.seat);  // the member's state tells
  }
  mcclResult_t first = mcclSuccess;
  bool inProgress = false;
  for (Initialisation& one : initialisations) {
    Member& member = *one.seat.member;
    if (member.options().blocking && member.state() == mcclInProgress) one.meeting->wait();
    const mcclResult_t state = member.state();
    if (state == mcclInProgress) {
      inProgress = true;
    } else if (state != mcclSuccess) {
      if (first == mcclSuccess) first = state;
      if (one.comm) releaseComm(std::exchange(*one.comm, nullptr));
    } else if (one.comm) {
      logInfo("comm {} rank {} nranks {} musaDev {} - Init COMPLETE", static_cast<void*>(*one.comm),
              member.rank(), member.ranks(), member.device());
    }
  }
  return first != mcclSuccess ? first : inProgress ? mcclInProgress : mcclSuccess;
}

mcclResult_t Group::check(const std::vector<Work>& works) {
  for (const Work& work : works) {
    if (work.member->options().blocking != works.front().member->options().blocking) {
      return fail(mcclInvalidArgument,
                  "Blocking and nonblocking communicators are not allowed in the same group.");
    }
    int balance = 0;
    for (const TransferTask& task : work.transfers) {
      if (task.peer == work.member->rank()) balance += task.isSend ? 1 : -1;
    }
    if (balance != 0) {
      return fail(mcclInvalidUsage, "Trying to {} self without a matching {}",
                  balance > 0 ? "send to" : "recv from", balance > 0 ? "recv" : "send");
    }
  }
  return mcclSuccess;
}

mcclResult_t Group::launch(Work& work) {
  Member& member = *work.member;
  DeviceScope scope(member.device());
  MCCL_RETURN_IF_ERROR(scope.result());
  for (musaStream_t stream : work.streams) MCCL_RETURN_IF_ERROR(checkNotCapturing(stream));
  auto batch = std::make_unique<Batch>(work.member, std::move(work.collectives), std::move(work.transfers));
  const mcclResult_t result = queueWork(work.streams, &Batch::run, batch.get());
  if (result != mcclSuccess) {
    member.cancelWork();
    return result;
  }
  batch.release();  // run() frees it
  return mcclSuccess;
}

}  // namespace musashim::mccl
