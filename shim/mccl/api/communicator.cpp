// Life of communicators.
#include <algorithm>
#include <utility>

#include "mccl/api/entry.h"
#include "mccl/bootstrap/join.h"
#include "mccl/bootstrap/unique_id.h"
#include "mccl/comm/config.h"
#include "mccl/comm/derive.h"
#include "mccl/comm/registry.h"
#include "mccl/core/log.h"
#include "mccl/engine/algorithm.h"
#include "mccl/group/group.h"
#include "mccl/net/device_memory.h"
#include "mccl/runtime/attendant.h"
#include "mccl/runtime/emulated_links.h"
#include "mccl/runtime/export.h"
#include "mccl/runtime/stream.h"
#include "mccl/topology/plan.h"

namespace musashim::mccl {
namespace {

// Once per process, before anything else happens.
void announce() {
  static const bool kDone = [] {
    setLogDevice(&currentDevice);
    Communicator::setAddressBookMaker(&makeMappedAddresses);
    setDeviceMemoryLender(&lendDeviceMemory);
    const std::string version =
        fmt::format("MCCL version {}.{}.{}+musashim", MCCL_MAJOR, MCCL_MINOR, MCCL_PATCH);
    if (settings().debug >= DebugLevel::kVersion) writeLog(DebugLevel::kInfo, version);
    return true;
  }();
  (void)kDone;
}

// Takes the user's handle back, unless the group has got it.
class PendingHandle {
 public:
  explicit PendingHandle(mcclComm_t* comm) : comm_(comm) {}
  ~PendingHandle() {
    if (comm_ && *comm_) releaseComm(std::exchange(*comm_, nullptr));
  }
  PendingHandle(const PendingHandle&) = delete;
  PendingHandle& operator=(const PendingHandle&) = delete;
  void keep() { comm_ = nullptr; }

 private:
  mcclComm_t* comm_;
};

// The member that a rank will be, and the user's handle for it.
Initialisation seatFor(mcclComm_t* comm, int device, const CommOptions& options) {
  tellEmulatedLinks();
  Initialisation one;
  one.member = std::make_shared<Member>(device, options, busIdOf(device), capabilityOf(device));
  one.comm = comm;
  *comm = registerComm(one.member);
  return one;
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
    MCCL_RETURN_IF_ERROR(group.checkBlocking(options.blocking));
    MCCL_RETURN_IF_ERROR(checkAlgorithms());
    MCCL_RETURN_IF_ERROR(topology::checkFiles());
    IdContent content;
    MCCL_RETURN_IF_ERROR(readUniqueId(id, content));
    if (rank == 0) MCCL_RETURN_IF_ERROR(hostMeeting(content));
    std::shared_ptr<Meeting> meeting;
    const bool here = isHere(content);
    if (here) MCCL_RETURN_IF_ERROR(meetingOf(content, ranks, meeting));
    PendingHandle handle(comm);
    Initialisation one = seatFor(comm, device, options);
    if (here) {
      one.meeting = std::move(meeting);
      one.place = rank;
      one.seat = {one.member, 0, rank};
    } else {
      one.journey = [content, ranks, rank, member = one.member] {
        joinRemote(content, ranks, rank, {0, rank}, member);
      };
    }
    group.add(std::move(one));
    handle.keep();
    return mcclSuccess;
  });
}

mcclResult_t initRankHere(const char* function, mcclComm_t* comm, int ranks, const mcclUniqueId& id, int rank,
                          const mcclConfig_t* config) {
  int device = 0;
  MCCL_RETURN_IF_ERROR(checkMusa(musaGetDevice(&device), "musaGetDevice"));
  return initRank(function, comm, ranks, id, rank, device, config);
}

