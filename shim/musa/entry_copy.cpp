// Copies: plain, between contexts, two- and three-dimensional.
#include "musa/api_call.h"
#include "musa/copy.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

CopyRequest linear(void* dst, const void* src, size_t bytes, Side dstSide, Side srcSide) {
  return {.copy = {.dst = dst, .src = src, .width = bytes}, .dst = dstSide, .src = srcSide};
}

Result copyNow(const CopyRequest& request) {
  Context* context = nullptr;
  Stream* stream = nullptr;
  MUSA_TRY(currentContext(context));
  MUSA_TRY(findStream(nullptr, stream));
  return copySynchronously(*context, request);
}

Result copyLater(const CopyRequest& request, MUstream hStream) {
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  return copyAsynchronously(*stream, request);
}

// One side of the structs of 2D and 3D copies, as an address.
Result sideAddress(MUmemorytype type, const void* host, MUdeviceptr device, const char*& address,
                   Side& side) {
  switch (type) {
    case MU_MEMORYTYPE_HOST:
      address = static_cast<const char*>(host);
      side = Side::kAny;
      return {};
    case MU_MEMORYTYPE_DEVICE:
      address = static_cast<const char*>(toPointer(device));
      side = Side::kDevice;
      return {};
    case MU_MEMORYTYPE_UNIFIED:
      address = static_cast<const char*>(toPointer(device));
      side = Side::kAny;
      return {};
    case MU_MEMORYTYPE_ARRAY:
      return {MUSA_ERROR_NOT_SUPPORTED, "arrays"};
  }
  return {MUSA_ERROR_INVALID_VALUE, "unknown memory type"};
}

// The 3D struct and the one for peers differ in their context members only.
template <class Params>
Result request3D(const Params* p, CopyRequest& request) {
  MUSA_REQUIRE(p, MUSA_ERROR_INVALID_VALUE, "null pointer");
  const char *src = nullptr, *dst = nullptr;
  MUSA_TRY(sideAddress(p->srcMemoryType, p->srcHost, p->srcDevice, src, request.src));
  MUSA_TRY(sideAddress(p->dstMemoryType, p->dstHost, p->dstDevice, dst, request.dst));
  // 0 means "as narrow as the copy", as in CUDA.
  size_t srcPitch = p->srcPitch ? p->srcPitch : p->WidthInBytes;
  size_t dstPitch = p->dstPitch ? p->dstPitch : p->WidthInBytes;
  size_t srcSlice = srcPitch * (p->srcHeight ? p->srcHeight : p->Height);
  size_t dstSlice = dstPitch * (p->dstHeight ? p->dstHeight : p->Height);
  MUSA_REQUIRE(srcPitch >= p->srcXInBytes + p->WidthInBytes && dstPitch >= p->dstXInBytes + p->WidthInBytes,
               MUSA_ERROR_INVALID_VALUE, "a pitch is smaller than a row");
  request.copy = {.dst = const_cast<char*>(dst) + p->dstZ * dstSlice + p->dstY * dstPitch + p->dstXInBytes,
                  .src = src + p->srcZ * srcSlice + p->srcY * srcPitch + p->srcXInBytes,
                  .width = p->WidthInBytes,
                  .height = p->Height,
                  .depth = p->Depth,
                  .dstPitch = dstPitch,
                  .dstSlice = dstSlice,
                  .srcPitch = srcPitch,
                  .srcSlice = srcSlice};
  return {};
}

Result request2D(const MUSA_MEMCPY2D* p, CopyRequest& request) {
  MUSA_REQUIRE(p, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_MEMCPY3D flat = {};
  flat.srcXInBytes = p->srcXInBytes;
  flat.srcY = p->srcY;
  flat.srcMemoryType = p->srcMemoryType;
  flat.srcHost = p->srcHost;
  flat.srcDevice = p->srcDevice;
  flat.srcPitch = p->srcPitch;
  flat.dstXInBytes = p->dstXInBytes;
  flat.dstY = p->dstY;
  flat.dstMemoryType = p->dstMemoryType;
  flat.dstHost = p->dstHost;
  flat.dstDevice = p->dstDevice;
  flat.dstPitch = p->dstPitch;
  flat.WidthInBytes = p->WidthInBytes;
  flat.Height = p->Height;
  flat.Depth = 1;
  return request3D(&flat, request);
}

}  // namespace

Result musashim::musa::copyRequest(const MUSA_MEMCPY3D* params, CopyRequest& request) {
  return request3D(params, request);
}

