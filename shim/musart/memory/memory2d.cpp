// Pitched memory: allocation, copies and fills of two and three dimensions.
#include <algorithm>

#include "musart/memory/array.h"
#include "musart/memory/memory.h"

using namespace musashim::musart;

namespace {

musaError_t allocatePitched(void** pointer, size_t* pitch, size_t width, size_t height) {
  MUSART_REQUIRE(pointer && pitch, musaErrorInvalidValue);
  *pointer = nullptr;
  *pitch = 0;
  if (width == 0 || height == 0) return musaSuccess;
  MUdeviceptr address = 0;
  MUSART_TRY(muMemAllocPitch(&address, pitch, width, height, 4));
  *pointer = toPointer(address);
  return musaSuccess;
}

// The driver's words for a direction.
musaError_t memoryTypes(enum musaMemcpyKind kind, MUmemorytype& dst, MUmemorytype& src) {
  switch (kind) {
    case musaMemcpyHostToHost:
      dst = src = MU_MEMORYTYPE_UNIFIED;
      return musaSuccess;
    case musaMemcpyHostToDevice:
      dst = MU_MEMORYTYPE_DEVICE, src = MU_MEMORYTYPE_HOST;
      return musaSuccess;
    case musaMemcpyDeviceToHost:
      dst = MU_MEMORYTYPE_HOST, src = MU_MEMORYTYPE_DEVICE;
      return musaSuccess;
    case musaMemcpyDeviceToDevice:
      dst = src = MU_MEMORYTYPE_DEVICE;
      return musaSuccess;
    case musaMemcpyDefault:
      dst = src = MU_MEMORYTYPE_UNIFIED;
      return musaSuccess;
  }
  return musaErrorInvalidMemcpyDirection;
}

template <class Params>
void setSides(Params& p, void* dst, size_t dstPitch, const void* src, size_t srcPitch) {
  p.dstHost = dst;
  p.dstDevice = toDevicePtr(dst);
  p.dstPitch = dstPitch;
  p.srcHost = src;
  p.srcDevice = toDevicePtr(src);
  p.srcPitch = srcPitch;
}

musaError_t rows(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                 enum musaMemcpyKind kind, MUSA_MEMCPY2D& copy) {
  copy = {};
  copy.dstMemoryType = copy.srcMemoryType = MU_MEMORYTYPE_UNIFIED;
  if (width == 0 || height == 0) return musaSuccess;  // whatever the rest says
  MUSART_TRY(memoryTypes(kind, copy.dstMemoryType, copy.srcMemoryType));
  MUSART_REQUIRE(dpitch >= width && spitch >= width, musaErrorInvalidPitchValue);
  setSides(copy, dst, dpitch, src, spitch);
  copy.WidthInBytes = width;
  copy.Height = height;
  return musaSuccess;
}

// Arrays are of the device, whatever the direction says; it must not say otherwise.
template <class Params>
musaError_t arrayTypes(Params& copy) {
  if (copy.dstArray) {
    MUSART_REQUIRE(copy.dstMemoryType != MU_MEMORYTYPE_HOST, musaErrorInvalidMemcpyDirection);
    copy.dstMemoryType = MU_MEMORYTYPE_ARRAY;
  }
  if (copy.srcArray) {
    MUSART_REQUIRE(copy.srcMemoryType != MU_MEMORYTYPE_HOST, musaErrorInvalidMemcpyDirection);
    copy.srcMemoryType = MU_MEMORYTYPE_ARRAY;
  }
  return musaSuccess;
}

// What the two kinds of 3D parameters have in common.
template <class From, class To>
musaError_t box(const From* p, To& copy) {
  MUSART_REQUIRE(p, musaErrorInvalidValue);
  // With an array, widths and its own positions count elements.
  size_t dstElement = 1, srcElement = 1;
  if (p->dstArray) MUSART_TRY(elementBytes(p->dstArray, dstElement));
  if (p->srcArray) MUSART_TRY(elementBytes(p->srcArray, srcElement));
  MUSART_REQUIRE(!p->dstArray || !p->srcArray || dstElement == srcElement, musaErrorInvalidValue);
  MUSART_REQUIRE(!(p->dstArray && p->dstPtr.ptr) && !(p->srcArray && p->srcPtr.ptr), musaErrorInvalidValue);
  copy.dstArray = toDriver(p->dstArray);
  copy.srcArray = toDriver(p->srcArray);
  setSides(copy, p->dstPtr.ptr, p->dstPtr.pitch, p->srcPtr.ptr, p->srcPtr.pitch);
  copy.dstXInBytes = p->dstPos.x * dstElement;
  copy.dstY = p->dstPos.y;
  copy.dstZ = p->dstPos.z;
  copy.dstHeight = p->dstPtr.ysize;
  copy.srcXInBytes = p->srcPos.x * srcElement;
  copy.srcY = p->srcPos.y;
  copy.srcZ = p->srcPos.z;
  copy.srcHeight = p->srcPtr.ysize;
  copy.WidthInBytes = p->extent.width * std::max(dstElement, srcElement);
  copy.Height = p->extent.height;
  copy.Depth = p->extent.depth;
  return musaSuccess;
}

musaError_t plainBox(const struct musaMemcpy3DParms* p, MUSA_MEMCPY3D& copy) {
  copy = {};
  MUSART_TRY(box(p, copy));
  // The driver says InvalidValue of a source that is too narrow.
  const bool sourceFits = p->srcArray || copy.srcPitch >= copy.WidthInBytes;
  if (sourceFits && !p->dstArray && p->extent.width && p->extent.height && p->extent.depth) {
    MUSART_REQUIRE(copy.dstPitch == 0 || copy.dstPitch >= copy.WidthInBytes, musaErrorInvalidPitchValue);
    MUSART_REQUIRE(copy.dstHeight == 0 || copy.Depth == 1 || copy.dstHeight >= copy.Height,
                   musaErrorInvalidPitchValue);
  }
  MUSART_TRY(memoryTypes(p->kind, copy.dstMemoryType, copy.srcMemoryType));
  return arrayTypes(copy);
}

musaError_t peerBox(const struct musaMemcpy3DPeerParms* p, MUSA_MEMCPY3D_PEER& copy) {
  copy = {};
  MUSART_TRY(box(p, copy));
  copy.dstMemoryType = copy.srcMemoryType = MU_MEMORYTYPE_DEVICE;
  MUSART_TRY(arrayTypes(copy));
  MUSART_TRY(primaryContext(p->dstDevice, copy.dstContext));
  return primaryContext(p->srcDevice, copy.srcContext);
}

// Slices of a pitched box lie one below the other, so a box without gaps between slices
// is one tall 2D area; others are filled slice by slice.
template <class FillRows>
musaError_t fillBox(const struct musaPitchedPtr& target, const struct musaExtent& extent,
                    FillRows&& fillRows) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return musaSuccess;
  MUSART_REQUIRE(target.ysize >= extent.height || extent.depth == 1, musaErrorInvalidValue);
  size_t stride = 0, last = 0;
  MUSART_REQUIRE(!__builtin_mul_overflow(target.pitch, target.ysize, &stride) &&
                     !__builtin_mul_overflow(stride, extent.depth - 1, &last) &&
                     (stride || extent.depth == 1),
                 musaErrorInvalidValue);
  // The last slice first: if anything lies outside, that does.
  for (size_t z = extent.depth; z-- > 0;) MUSART_TRY(fillRows(toDevicePtr(target.ptr) + z * stride));
  return musaSuccess;
}

}  // namespace

