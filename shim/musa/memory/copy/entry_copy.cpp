// Copies: plain, between contexts, two- and three-dimensional.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/memory/array/image.h"
#include "musa/memory/copy/copy.h"
#include "musa/memory/extent.h"

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

// One side of the structs of 2D and 3D copies: as the struct has it, then as memory.
struct BoxSide {
  MUmemorytype type;
  const void* host;
  MUdeviceptr device;
  MUarray array;
  size_t x, y, z;        // bytes, rows, slices
  size_t pitch, height;  // bytes, rows of a slice; 0: as narrow as the copy
};

struct BoxMemory {
  char* start = nullptr;
  size_t pitch = 0, slice = 0;  // bytes
  Side side = Side::kAny;
};

Result arrayMemory(const BoxSide& box, size_t width, size_t height, size_t depth, BoxMemory& memory) {
  const Array* array = driver().arrays.get(box.array);
  MUSA_REQUIRE(array, MUSA_ERROR_INVALID_HANDLE, fmt::format("no array {}", fmt::ptr(box.array)));
  const MusaImageLevel& image = array->image;
  auto fits = [](size_t at, size_t count, size_t all) { return at <= all && count <= all - at; };
  MUSA_REQUIRE(fits(box.x, width, array->rowBytes()) && fits(box.y, height, image.height) &&
                   fits(box.z, depth, image.depth),
               MUSA_ERROR_INVALID_VALUE, "the copy leaves the array");
  memory = {image.base + box.z * image.slice_bytes + box.y * image.row_bytes + box.x, image.row_bytes,
            image.slice_bytes, Side::kDevice};
  return {};
}

Result boxMemory(const BoxSide& box, size_t width, size_t height, size_t depth, BoxMemory& memory) {
  const void* start = box.type == MU_MEMORYTYPE_HOST ? box.host : toPointer(box.device);
  switch (box.type) {
    case MU_MEMORYTYPE_ARRAY:
      return arrayMemory(box, width, height, depth, memory);
    case MU_MEMORYTYPE_HOST:
    case MU_MEMORYTYPE_UNIFIED:
      break;
    case MU_MEMORYTYPE_DEVICE:
      memory.side = Side::kDevice;
      break;
    default:
      return {MUSA_ERROR_INVALID_VALUE, "unknown memory type"};
  }
  const bool empty = width == 0 || height == 0 || depth == 0;
  MUSA_REQUIRE(start || empty, MUSA_ERROR_INVALID_VALUE, "a side has no memory");
  // 0 means "as narrow as the copy", as in CUDA.
  memory.pitch = box.pitch ? box.pitch : width;
  memory.slice = multiplySaturated(memory.pitch, box.height ? box.height : height);
  MUSA_REQUIRE(memory.pitch >= addSaturated(box.x, width), MUSA_ERROR_INVALID_VALUE,
               "a pitch is smaller than a row");
  MUSA_REQUIRE(box.height == 0 || depth <= 1 || addSaturated(box.y, height) <= box.height,
               MUSA_ERROR_INVALID_VALUE, "slices are lower than what is copied of them");
  const size_t offset = addSaturated(
      addSaturated(multiplySaturated(box.z, memory.slice), multiplySaturated(box.y, memory.pitch)), box.x);
  MUSA_REQUIRE(offset <= UINTPTR_MAX - reinterpret_cast<uintptr_t>(start), MUSA_ERROR_INVALID_VALUE,
               "the copy begins beyond the address space");
  memory.start = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(start) + offset);
  return {};
}

// The 3D struct and the one for peers differ in their context members only.
template <class Params>
Result request3D(const Params* p, CopyRequest& request) {
  MUSA_REQUIRE(p, MUSA_ERROR_INVALID_VALUE, "null pointer");
  BoxMemory src, dst;
  MUSA_TRY(boxMemory({p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcXInBytes, p->srcY,
                      p->srcZ, p->srcPitch, p->srcHeight},
                     p->WidthInBytes, p->Height, p->Depth, src));
  MUSA_TRY(boxMemory({p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes, p->dstY,
                      p->dstZ, p->dstPitch, p->dstHeight},
                     p->WidthInBytes, p->Height, p->Depth, dst));
  request.src = src.side;
  request.dst = dst.side;
  request.copy = {.dst = dst.start,
                  .src = src.start,
                  .width = p->WidthInBytes,
                  .height = p->Height,
                  .depth = p->Depth,
                  .dstPitch = dst.pitch,
                  .dstSlice = dst.slice,
                  .srcPitch = src.pitch,
                  .srcSlice = src.slice};
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
  flat.srcArray = p->srcArray;
  flat.srcPitch = p->srcPitch;
  flat.dstXInBytes = p->dstXInBytes;
  flat.dstY = p->dstY;
  flat.dstMemoryType = p->dstMemoryType;
  flat.dstHost = p->dstHost;
  flat.dstDevice = p->dstDevice;
  flat.dstArray = p->dstArray;
  flat.dstPitch = p->dstPitch;
  flat.WidthInBytes = p->WidthInBytes;
  flat.Height = p->Height;
  flat.Depth = 1;
  return request3D(&flat, request);
}