extern "C" {

MUresult muMemcpy(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount) {
  return apiCall(
      "muMemcpy",
      [&] { return copyNow(linear(toPointer(dst), toPointer(src), ByteCount, Side::kAny, Side::kAny)); }, dst,
      src, ByteCount);
}

MUresult muMemcpyAsync(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount, MUstream hStream) {
  return apiCall(
      "muMemcpyAsync",
      [&] {
        return copyLater(linear(toPointer(dst), toPointer(src), ByteCount, Side::kAny, Side::kAny), hStream);
      },
      dst, src, ByteCount, hStream);
}

MUresult muMemcpyHtoD(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return apiCall(
      "muMemcpyHtoD",
      [&] { return copyNow(linear(toPointer(dstDevice), srcHost, ByteCount, Side::kDevice, Side::kAny)); },
      dstDevice, srcHost, ByteCount);
}

MUresult muMemcpyDtoH(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount) {
  return apiCall(
      "muMemcpyDtoH",
      [&] { return copyNow(linear(dstHost, toPointer(srcDevice), ByteCount, Side::kAny, Side::kDevice)); },
      dstHost, srcDevice, ByteCount);
}

MUresult muMemcpyDtoD(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount) {
  return apiCall(
      "muMemcpyDtoD",
      [&] {
        return copyNow(
            linear(toPointer(dstDevice), toPointer(srcDevice), ByteCount, Side::kDevice, Side::kDevice));
      },
      dstDevice, srcDevice, ByteCount);
}

MUresult muMemcpyHtoDAsync(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, MUstream hStream) {
  return apiCall(
      "muMemcpyHtoDAsync",
      [&] {
        return copyLater(linear(toPointer(dstDevice), srcHost, ByteCount, Side::kDevice, Side::kAny),
                         hStream);
      },
      dstDevice, srcHost, ByteCount, hStream);
}

MUresult muMemcpyDtoHAsync(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount, MUstream hStream) {
  return apiCall(
      "muMemcpyDtoHAsync",
      [&] {
        return copyLater(linear(dstHost, toPointer(srcDevice), ByteCount, Side::kAny, Side::kDevice),
                         hStream);
      },
      dstHost, srcDevice, ByteCount, hStream);
}

MUresult muMemcpyDtoDAsync(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount, MUstream hStream) {
  return apiCall(
      "muMemcpyDtoDAsync",
      [&] {
        return copyLater(
            linear(toPointer(dstDevice), toPointer(srcDevice), ByteCount, Side::kDevice, Side::kDevice),
            hStream);
      },
      dstDevice, srcDevice, ByteCount, hStream);
}

MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
                      MUcontext srcContext, size_t ByteCount) {
  return apiCall(
      "muMemcpyPeer",
      [&]() -> Result {
        Context *current = nullptr, *dst = nullptr, *src = nullptr;
        MUSA_TRY(currentContext(current));
        MUSA_TRY(findContext(dstContext, dst));
        MUSA_TRY(findContext(srcContext, src));
        return copyBetweenContexts(
            *current, *dst, *src,
            linear(toPointer(dstDevice), toPointer(srcDevice), ByteCount, Side::kDevice, Side::kDevice));
      },
      dstDevice, dstContext, srcDevice, srcContext, ByteCount);
}

MUresult muMemcpyPeerAsync(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
                           MUcontext srcContext, size_t ByteCount, MUstream hStream) {
  return apiCall(
      "muMemcpyPeerAsync",
      [&]() -> Result {
        Context *dst = nullptr, *src = nullptr;
        MUSA_TRY(findContext(dstContext, dst));
        MUSA_TRY(findContext(srcContext, src));
        return copyLater(
            linear(toPointer(dstDevice), toPointer(srcDevice), ByteCount, Side::kDevice, Side::kDevice),
            hStream);
      },
      dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream);
}

MUresult muMemcpy2D(const MUSA_MEMCPY2D* pCopy) {
  return apiCall(
      "muMemcpy2D",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(request2D(pCopy, request));
        return copyNow(request);
      },
      pCopy);
}

MUresult muMemcpy2DUnaligned(const MUSA_MEMCPY2D* pCopy) { return muMemcpy2D(pCopy); }

MUresult muMemcpy2DAsync(const MUSA_MEMCPY2D* pCopy, MUstream hStream) {
  return apiCall(
      "muMemcpy2DAsync",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(request2D(pCopy, request));
        return copyLater(request, hStream);
      },
      pCopy, hStream);
}

MUresult muMemcpy3D(const MUSA_MEMCPY3D* pCopy) {
  return apiCall(
      "muMemcpy3D",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(request3D(pCopy, request));
        return copyNow(request);
      },
      pCopy);
}

MUresult muMemcpy3DAsync(const MUSA_MEMCPY3D* pCopy, MUstream hStream) {
  return apiCall(
      "muMemcpy3DAsync",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(request3D(pCopy, request));
        return copyLater(request, hStream);
      },
      pCopy, hStream);
}

MUresult muMemcpy3DPeer(const MUSA_MEMCPY3D_PEER* pCopy) {
  return apiCall(
      "muMemcpy3DPeer",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(request3D(pCopy, request));
        Context *current = nullptr, *dst = nullptr, *src = nullptr;
        MUSA_TRY(currentContext(current));
        MUSA_TRY(findContext(pCopy->dstContext, dst));
        MUSA_TRY(findContext(pCopy->srcContext, src));
        return copyBetweenContexts(*current, *dst, *src, request);
      },
      pCopy);
}

MUresult muMemcpy3DPeerAsync(const MUSA_MEMCPY3D_PEER* pCopy, MUstream hStream) {
  return apiCall(
      "muMemcpy3DPeerAsync",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(request3D(pCopy, request));
        return copyLater(request, hStream);
      },
      pCopy, hStream);
}

}  // extern "C"
