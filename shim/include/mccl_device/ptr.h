/* Where the memory of windows is, for kernels. Offsets are in bytes. What is not reachable is null. */
#ifndef MCCL_DEVICE_PTR_H_
#define MCCL_DEVICE_PTR_H_

#include <stdio.h>

#include "teams.h"

namespace mccli {

/* Ends the kernel with a fault, and says why. */
static __device__ __attribute__((noinline)) void refuse(const char* what, int number, int limit) {
  printf("mccl: device API: %s (%d of %d)\n", what, number, limit);
  __trap();
}

__device__ inline char* lsaPlace(mcclWindow_t window, size_t offset, int lsaPeer) {
  return lsaPeer < 0 || lsaPeer >= window->lsaSize ? nullptr : window->lsa[lsaPeer] + offset;
}

/* Of the resource window's memory. */
__device__ inline char* resource(mcclWindow_t window, mcclDevResourceHandle_t handle, int lsaPeer) {
  return window->lsa[lsaPeer] + size_t{handle} * 128;
}

static __device__ __attribute__((noinline)) void* noMulticast() {
  printf("mccl: device API: no device has multicast memory: loop over the peers of the LSA team\n");
  __trap();
  return nullptr;
}

}  // namespace mccli

__device__ inline void* mcclGetLocalPointer(mcclWindow_t w, size_t offset) {
  return w->lsa[w->lsaRank] + offset;
}
__device__ inline void* mcclGetLsaPointer(mcclWindow_t w, size_t offset, int lsaPeer) {
  return mccli::lsaPlace(w, offset, lsaPeer);
}
/* `peer`: of the world, or of `team`. */
__device__ inline void* mcclGetPeerPointer(mcclWindow_t w, size_t offset, int peer) {
  return mccli::lsaPlace(w, offset, w->lsaRank + peer - w->rank);
}
__device__ inline void* mcclGetPeerPointer(mcclWindow_t w, size_t offset, mcclTeam team, int peer) {
  return mccli::lsaPlace(w, offset, w->lsaRank + (peer - team.rank) * team.stride);
}
/* These end the kernel: there is no multicast. */
__device__ inline void* mcclGetMultimemPointer(mcclWindow_t, size_t, mcclMultimemHandle) {
  return mccli::noMulticast();
}
__device__ inline void* mcclGetLsaMultimemPointer(mcclWindow_t, size_t, const mcclDevComm&) {
  return mccli::noMulticast();
}

/* An object of a window, wherever it is asked for. */
template <typename T>
struct mcclSymPtr {
  mcclWindow_t window;
  size_t offset;

  __host__ __device__ constexpr mcclSymPtr(mcclWindow_t of = nullptr, size_t at = 0)
      : window(of), offset(at) {}
  template <typename U>
  __host__ __device__ explicit operator mcclSymPtr<U>() const {
    return {window, offset};
  }
  __host__ __device__ mcclSymPtr& operator+=(ptrdiff_t count) {
    offset += static_cast<size_t>(count) * sizeof(T);
    return *this;
  }
  __host__ __device__ mcclSymPtr& operator-=(ptrdiff_t count) { return *this += -count; }

  __device__ T* localPtr() const { return static_cast<T*>(mcclGetLocalPointer(window, offset)); }
  __device__ T* lsaPtr(int peer) const { return static_cast<T*>(mcclGetLsaPointer(window, offset, peer)); }
  __device__ T* peerPtr(int peer) const { return static_cast<T*>(mcclGetPeerPointer(window, offset, peer)); }
  __device__ T* peerPtr(mcclTeam team, int peer) const {
    return static_cast<T*>(mcclGetPeerPointer(window, offset, team, peer));
  }
  __device__ T* multimemPtr(mcclMultimemHandle handle) const {
    return static_cast<T*>(mcclGetMultimemPointer(window, offset, handle));
  }
  __device__ T* lsaMultimemPtr(const mcclDevComm& comm) const {
    return static_cast<T*>(mcclGetLsaMultimemPointer(window, offset, comm));
  }
};
template <typename T>
MUSASHIM_HD mcclSymPtr<T> operator+(mcclSymPtr<T> pointer, ptrdiff_t count) {
  return pointer += count;
}
template <typename T>
MUSASHIM_HD mcclSymPtr<T> operator-(mcclSymPtr<T> pointer, ptrdiff_t count) {
  return pointer -= count;
}
/* In elements; both are of one window. */
template <typename T>
MUSASHIM_HD ptrdiff_t operator-(mcclSymPtr<T> a, mcclSymPtr<T> b) {
  return static_cast<ptrdiff_t>(a.offset - b.offset) / static_cast<ptrdiff_t>(sizeof(T));
}
template <typename T>
MUSASHIM_HD bool operator==(mcclSymPtr<T> a, mcclSymPtr<T> b) {
  return a.window == b.window && a.offset == b.offset;
}
template <typename T>
MUSASHIM_HD bool operator!=(mcclSymPtr<T> a, mcclSymPtr<T> b) {
  return !(a == b);
}

/* What a device communicator got for an entry of resourceRequirementsList. */
MUSASHIM_HD size_t mcclGetResourceBufferOffset(mcclDevResourceHandle_t handle) {
  return size_t{handle} * 128;
}
MUSASHIM_HD mcclSymPtr<char> mcclGetResourceBuffer(const mcclDevComm& comm, mcclDevResourceHandle_t handle) {
  return {comm.resourceWindow, mcclGetResourceBufferOffset(handle)};
}
__device__ inline void* mcclGetResourceBufferLocalPointer(const mcclDevComm& comm,
                                                          mcclDevResourceHandle_t handle) {
  return mcclGetResourceBuffer(comm, handle).localPtr();
}
__device__ inline void* mcclGetResourceBufferLsaPointer(const mcclDevComm& comm,
                                                        mcclDevResourceHandle_t handle, int peer) {
  return mcclGetResourceBuffer(comm, handle).lsaPtr(peer);
}
__device__ inline void* mcclGetResourceBufferPeerPointer(const mcclDevComm& comm,
                                                         mcclDevResourceHandle_t handle, mcclTeam team,
                                                         int peer) {
  return mcclGetResourceBuffer(comm, handle).peerPtr(team, peer);
}
__device__ inline void* mcclGetResourceBufferMultimemPointer(const mcclDevComm&, mcclDevResourceHandle_t,
                                                             mcclMultimemHandle) {
  return mccli::noMulticast();
}
__device__ inline void* mcclGetResourceBufferLsaMultimemPointer(const mcclDevComm&, mcclDevResourceHandle_t) {
  return mccli::noMulticast();
}

#endif
