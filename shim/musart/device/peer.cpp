// Peers: access between devices, copies between them.
#include "musart/api/runtime.h"

using namespace musashim::musart;

extern "C" {

musaError_t musaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  return apiCall<Needs::kDriver>(
      "musaDeviceCanAccessPeer",
      [&] { return fromDriver(muDeviceCanAccessPeer(canAccessPeer, device, peerDevice)); }, canAccessPeer,
      device, peerDevice);
}

musaError_t musaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return apiCall(
      "musaDeviceEnablePeerAccess",
      [&]() -> musaError_t {
        int device = 0;
        MUSART_TRY(muCtxGetDevice(&device));
        MUSART_TRY(checkDevice(peerDevice));
        MUSART_REQUIRE(device != peerDevice, musaErrorPeerAccessUnsupported);
        MUcontext peer = nullptr;
        MUSART_TRY(primaryContext(peerDevice, peer));
        return fromDriver(muCtxEnablePeerAccess(peer, flags));
      },
      peerDevice, flags);
}

musaError_t musaDeviceDisablePeerAccess(int peerDevice) {
  return apiCall(
      "musaDeviceDisablePeerAccess",
      [&]() -> musaError_t {
        MUcontext peer = nullptr;
        MUSART_TRY(primaryContext(peerDevice, peer));
        return fromDriver(muCtxDisablePeerAccess(peer));
      },
      peerDevice);
}

musaError_t musaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  return apiCall(
      "musaMemcpyPeer",
      [&]() -> musaError_t {
        MUcontext to = nullptr, from = nullptr;
        MUSART_TRY(primaryContext(dstDevice, to));
        MUSART_TRY(primaryContext(srcDevice, from));
        return fromDriver(muMemcpyPeer(toDevicePtr(dst), to, toDevicePtr(src), from, count));
      },
      dst, dstDevice, src, srcDevice, count);
}

musaError_t musaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t count,
                                musaStream_t stream) {
  return apiCall(
      "musaMemcpyPeerAsync",
      [&]() -> musaError_t {
        MUcontext to = nullptr, from = nullptr;
        MUSART_TRY(primaryContext(dstDevice, to));
        MUSART_TRY(primaryContext(srcDevice, from));
        return fromDriver(muMemcpyPeerAsync(toDevicePtr(dst), to, toDevicePtr(src), from, count, stream));
      },
      dst, dstDevice, src, srcDevice, count, stream);
}

}  // extern "C"
