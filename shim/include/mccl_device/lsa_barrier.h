/* Barriers among ranks that reach each other's memory, inside kernels. */
#ifndef MCCL_DEVICE_LSA_BARRIER_H_
#define MCCL_DEVICE_LSA_BARRIER_H_

#include <musa/atomic>

#include "coop.h"
#include "wait.h"

namespace mccli {

/* One thread of each rank tells the others and waits for them; the coop's sync does the rest. A barrier that
 * is left keeps its count, so that the next kernel goes on with it. */
class BarrierPlace {
 public:
  __device__ BarrierPlace(mcclWindow_t window, mcclTeam team, mcclDevResourceHandle_t handle, int barriers,
                          uint32_t index, bool leads)
      : window_(window), team_(team), offset_(size_t{handle} * 128 + index * barrierBytes(team.nRanks)) {
    if (index >= static_cast<uint32_t>(barriers))
      refuse("the device communicator has no such barrier: ask for more in its requirements",
             static_cast<int>(index), barriers);
    if (leads) epoch_ = *ownCount();
  }
  __device__ void leave() { *ownCount() = epoch_; }

  __device__ void arrive() {
    for (int i = 1; i < team_.nRanks; ++i) {
      const int peer = (team_.rank + i) % team_.nRanks;
      __atomic_store_n(wordAt(peer, team_.rank), epoch_ + 1, __ATOMIC_RELEASE);
    }
  }
  __device__ void wait() {
    ++epoch_;
    for (int i = 1; i < team_.nRanks; ++i) {
      const uint32_t* const word = wordAt(team_.rank, (team_.rank + i) % team_.nRanks);
      const uint32_t epoch = epoch_;
      awaitOthers(window_, [word, epoch] {
        return static_cast<int32_t>(__atomic_load_n(word, __ATOMIC_ACQUIRE) - epoch) >= 0;
      });
    }
  }

 private:
  __device__ char* placeAt(int teamRank) const {
    return window_->lsa[window_->lsaRank + (teamRank - team_.rank) * team_.stride] + offset_;
  }
  __device__ uint32_t* ownCount() const { return reinterpret_cast<uint32_t*>(placeAt(team_.rank)); }
  __device__ uint32_t* wordAt(int teamRank, int of) const {
    return reinterpret_cast<uint32_t*>(placeAt(teamRank) + 64) + of;
  }

  mcclWindow_t window_;
  mcclTeam team_;
  size_t offset_;
  uint32_t epoch_ = 0;
};

}  // namespace mccli

/* One barrier of the device communicator, number `index`, as long as this lives: each coop of a rank that is
 * at a barrier at the same time has a number of its own. `multimem` ends the kernel: there is no multicast.
 */
template <typename Coop>
class mcclLsaBarrierSession {
 public:
  __device__ mcclLsaBarrierSession(Coop coop, const mcclDevComm& comm, mcclTeam team,
                                   mcclLsaBarrierHandle handle, uint32_t index, bool multimem = false,
                                   mcclMultimemHandle = {})
      : coop_(coop),
        place_(comm.resourceWindow, team, handle.bufHandle, handle.nBarriers, index,
               coop.thread_rank() == 0) {
    if (multimem) (void)mccli::noMulticast();
  }
  __device__ mcclLsaBarrierSession(Coop coop, const mcclDevComm& comm, mcclTeamTagLsa, uint32_t index,
                                   bool multimem = false)
      : mcclLsaBarrierSession(coop, comm, mcclTeamLsa(comm), comm.lsaBarrier, index, multimem) {}
  __device__ ~mcclLsaBarrierSession() {
    if (coop_.thread_rank() == 0) place_.leave();
  }
  mcclLsaBarrierSession(const mcclLsaBarrierSession&) = delete;
  mcclLsaBarrierSession& operator=(const mcclLsaBarrierSession&) = delete;

  /* What the coop has done before is seen by whoever has waited; orders that ask for less get that, too. */
  __device__ void arrive(Coop coop, musa::memory_order) {
    coop.sync();
    if (coop.thread_rank() == 0) place_.arrive();
  }
  __device__ void wait(Coop coop, musa::memory_order) {
    if (coop.thread_rank() == 0) place_.wait();
    coop.sync();
  }
  __device__ void sync(Coop coop, musa::memory_order order) {
    arrive(coop, order);
    wait(coop, order);
  }

 private:
  Coop coop_;
  mccli::BarrierPlace place_;
};

#endif
