// Life of communicators, and questions to them.
#include "mccl/api/entry.h"
#include "mccl/comm/config.h"
#include "mccl/comm/registry.h"
#include "mccl/comm/unique_id.h"
#include "mccl/core/log.h"
#include "mccl/group/group.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

// Once per process, before anything else happens.
void announce() {
  static const bool kDone = [] {
    setLogDevice(&currentDevice);
    const std::string version =
        fmt::format("MCCL version {}.{}.{}+musashim", MCCL_MAJOR, MCCL_MINOR, MCCL_PATCH);
    if (settings().debug >= DebugLevel::kVersion) writeLog(DebugLevel::kInfo, version);
    return true;
  }();
  (void)kDone;
}

mcclResult_t initRank(const char* function, mcclComm_t* comm, int ranks, const mcclUniqueId& id, int rank,
                      int device, const mcclConfig_t* config) {
  return groupCall([&](Group& group) -> mcclResult_t {
    announce();
    MCCL_RETURN_IF_ERROR(checkNotNull(comm, function, "newcomm"));
    *comm = nullptr;
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      return fail(mcclInvalidArgument, "Invalid rank requested : {}/{}", rank, ranks);
    }
    CommOptions options;
    MCCL_RETURN_IF_ERROR(parseConfig(config, options));
    Initialisation one;
    MCCL_RETURN_IF_ERROR(meetingOf(id, ranks, one.meeting));
    one.place = rank;
    one.seat.member = std::make_shared<Member>(device, options);
    one.seat.key = rank;
    one.comm = comm;
    *comm = registerComm(one.seat.member);
    group.add(std::move(one));
    return mcclSuccess;
  });
}

mcclResult_t initRankHere(const char* function, mcclComm_t* comm, int ranks, const mcclUniqueId& id, int rank,
                          const mcclConfig_t* config) {
  int device = 0;
  MCCL_RETURN_IF_ERROR(checkMusa(musaGetDevice(&device), "musaGetDevice"));
  return initRank(function, comm, ranks, id, rank, device, config);
}

mcclResult_t checkDeviceList(int ndev, const int* devlist) {
  int devices = 0;
  MCCL_RETURN_IF_ERROR(checkMusa(musaGetDeviceCount(&devices), "musaGetDeviceCount"));
  std::vector<bool> seen(devices);
  for (int i = 0; i < ndev; ++i) {
    const int device = devlist ? devlist[i] : i;
    if (device < 0 || device >= devices) {
      return fail(mcclInvalidArgument, "CommInitAll : invalid device {} (there are {})", device, devices);
    }
    if (seen[device]) return fail(mcclInvalidUsage, "CommInitAll : device {} is in the list twice", device);
    seen[device] = true;
  }
  return mcclSuccess;
}

}  // namespace
}  // namespace musashim::mccl

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclGetUniqueId, (mcclUniqueId * uniqueId)) {
  announce();
  MCCL_RETURN_IF_ERROR(checkNotNull(uniqueId, "GetUniqueId", "uniqueId"));
  return makeUniqueId(*uniqueId);
}

MCCL_API(mcclResult_t, mcclCommInitRank, (mcclComm_t * comm, int nranks, mcclUniqueId commId, int rank)) {
  return initRankHere("CommInitRank", comm, nranks, commId, rank, nullptr);
}

MCCL_API(mcclResult_t, mcclCommInitRankConfig,
         (mcclComm_t * comm, int nranks, mcclUniqueId commId, int rank, mcclConfig_t* config)) {
  return initRankHere("CommInitRankConfig", comm, nranks, commId, rank, config);
}