// The ranks that are not excluded, ascending.
mcclResult_t survivorsOf(const Member& member, const int* excluded, int count, std::vector<int>& survivors) {
  const int ranks = member.ranks();
  if (count <= 0 || !excluded) {
    return fail(mcclInvalidArgument, "CommShrink : no ranks to exclude");
  }
  std::vector<bool> out(static_cast<size_t>(ranks));
  for (int i = 0; i < count; ++i) {
    if (excluded[i] < 0 || excluded[i] >= ranks) {
      return fail(mcclInvalidArgument, "CommShrink : rank {} is not in 0..{}", excluded[i], ranks - 1);
    }
    out[excluded[i]] = true;
  }
  if (out[member.rank()]) {
    return fail(mcclInvalidArgument, "CommShrink : rank {} excludes itself", member.rank());
  }
  for (int rank = 0; rank < ranks; ++rank) {
    if (!out[rank]) survivors.push_back(rank);
  }
  return mcclSuccess;
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
MCCL_END

MCCL_API(mcclResult_t, mcclCommInitRank, (mcclComm_t * comm, int nranks, mcclUniqueId commId, int rank)) {
  return initRankHere("CommInitRank", comm, nranks, commId, rank, nullptr);
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommInitRankConfig,
         (mcclComm_t * comm, int nranks, mcclUniqueId commId, int rank, mcclConfig_t* config)) {
  return initRankHere("CommInitRankConfig", comm, nranks, commId, rank, config);
}
MCCL_END

// Every id but the first would spread the bootstrap over several processes, which few ranks do not need.
MCCL_API(mcclResult_t, mcclCommInitRankScalable,
         (mcclComm_t * newcomm, int nranks, int myrank, int nId, mcclUniqueId* commIds,
          mcclConfig_t* config)) {
  constexpr const char* kName = "CommInitRankScalable";
  MCCL_RETURN_IF_ERROR(checkNotNull(commIds, kName, "commIds"));
  if (nId < 1 || nId > nranks) {
    return fail(mcclInvalidArgument, "{} : invalid number of unique ids : {} for {} ranks", kName, nId,
                nranks);
  }
  return initRankHere(kName, newcomm, nranks, commIds[0], myrank, config);
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommInitAll, (mcclComm_t * comms, int ndev, const int* devlist)) {
  announce();
  MCCL_RETURN_IF_ERROR(checkNotNull(comms, "CommInitAll", "comms"));
  if (ndev < 0) return fail(mcclInvalidArgument, "CommInitAll : invalid device count requested : {}", ndev);
  MCCL_RETURN_IF_ERROR(checkDeviceList(ndev, devlist));
  mcclUniqueId id;
  MCCL_RETURN_IF_ERROR(makeUniqueId(id, false));
  return groupCall([&](Group&) -> mcclResult_t {
    for (int i = 0; i < ndev; ++i) {
      MCCL_RETURN_IF_ERROR(
          initRank("CommInitAll", comms + i, ndev, id, i, devlist ? devlist[i] : i, nullptr));
    }
    return mcclSuccess;
  });
}
MCCL_END

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
    MCCL_RETURN_IF_ERROR(group.checkBlocking(options.blocking));
    PendingHandle handle(newcomm);
    Initialisation one;
    if (color == MCCL_SPLIT_NOCOLOR) {
      one.member =
          std::make_shared<Member>(member->device(), options, member->info().bus, member->info().capability);
    } else {
      one = seatFor(newcomm, member->device(), options);
    }
    const uint64_t number = member->nextSplit();
    if (member->communicator().allLocal()) {
      one.meeting = member->communicator().meetingFor(Communicator::kSplit, number, member->ranks());
      one.place = member->rank();
      one.seat = {one.member, color, key};
    } else {
      one.journey = [member, number, color, key, child = one.member] {
        splitAcross(member, number, color, key, child);
      };
    }
    group.add(std::move(one));
    handle.keep();
    return mcclSuccess;
  });
}
MCCL_END

