/* What the host and kernels share of MCCL's device API: device communicators, windows, teams, and the calls
 * of the host that make them. At the level of NCCL 2.28.9. */
#ifndef MCCL_DEVICE_CORE_H_
#define MCCL_DEVICE_CORE_H_

#include <stdbool.h>
#include <stdint.h>

#include "../mccl.h"

/* Some of a communicator's ranks: rank i of the team is `stride` ranks of the world behind rank i - 1. */
typedef struct mcclTeam {
  int nRanks, rank, stride;
} mcclTeam_t;

/* A window as kernels see it; in memory of the device. Made by mcclCommWindowRegister. */
struct mcclWindow_vidmem {
  size_t bytes;
  int rank, lsaRank, lsaSize; /* of whose it is */
  char* const* lsa;           /* where it is at each rank of the LSA team */
  /* Of the library, for kernels that wait for a rank: null while it may come; else why it does not, to the
   * first who asks, and to the others an empty text. */
  const char* (*whyInVain)(void* of);
  void* of;
};

/* Bytes of the resource window's memory that a device communicator has for one purpose, in units of 128. */
typedef uint32_t mcclDevResourceHandle;
typedef mcclDevResourceHandle mcclDevResourceHandle_t;
typedef uint32_t mcclGinSignal_t;
typedef uint32_t mcclGinCounter_t;

/* No device has multicast here: mcBasePtr is null. */
typedef struct mcclMultimemHandle {
  void* mcBasePtr;
} mcclMultimemHandle_t;

typedef struct mcclLsaBarrierHandle {
  mcclDevResourceHandle_t bufHandle;
  int nBarriers;
} mcclLsaBarrierHandle_t;

typedef struct mcclGinBarrierHandle {
  mcclDevResourceHandle_t bufHandle;
  int nBarriers;
} mcclGinBarrierHandle_t;

/* Passed to kernels by value. What is not described is the library's own. */
typedef struct mcclDevComm {
  int rank, nRanks;        /* of the world */
  int lsaRank, lsaSize;    /* of the ranks that reach each other's memory: those of this host */
  uint8_t ginContextCount; /* 0: no GIN */
  int ginSignalCount, ginCounterCount;
  mcclDevResourceHandle_t ginSignals, ginCounters;
  mcclWindow_t resourceWindow;
  mcclMultimemHandle_t lsaMultimem;
  mcclLsaBarrierHandle_t lsaBarrier;       /* lsaBarrierCount */
  mcclLsaBarrierHandle_t hybridLsaBarrier; /* barrierCount */
  mcclGinBarrierHandle_t railGinBarrier;   /* railGinBarrierCount */
  mcclGinBarrierHandle_t hybridGinBarrier; /* barrierCount */
} mcclDevComm_t;

/* Memory, signals and counters for a user's own building block; what it got is written where it says, unless
 * that is null. */
typedef struct mcclDevResourceRequirements {
  struct mcclDevResourceRequirements* next;
  size_t bufferSize, bufferAlign; /* bytes at each rank; the alignment is at most 4096 */
  mcclDevResourceHandle_t* outBufferHandle;
  int ginSignalCount, ginCounterCount;
  mcclGinSignal_t* outGinSignalStart;
  mcclGinCounter_t* outGinCounterStart;
} mcclDevResourceRequirements_t;

typedef struct mcclTeamRequirements {
  struct mcclTeamRequirements* next;
  mcclTeam_t team;
  bool multimem;
  mcclMultimemHandle_t* outMultimemHandle;
} mcclTeamRequirements_t;

/* What a device communicator is to have: all zero is none of it. The same at all ranks. */
typedef struct mcclDevCommRequirements {
  mcclDevResourceRequirements_t* resourceRequirementsList;
  mcclTeamRequirements_t* teamRequirementsList;
  bool lsaMultimem;
  int barrierCount, lsaBarrierCount, railGinBarrierCount;
  int lsaLLA2ABlockCount, lsaLLA2ASlotCount; /* there is no all-to-all of small messages (LLA2A): 0 */
  bool ginForceEnable;
  int ginContextCount, ginSignalCount, ginCounterCount;
} mcclDevCommRequirements_t;
#define MCCL_DEV_COMM_REQUIREMENTS_INITIALIZER \
  {}

#ifdef __cplusplus
extern "C" {
#endif
/* Collective; may stand in a group, and is filled in at its end. Without what `reqs` asks for it makes
 * nothing and says why. */
mcclResult_t mcclDevCommCreate(mcclComm_t comm, const mcclDevCommRequirements_t* reqs,
                               mcclDevComm_t* outDevComm);
mcclResult_t pmcclDevCommCreate(mcclComm_t comm, const mcclDevCommRequirements_t* reqs,
                                mcclDevComm_t* outDevComm);
/* No kernel of this rank may use it any more. */
mcclResult_t mcclDevCommDestroy(mcclComm_t comm, const mcclDevComm_t* devComm);
mcclResult_t pmcclDevCommDestroy(mcclComm_t comm, const mcclDevComm_t* devComm);

/* An entry for resourceRequirementsList that makes `outHandle` a handle of so many barriers of `team`. */
mcclResult_t mcclLsaBarrierCreateRequirement(mcclTeam_t team, int nBarriers,
                                             mcclLsaBarrierHandle_t* outHandle,
                                             mcclDevResourceRequirements_t* outReq);
mcclResult_t pmcclLsaBarrierCreateRequirement(mcclTeam_t team, int nBarriers,
                                              mcclLsaBarrierHandle_t* outHandle,
                                              mcclDevResourceRequirements_t* outReq);
mcclResult_t mcclGinBarrierCreateRequirement(mcclComm_t comm, mcclTeam_t team, int nBarriers,
                                             mcclGinBarrierHandle_t* outHandle,
                                             mcclDevResourceRequirements_t* outReq);
mcclResult_t pmcclGinBarrierCreateRequirement(mcclComm_t comm, mcclTeam_t team, int nBarriers,
                                              mcclGinBarrierHandle_t* outHandle,
                                              mcclDevResourceRequirements_t* outReq);

/* The predefined teams of a communicator that is ready, all zero of one that is not: all ranks, those that
 * reach each other's memory, and those of the same number in all LSA teams. teams.h has them for kernels. */
mcclTeam_t mcclTeamWorld(mcclComm_t comm);
mcclTeam_t pmcclTeamWorld(mcclComm_t comm);
mcclTeam_t mcclTeamLsa(mcclComm_t comm);
mcclTeam_t pmcclTeamLsa(mcclComm_t comm);
mcclTeam_t mcclTeamRail(mcclComm_t comm);
mcclTeam_t pmcclTeamRail(mcclComm_t comm);
int mcclTeamRankToWorld(mcclComm_t comm, mcclTeam_t team, int rank);
int pmcclTeamRankToWorld(mcclComm_t comm, mcclTeam_t team, int rank);
int mcclTeamRankToLsa(mcclComm_t comm, mcclTeam_t team, int rank);
int pmcclTeamRankToLsa(mcclComm_t comm, mcclTeam_t team, int rank);
#ifdef __cplusplus
}
#endif

#endif