MCCL_API(mcclResult_t, mcclCommInitAll, (mcclComm_t * comms, int ndev, const int* devlist)) {
  announce();
  MCCL_RETURN_IF_ERROR(checkNotNull(comms, "CommInitAll", "comms"));
  if (ndev < 0) return fail(mcclInvalidArgument, "CommInitAll : invalid device count requested : {}", ndev);
  MCCL_RETURN_IF_ERROR(checkDeviceList(ndev, devlist));
  mcclUniqueId id;
  MCCL_RETURN_IF_ERROR(makeUniqueId(id));
  return groupCall([&](Group&) -> mcclResult_t {
    for (int i = 0; i < ndev; ++i) {
      MCCL_RETURN_IF_ERROR(
          initRank("CommInitAll", comms + i, ndev, id, i, devlist ? devlist[i] : i, nullptr));
    }
    return mcclSuccess;
  });
}

MCCL_API(mcclResult_t, mcclCommSplit,
         (mcclComm_t comm, int color, int key, mcclComm_t* newcomm, mcclConfig_t* config)) {
  constexpr const char* kName = "CommSplit";
  return groupCall([&](Group& group) -> mcclResult_t {
    std::shared_ptr<Member> member;
    MCCL_RETURN_IF_ERROR(lookUpReady(comm, kName, member));
    MCCL_RETURN_IF_ERROR(checkNotNull(newcomm, kName, "newcomm"));
    *newcomm = nullptr;
    if (color < 0 && color != MCCL_SPLIT_NOCOLOR)
      return fail(mcclInvalidArgument, "{} : invalid color {}", kName, color);
    CommOptions options = member->options();
    MCCL_RETURN_IF_ERROR(parseConfig(config, options));
    Initialisation one;
    one.meeting = member->communicator().splitMeeting(member->nextSplit());
    one.place = member->rank();
    one.seat = {std::make_shared<Member>(member->device(), options), color, key};
    if (color != MCCL_SPLIT_NOCOLOR) {
      one.comm = newcomm;
      *newcomm = registerComm(one.seat.member);
    }
    group.add(std::move(one));
    return mcclSuccess;
  });
}

MCCL_API(mcclResult_t, mcclCommFinalize, (mcclComm_t comm)) {
  if (!comm) return mcclSuccess;
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpReady(comm, "CommFinalize", member));
  if (!member->finalize())
    return fail(mcclInvalidArgument, "CommFinalize : communicator is already finalized");
  if (member->options().blocking) member->waitIdle();
  return member->idle() ? mcclSuccess : mcclInProgress;
}

// Waits for the rank's queued work; so the other ranks' must be on its way.
MCCL_API(mcclResult_t, mcclCommDestroy, (mcclComm_t comm)) {
  if (!comm) return mcclSuccess;
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommDestroy", member));
  if (member->state() == mcclInProgress) {
    return fail(mcclInvalidArgument, "CommDestroy : Attempt to use communicator before it is initialised");
  }
  member->waitIdle();
  releaseComm(comm);
  logInfo("comm {} - Destroy COMPLETE", static_cast<void*>(comm));
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommAbort, (mcclComm_t comm)) {
  if (!comm) return mcclSuccess;
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommAbort", member));
  member->abort();
  releaseComm(comm);
  logInfo("comm {} - Abort COMPLETE", static_cast<void*>(comm));
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommGetAsyncError, (mcclComm_t comm, mcclResult_t* asyncError)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommGetAsyncError", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(asyncError, "CommGetAsyncError", "asyncError"));
  *asyncError = member->state();
  if (*asyncError == mcclSuccess && member->finalized() && !member->idle()) *asyncError = mcclInProgress;
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommCount, (const mcclComm_t comm, int* count)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpReady(comm, "CommCount", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(count, "CommCount", "count"));
  *count = member->ranks();
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommMuDevice, (const mcclComm_t comm, int* device)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpReady(comm, "CommMuDevice", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(device, "CommMuDevice", "device"));
  *device = member->device();
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclCommUserRank, (const mcclComm_t comm, int* rank)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpReady(comm, "CommUserRank", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(rank, "CommUserRank", "rank"));
  *rank = member->rank();
  return mcclSuccess;
}
