// Device communicators and their teams.
#include "mccl/api/entry.h"
#include "mccl/core/log.h"
#include "mccl/device/device_comm.h"
#include "mccl/group/group.h"
#include "mccl_device/teams.h"

namespace musashim::mccl {
namespace {

// All zero of a communicator that is not ready.
mcclDevComm_t ranksBehind(mcclComm_t comm, const char* function) {
  std::shared_ptr<Member> member;
  return lookUpSettled(comm, function, member) == mcclSuccess ? ranksOf(*member) : mcclDevComm_t{};
}

mcclResult_t barrierRequirement(const char* function, mcclTeam_t team, int barriers, void* handle,
                                mcclDevResourceHandle_t* memory, mcclDevResourceRequirements_t* requirement) {
  MCCL_RETURN_IF_ERROR(checkNotNull(handle, function, "outHandle"));
  MCCL_RETURN_IF_ERROR(checkNotNull(requirement, function, "outReq"));
  if (barriers < 0 || team.nRanks < 1) {
    return fail(mcclInvalidArgument, "{} : {} barriers of {} ranks", function, barriers, team.nRanks);
  }
  *requirement = {};
  requirement->bufferSize = mccli::barrierBytes(team.nRanks) * static_cast<size_t>(barriers);
  requirement->outBufferHandle = memory;
  return mcclSuccess;
}

}  // namespace
}  // namespace musashim::mccl

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclDevCommCreate,
         (mcclComm_t comm, const mcclDevCommRequirements_t* reqs, mcclDevComm_t* outDevComm)) {
  constexpr const char* kName = "DevCommCreate";
  return groupCall([&](Group& group) -> mcclResult_t {
    std::shared_ptr<Member> member;
    MCCL_RETURN_IF_ERROR(lookUpReady(comm, kName, member));
    MCCL_RETURN_IF_ERROR(checkNotNull(reqs, kName, "reqs"));
    MCCL_RETURN_IF_ERROR(checkNotNull(outDevComm, kName, "outDevComm"));
    *outDevComm = {};
    auto made = std::make_shared<DeviceComm>(*member, *reqs);
    group.add(JointCall{member, [=](int step) {
                          if (step == 0) return made->tell();
                          if (step == 1) return made->map();
                          MCCL_RETURN_IF_ERROR(made->settle());
                          *outDevComm = made->describe();
                          member->registrations().keep(Registrations::kDeviceComm, made->handle(), made);
                          return mcclSuccess;
                        }});
    return mcclSuccess;
  });
}
MCCL_END

MCCL_API(mcclResult_t, mcclDevCommDestroy, (mcclComm_t comm, const mcclDevComm_t* devComm)) {
  constexpr const char* kName = "DevCommDestroy";
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, kName, member));
  MCCL_RETURN_IF_ERROR(checkNotNull(devComm, kName, "devComm"));
  if (member->registrations().take(Registrations::kDeviceComm, devComm->resourceWindow)) return mcclSuccess;
  return fail(mcclInvalidArgument, "{} : none of this communicator's, or already destroyed", kName);
}
MCCL_END

MCCL_API(mcclResult_t, mcclLsaBarrierCreateRequirement,
         (mcclTeam_t team, int nBarriers, mcclLsaBarrierHandle_t* outHandle,
          mcclDevResourceRequirements_t* outReq)) {
  MCCL_RETURN_IF_ERROR(barrierRequirement("LsaBarrierCreateRequirement", team, nBarriers, outHandle,
                                          outHandle ? &outHandle->bufHandle : nullptr, outReq));
  outHandle->nBarriers = nBarriers;
  return mcclSuccess;
}
MCCL_END

// A barrier by GIN is one in memory: where there is GIN, all ranks are of this host.
MCCL_API(mcclResult_t, mcclGinBarrierCreateRequirement,
         (mcclComm_t comm, mcclTeam_t team, int nBarriers, mcclGinBarrierHandle_t* outHandle,
          mcclDevResourceRequirements_t* outReq)) {
  constexpr const char* kName = "GinBarrierCreateRequirement";
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpSettled(comm, kName, member));
  MCCL_RETURN_IF_ERROR(barrierRequirement(kName, team, nBarriers, outHandle,
                                          outHandle ? &outHandle->bufHandle : nullptr, outReq));
  outHandle->nBarriers = nBarriers;
  outReq->ginSignalCount = 1;  // so that there is GIN
  return mcclSuccess;
}
MCCL_END

MCCL_API(mcclTeam_t, mcclTeamWorld, (mcclComm_t comm)) {
  return mcclTeamWorld(ranksBehind(comm, "TeamWorld"));
}
MCCL_END_WITH({})

MCCL_API(mcclTeam_t, mcclTeamLsa, (mcclComm_t comm)) { return mcclTeamLsa(ranksBehind(comm, "TeamLsa")); }
MCCL_END_WITH({})

MCCL_API(mcclTeam_t, mcclTeamRail, (mcclComm_t comm)) {
  const mcclDevComm_t ranks = ranksBehind(comm, "TeamRail");
  return ranks.nRanks == 0 ? mcclTeam_t{} : mcclTeamRail(ranks);
}
MCCL_END_WITH({})

MCCL_API(int, mcclTeamRankToWorld, (mcclComm_t comm, mcclTeam_t team, int rank)) {
  return mcclTeamRankToWorld(ranksBehind(comm, "TeamRankToWorld"), team, rank);
}
MCCL_END_WITH({})

MCCL_API(int, mcclTeamRankToLsa, (mcclComm_t comm, mcclTeam_t team, int rank)) {
  return mcclTeamRankToLsa(ranksBehind(comm, "TeamRankToLsa"), team, rank);
}
MCCL_END_WITH({})
