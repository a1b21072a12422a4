/* Puts and signals that kernels start (GIN). The peers are those of this host, whose memory is written
 * itself: a communicator with ranks on other hosts has no GIN, and mcclDevCommCreate says so. */
#ifndef MCCL_DEVICE_GIN_H_
#define MCCL_DEVICE_GIN_H_

#include "lsa_barrier.h"

/* What a put does beside the data, at the peer or here. */
struct mcclGin_None {};
struct mcclGin_SignalInc {
  mcclGinSignal_t signal;
};
struct mcclGin_SignalAdd {
  mcclGinSignal_t signal;
  uint64_t value;
};
struct mcclGin_CounterInc {
  mcclGinCounter_t counter;
};

enum class mcclGinFenceLevel { Relaxed };

class mcclGin {
 public:
  __device__ mcclGin(const mcclDevComm& communicator, int contextIndex) : comm(communicator) {
    if (contextIndex < 0 || contextIndex >= communicator.ginContextCount)
      mccli::refuse(
          "the device communicator has no such GIN context: ask for signals, counters, barriers or "
          "ginForceEnable in its requirements",
          contextIndex, communicator.ginContextCount);
  }

  /* `bytes` from this rank's source window to the destination window of rank `peer` of `team`. Who sees the
   * signal sees the data. Both actions are done when the call ends, by whatever thread of `coop`. */
  template <typename Remote = mcclGin_None, typename Local = mcclGin_None, typename Coop = mcclCoopThread,
            typename Descriptor = mcclGin_None>
  __device__ void put(mcclTeam team, int peer, mcclWindow_t dstWnd, size_t dstOffset, mcclWindow_t srcWnd,
                      size_t srcOffset, size_t bytes, Remote remoteAction = Remote{},
                      Local localAction = Local{}, Coop coop = Coop{}, Descriptor = Descriptor{},
                      musa::thread_scope = musa::thread_scope_thread,
                      musa::thread_scope = musa::thread_scope_device) const {
    coop.sync();
    copy(coop, static_cast<char*>(mcclGetPeerPointer(dstWnd, dstOffset, team, peer)),
         static_cast<const char*>(mcclGetLocalPointer(srcWnd, srcOffset)), bytes);
    finish(coop, team, peer, remoteAction, localAction);
  }
  /* The same in elements. */
  template <typename T, typename Remote = mcclGin_None, typename Local = mcclGin_None,
            typename Coop = mcclCoopThread, typename Descriptor = mcclGin_None>
  __device__ void put(mcclTeam team, int peer, mcclSymPtr<T> dst, mcclSymPtr<T> src, size_t count,
                      Remote remoteAction = Remote{}, Local localAction = Local{}, Coop coop = Coop{},
                      Descriptor descriptor = Descriptor{},
                      musa::thread_scope alreadyReleased = musa::thread_scope_thread,
                      musa::thread_scope expected = musa::thread_scope_device) const {
    put(team, peer, dst.window, dst.offset, src.window, src.offset, count * sizeof(T), remoteAction,
        localAction, coop, descriptor, alreadyReleased, expected);
  }
  /* One element of up to eight bytes. */
  template <typename T, typename Remote = mcclGin_None, typename Coop = mcclCoopThread,
            typename Descriptor = mcclGin_None>
  __device__ void putValue(mcclTeam team, int peer, mcclWindow_t dstWnd, size_t dstOffset, T value,
                           Remote remoteAction = Remote{}, Coop coop = Coop{}, Descriptor = Descriptor{},
                           musa::thread_scope = musa::thread_scope_thread,
                           musa::thread_scope = musa::thread_scope_device) const {
    static_assert(sizeof(T) <= 8, "an element of up to eight bytes");
    coop.sync();
    if (coop.thread_rank() == 0) *static_cast<T*>(mcclGetPeerPointer(dstWnd, dstOffset, team, peer)) = value;
    finish(coop, team, peer, remoteAction, mcclGin_None{});
  }
  template <typename T, typename Remote = mcclGin_None, typename Coop = mcclCoopThread,
            typename Descriptor = mcclGin_None>
  __device__ void putValue(mcclTeam team, int peer, mcclSymPtr<T> dst, T value,
                           Remote remoteAction = Remote{}, Coop coop = Coop{},
                           Descriptor descriptor = Descriptor{},
                           musa::thread_scope alreadyReleased = musa::thread_scope_thread,
                           musa::thread_scope expected = musa::thread_scope_device) const {
    putValue(team, peer, dst.window, dst.offset, value, remoteAction, coop, descriptor, alreadyReleased,
             expected);
  }
  template <typename Remote, typename Coop = mcclCoopThread, typename Descriptor = mcclGin_None>
  __device__ void signal(mcclTeam team, int peer, Remote remoteAction, Coop coop = Coop{},
                         Descriptor = Descriptor{}, musa::thread_scope = musa::thread_scope_thread,
                         musa::thread_scope = musa::thread_scope_device) const {
    coop.sync();
    finish(coop, team, peer, remoteAction, mcclGin_None{});
  }

  /* Sources may be used again: puts have read them when they end. */
  template <typename Coop>
  __device__ void flush(Coop coop, musa::memory_order = musa::memory_order_acquire) const {
    coop.sync();
  }