musaError_t musashim::musart::driverCopy(const struct musaMemcpy3DParms* params, MUSA_MEMCPY3D& copy) {
  return plainBox(params, copy);
}

extern "C" {

musaError_t musaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  return apiCall(
      "musaMallocPitch", [&] { return allocatePitched(devPtr, pitch, width, height); }, devPtr, pitch, width,
      height);
}

musaError_t musaMalloc3D(struct musaPitchedPtr* pitchedDevPtr, struct musaExtent extent) {
  return apiCall(
      "musaMalloc3D",
      [&]() -> musaError_t {
        MUSART_REQUIRE(pitchedDevPtr, musaErrorInvalidValue);
        size_t rowCount = 0;
        MUSART_REQUIRE(!__builtin_mul_overflow(extent.height, extent.depth, &rowCount),
                       musaErrorMemoryAllocation);
        pitchedDevPtr->xsize = extent.width;
        pitchedDevPtr->ysize = extent.height;
        return allocatePitched(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, rowCount);
      },
      pitchedDevPtr);
}

musaError_t musaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                         size_t height, enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpy2D",
      [&]() -> musaError_t {
        MUSA_MEMCPY2D copy;
        MUSART_TRY(rows(dst, dpitch, src, spitch, width, height, kind, copy));
        return fromDriver(muMemcpy2D(&copy));
      },
      dst, dpitch, src, spitch, width, height, kind);
}

