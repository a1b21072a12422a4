/* Barriers among ranks of whatever kind of neighbourhood: first those that reach each other's memory, then
 * those of the same number in all such teams. */
#ifndef MCCL_DEVICE_BARRIER_H_
#define MCCL_DEVICE_BARRIER_H_

#include "gin.h"

template <typename Coop>
class mcclBarrierSession {
 public:
  /* Of an inner team of memory's and an outer one of GIN's. */
  __device__ mcclBarrierSession(Coop coop, mcclTeam innerTeam, mcclTeam outerTeam, mcclGin gin,
                                mcclLsaBarrierHandle innerBarHandle, mcclGinBarrierHandle outerBarHandle,
                                uint32_t index, bool multimem = false, mcclMultimemHandle handle = {})
      : inner_(coop, gin.comm, innerTeam, innerBarHandle, index, multimem, handle),
        outer_(coop, gin, outerTeam, outerBarHandle, index),
        isOneTeam_(outerTeam.nRanks == 1) {}
  /* Of all ranks. */
  __device__ mcclBarrierSession(Coop coop, mcclTeamTagWorld, mcclGin gin, uint32_t index,
                                bool multimem = false)
      : mcclBarrierSession(coop, mcclTeamLsa(gin.comm), mcclTeamRail(gin.comm), gin,
                           gin.comm.hybridLsaBarrier, gin.comm.hybridGinBarrier, index, multimem) {}

  __device__ mcclLsaBarrierSession<Coop>& lsaBarrier() { return inner_; }
  __device__ mcclGinBarrierSession<Coop>& ginBarrier() { return outer_; }

  __device__ void sync(Coop coop, musa::memory_order order,
                       mcclGinFenceLevel fence = mcclGinFenceLevel::Relaxed) {
    inner_.sync(coop, order);
    if (isOneTeam_) return;
    outer_.sync(coop, order, fence);
    inner_.sync(coop, order);
  }

 private:
  mcclLsaBarrierSession<Coop> inner_;
  mcclGinBarrierSession<Coop> outer_;
  const bool isOneTeam_;
};

#endif