// A row of bytes of an array, from `offset` on.
Result arrayRow(MUarray handle, size_t offset, size_t bytes, void*& start) {
  const Array* array = driver().arrays.get(handle);
  MUSA_REQUIRE(array, MUSA_ERROR_INVALID_HANDLE, fmt::format("no array {}", fmt::ptr(handle)));
  MUSA_REQUIRE(offset <= array->rowBytes() && bytes <= array->rowBytes() - offset, MUSA_ERROR_INVALID_VALUE,
               "the copy leaves the array's row");
  start = array->image.base + offset;
  return {};
}

}  // namespace

Result musashim::musa::copyRequest(const MUSA_MEMCPY3D* params, CopyRequest& request) {
  return request3D(params, request);
}

extern "C" {

MUresult muMemcpyHtoA(MUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount) {
  return apiCall(
      "muMemcpyHtoA",
      [&]() -> Result {
        void* dst = nullptr;
        MUSA_TRY(arrayRow(dstArray, dstOffset, ByteCount, dst));
        return copyNow(linear(dst, srcHost, ByteCount, Side::kDevice, Side::kAny));
      },
      dstArray, dstOffset, srcHost, ByteCount);
}

MUresult muMemcpyHtoAAsync(MUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount,
                           MUstream hStream) {
  return apiCall(
      "muMemcpyHtoAAsync",
      [&]() -> Result {
        void* dst = nullptr;
        MUSA_TRY(arrayRow(dstArray, dstOffset, ByteCount, dst));
        return copyLater(linear(dst, srcHost, ByteCount, Side::kDevice, Side::kAny), hStream);
      },
      dstArray, dstOffset, srcHost, ByteCount, hStream);
}

MUresult muMemcpyAtoH(void* dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return apiCall(
      "muMemcpyAtoH",
      [&]() -> Result {
        void* src = nullptr;
        MUSA_TRY(arrayRow(srcArray, srcOffset, ByteCount, src));
        return copyNow(linear(dstHost, src, ByteCount, Side::kAny, Side::kDevice));
      },
      dstHost, srcArray, srcOffset, ByteCount);
}

MUresult muMemcpyAtoHAsync(void* dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount,
                           MUstream hStream) {
  return apiCall(
      "muMemcpyAtoHAsync",
      [&]() -> Result {
        void* src = nullptr;
        MUSA_TRY(arrayRow(srcArray, srcOffset, ByteCount, src));
        return copyLater(linear(dstHost, src, ByteCount, Side::kAny, Side::kDevice), hStream);
      },
      dstHost, srcArray, srcOffset, ByteCount, hStream);
}

MUresult muMemcpyDtoA(MUarray dstArray, size_t dstOffset, MUdeviceptr srcDevice, size_t ByteCount) {
  return apiCall(
      "muMemcpyDtoA",
      [&]() -> Result {
        void* dst = nullptr;
        MUSA_TRY(arrayRow(dstArray, dstOffset, ByteCount, dst));
        return copyNow(linear(dst, toPointer(srcDevice), ByteCount, Side::kDevice, Side::kDevice));
      },
      dstArray, dstOffset, srcDevice, ByteCount);
}

MUresult muMemcpyAtoD(MUdeviceptr dstDevice, MUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return apiCall(
      "muMemcpyAtoD",
      [&]() -> Result {
        void* src = nullptr;
        MUSA_TRY(arrayRow(srcArray, srcOffset, ByteCount, src));
        return copyNow(linear(toPointer(dstDevice), src, ByteCount, Side::kDevice, Side::kDevice));
      },
      dstDevice, srcArray, srcOffset, ByteCount);
}

MUresult muMemcpyAtoA(MUarray dstArray, size_t dstOffset, MUarray srcArray, size_t srcOffset,
                      size_t ByteCount) {
  return apiCall(
      "muMemcpyAtoA",
      [&]() -> Result {
        void *dst = nullptr, *src = nullptr;
        MUSA_TRY(arrayRow(dstArray, dstOffset, ByteCount, dst));
        MUSA_TRY(arrayRow(srcArray, srcOffset, ByteCount, src));
        return copyNow(linear(dst, src, ByteCount, Side::kDevice, Side::kDevice));
      },
      dstArray, dstOffset, srcArray, srcOffset, ByteCount);
}

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