musaError_t musaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                              size_t height, enum musaMemcpyKind kind, musaStream_t stream) {
  return apiCall(
      "musaMemcpy2DAsync",
      [&]() -> musaError_t {
        MUSA_MEMCPY2D copy;
        MUSART_TRY(rows(dst, dpitch, src, spitch, width, height, kind, copy));
        return fromDriver(muMemcpy2DAsync(&copy, stream));
      },
      dst, dpitch, src, spitch, width, height, kind, stream);
}

musaError_t musaMemcpy3D(const struct musaMemcpy3DParms* p) {
  return apiCall(
      "musaMemcpy3D",
      [&]() -> musaError_t {
        MUSA_MEMCPY3D copy;
        MUSART_TRY(plainBox(p, copy));
        return fromDriver(muMemcpy3D(&copy));
      },
      p);
}

musaError_t musaMemcpy3DAsync(const struct musaMemcpy3DParms* p, musaStream_t stream) {
  return apiCall(
      "musaMemcpy3DAsync",
      [&]() -> musaError_t {
        MUSA_MEMCPY3D copy;
        MUSART_TRY(plainBox(p, copy));
        return fromDriver(muMemcpy3DAsync(&copy, stream));
      },
      p, stream);
}

musaError_t musaMemcpy3DPeer(const struct musaMemcpy3DPeerParms* p) {
  return apiCall(
      "musaMemcpy3DPeer",
      [&]() -> musaError_t {
        MUSA_MEMCPY3D_PEER copy;
        MUSART_TRY(peerBox(p, copy));
        return fromDriver(muMemcpy3DPeer(&copy));
      },
      p);
}

musaError_t musaMemcpy3DPeerAsync(const struct musaMemcpy3DPeerParms* p, musaStream_t stream) {
  return apiCall(
      "musaMemcpy3DPeerAsync",
      [&]() -> musaError_t {
        MUSA_MEMCPY3D_PEER copy;
        MUSART_TRY(peerBox(p, copy));
        return fromDriver(muMemcpy3DPeerAsync(&copy, stream));
      },
      p, stream);
}

musaError_t musaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return apiCall(
      "musaMemset2D",
      [&] {
        return fromDriver(
            muMemsetD2D8(toDevicePtr(devPtr), pitch, static_cast<unsigned char>(value), width, height));
      },
      devPtr, pitch, value, width, height);
}

musaError_t musaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height,
                              musaStream_t stream) {
  return apiCall(
      "musaMemset2DAsync",
      [&] {
        return fromDriver(muMemsetD2D8Async(toDevicePtr(devPtr), pitch, static_cast<unsigned char>(value),
                                            width, height, stream));
      },
      devPtr, pitch, value, width, height, stream);
}

musaError_t musaMemset3D(struct musaPitchedPtr pitchedDevPtr, int value, struct musaExtent extent) {
  return apiCall(
      "musaMemset3D",
      [&] {
        return fillBox(pitchedDevPtr, extent, [&](MUdeviceptr slice) {
          return muMemsetD2D8(slice, pitchedDevPtr.pitch, static_cast<unsigned char>(value), extent.width,
                              extent.height);
        });
      },
      pitchedDevPtr.ptr, value);
}

musaError_t musaMemset3DAsync(struct musaPitchedPtr pitchedDevPtr, int value, struct musaExtent extent,
                              musaStream_t stream) {
  return apiCall(
      "musaMemset3DAsync",
      [&] {
        return fillBox(pitchedDevPtr, extent, [&](MUdeviceptr slice) {
          return muMemsetD2D8Async(slice, pitchedDevPtr.pitch, static_cast<unsigned char>(value),
                                   extent.width, extent.height, stream);
        });
      },
      pitchedDevPtr.ptr, value, stream);
}

}  // extern "C"