  __device__ uint64_t readSignal(mcclGinSignal_t signal, int bits = 64,
                                 musa::memory_order = musa::memory_order_acquire) const {
    return low(__atomic_load_n(signalAt(comm.lsaRank, signal), __ATOMIC_ACQUIRE), bits);
  }
  /* Until the low `bits` have come to `least`, as numbers that go round. */
  template <typename Coop>
  __device__ void waitSignal(Coop coop, mcclGinSignal_t signal, uint64_t least, int bits = 64,
                             musa::memory_order = musa::memory_order_acquire) const {
    if (coop.thread_rank() == 0) waitFor(signalAt(comm.lsaRank, signal), least, bits);
    coop.sync();
  }
  __device__ void resetSignal(mcclGinSignal_t signal) const {
    __atomic_store_n(signalAt(comm.lsaRank, signal), uint64_t{0}, __ATOMIC_RELEASE);
  }

  __device__ uint64_t readCounter(mcclGinCounter_t counter, int bits = 56,
                                  musa::memory_order = musa::memory_order_acquire) const {
    return low(__atomic_load_n(counterAt(counter), __ATOMIC_ACQUIRE), bits);
  }
  template <typename Coop>
  __device__ void waitCounter(Coop coop, mcclGinCounter_t counter, uint64_t least, int bits = 56,
                              musa::memory_order = musa::memory_order_acquire) const {
    if (coop.thread_rank() == 0) waitFor(counterAt(counter), least, bits);
    coop.sync();
  }
  __device__ void resetCounter(mcclGinCounter_t counter) const {
    __atomic_store_n(counterAt(counter), uint64_t{0}, __ATOMIC_RELEASE);
  }

  const mcclDevComm& comm;

 private:
  static __device__ uint64_t low(uint64_t value, int bits) {
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
  }
  __device__ void waitFor(const uint64_t* word, uint64_t least, int bits) const {
    const int unused = 64 - bits;
    mccli::awaitOthers(comm.resourceWindow, [word, least, unused] {
      return static_cast<int64_t>((__atomic_load_n(word, __ATOMIC_ACQUIRE) - least) << unused) >= 0;
    });
  }
  __device__ uint64_t* signalAt(int lsaPeer, mcclGinSignal_t signal) const {
    if (signal >= static_cast<uint32_t>(comm.ginSignalCount))
      mccli::refuse("no such GIN signal: ask for more in the requirements", static_cast<int>(signal),
                    comm.ginSignalCount);
    return reinterpret_cast<uint64_t*>(mccli::resource(comm.resourceWindow, comm.ginSignals, lsaPeer)) +
           signal;
  }
  __device__ uint64_t* counterAt(mcclGinCounter_t counter) const {
    if (counter >= static_cast<uint32_t>(comm.ginCounterCount))
      mccli::refuse("no such GIN counter: ask for more in the requirements", static_cast<int>(counter),
                    comm.ginCounterCount);
    return reinterpret_cast<uint64_t*>(mccli::resource(comm.resourceWindow, comm.ginCounters, comm.lsaRank)) +
           counter;
  }

  __device__ void act(int, mcclGin_None) const {}
  __device__ void act(int lsaPeer, mcclGin_SignalInc action) const {
    __atomic_fetch_add(signalAt(lsaPeer, action.signal), uint64_t{1}, __ATOMIC_RELEASE);
  }
  __device__ void act(int lsaPeer, mcclGin_SignalAdd action) const {
    __atomic_fetch_add(signalAt(lsaPeer, action.signal), action.value, __ATOMIC_RELEASE);
  }
  __device__ void act(int, mcclGin_CounterInc action) const {
    __atomic_fetch_add(counterAt(action.counter), uint64_t{1}, __ATOMIC_RELEASE);
  }
  template <typename Coop, typename Remote, typename Local>
  __device__ void finish(Coop coop, mcclTeam team, int peer, Remote remote, Local local) const {
    coop.sync();
    if (coop.thread_rank() != 0) return;
    act(mcclTeamRankToLsa(comm, team, peer), remote);
    act(comm.lsaRank, local);
  }

  /* By words where both ends allow it. */
  template <typename Coop>
  static __device__ void copy(Coop coop, char* to, const char* from, size_t bytes) {
    const size_t step = static_cast<size_t>(coop.size()), first = static_cast<size_t>(coop.thread_rank());
    size_t done = 0;
    if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % 8 == 0) {
      const size_t words = bytes / 8;
      for (size_t i = first; i < words; i += step)
        reinterpret_cast<uint64_t*>(to)[i] = reinterpret_cast<const uint64_t*>(from)[i];
      done = 8 * words;
    }
    for (size_t i = done + first; i < bytes; i += step) to[i] = from[i];
  }
};

/* A barrier by GIN among the ranks of a team. */
template <typename Coop>
class mcclGinBarrierSession {
 public:
  __device__ mcclGinBarrierSession(Coop coop, mcclGin gin, mcclTeam team, mcclGinBarrierHandle handle,
                                   uint32_t index)
      : coop_(coop),
        place_(gin.comm.resourceWindow, team, handle.bufHandle, handle.nBarriers, index,
               coop.thread_rank() == 0) {}
  __device__ mcclGinBarrierSession(Coop coop, mcclGin gin, mcclTeamTagRail, uint32_t index)
      : mcclGinBarrierSession(coop, gin, mcclTeamRail(gin.comm), gin.comm.railGinBarrier, index) {}
  __device__ ~mcclGinBarrierSession() {
    if (coop_.thread_rank() == 0) place_.leave();
  }
  mcclGinBarrierSession(const mcclGinBarrierSession&) = delete;
  mcclGinBarrierSession& operator=(const mcclGinBarrierSession&) = delete;

  __device__ void sync(Coop coop, musa::memory_order, mcclGinFenceLevel = mcclGinFenceLevel::Relaxed) {
    coop.sync();
    if (coop.thread_rank() == 0) {
      place_.arrive();
      place_.wait();
    }
    coop.sync();
  }

 private:
  Coop coop_;
  mccli::BarrierPlace place_;
};

#endif