// Works on a communicator that has failed or was revoked: that is what it is for.
MCCL_API(mcclResult_t, mcclCommShrink,
         (mcclComm_t comm, int* excludeRanksList, int excludeRanksCount, mcclComm_t* newcomm,
          mcclConfig_t* config, int shrinkFlags)) {
  constexpr const char* kName = "CommShrink";
  return groupCall([&](Group& group) -> mcclResult_t {
    std::shared_ptr<Member> member;
    MCCL_RETURN_IF_ERROR(lookUp(comm, kName, member));
    MCCL_RETURN_IF_ERROR(checkNotNull(newcomm, kName, "newcomm"));
    *newcomm = nullptr;
    if (shrinkFlags != MCCL_SHRINK_DEFAULT && shrinkFlags != MCCL_SHRINK_ABORT) {
      return fail(mcclInvalidArgument, "{} : invalid flags {}", kName, shrinkFlags);
    }
    const bool mayHaveFailed = shrinkFlags == MCCL_SHRINK_ABORT || member->revoked();
    if (!mayHaveFailed) MCCL_RETURN_IF_ERROR(lookUpReady(comm, kName, member));
    if (!member->isReady()) return fail(mcclInvalidArgument, "{} : the communicator was never ready", kName);
    std::vector<int> survivors;
    MCCL_RETURN_IF_ERROR(survivorsOf(*member, excludeRanksList, excludeRanksCount, survivors));
    CommOptions options = member->options();
    MCCL_RETURN_IF_ERROR(parseConfig(config, options));
    MCCL_RETURN_IF_ERROR(group.checkBlocking(options.blocking));
    if (shrinkFlags == MCCL_SHRINK_ABORT) {
      member->clique().abort(fmt::format("rank {} shrinks the communicator", member->rank()));
    }
    PendingHandle handle(newcomm);
    Initialisation one = seatFor(newcomm, member->device(), options);
    const uint64_t number = member->nextShrink(survivors);
    const int ranks = static_cast<int>(survivors.size());
    if (member->communicator().allLocal()) {
      one.meeting = member->communicator().meetingFor(Communicator::kShrink, number, ranks);
      one.place =
          static_cast<int>(std::find(survivors.begin(), survivors.end(), member->rank()) - survivors.begin());
      if (one.meeting->seats() != ranks) {
        return fail(mcclInvalidArgument, "{} : the ranks exclude different ranks", kName);
      }
      one.seat = {one.member, 0, one.place};
    } else {
      one.journey = [member, number, survivors, child = one.member] {
        shrinkAcross(member, number, survivors, child);
      };
    }
    group.add(std::move(one));
    handle.keep();
    return mcclSuccess;
  });
}
MCCL_END

// Frees this rank and all others from what they wait for; the communicator can then be shrunk or destroyed.
MCCL_API(mcclResult_t, mcclCommRevoke, (mcclComm_t comm, int revokeFlags)) {
  constexpr const char* kName = "CommRevoke";
  if (!comm) return mcclSuccess;
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, kName, member));
  if (revokeFlags != MCCL_REVOKE_DEFAULT) {
    return fail(mcclInvalidArgument, "{} : invalid flags {}", kName, revokeFlags);
  }
  if (!member->isReady() || member->finalized()) {
    return fail(mcclInvalidArgument, "{} : the communicator is not ready, or finalized", kName);
  }
  if (!member->revoke()) return fail(mcclInvalidArgument, "{} : the communicator is revoked already", kName);
  return mcclSuccess;
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommFinalize, (mcclComm_t comm)) {
  if (!comm) return mcclSuccess;
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpReady(comm, "CommFinalize", member));
  if (!member->finalize())
    return fail(mcclInvalidArgument, "CommFinalize : communicator is already finalized");
  if (member->options().blocking) member->waitIdle();
  return member->idle() ? mcclSuccess : mcclInProgress;
}
MCCL_END

// Waits for the rank's queued work; so the other ranks' must be on its way.
MCCL_API(mcclResult_t, mcclCommDestroy, (mcclComm_t comm)) {
  if (!comm) return mcclSuccess;
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommDestroy", member));
  if (member->state() == mcclInProgress) {
    return fail(mcclInvalidArgument, "CommDestroy : Attempt to use communicator before it is initialised");
  }
  member->waitIdle();
  member->leave();
  (void)member->registrations().takeAll();
  releaseComm(comm);
  logInfo(kInit, "comm {} - Destroy COMPLETE", static_cast<void*>(comm));
  return mcclSuccess;
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommAbort, (mcclComm_t comm)) {
  if (!comm) return mcclSuccess;
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommAbort", member));
  member->abort();
  member->leave();
  // Kernels that wait for other ranks may be in the way.
  Attendant::post(Attendant::kCleanUp, [member, left = member->registrations().takeAll()] {});
  releaseComm(comm);
  logInfo(kInit, "comm {} - Abort COMPLETE", static_cast<void*>(comm));
  return mcclSuccess;
}
MCCL_END
