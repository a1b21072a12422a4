// The structs of two- and three-dimensional copies as requests: where their sides are, and whether they fit.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/memory/array/image.h"
#include "musa/memory/copy/copy.h"
#include "musa/memory/extent.h"

namespace musashim::musa {
namespace {

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

}  // namespace

Result copyRequest(const MUSA_MEMCPY3D* params, CopyRequest& request) { return request3D(params, request); }

Result copyRequest(const MUSA_MEMCPY3D_PEER* params, CopyRequest& request) {
  return request3D(params, request);
}

Result copyRequest(const MUSA_MEMCPY2D* p, CopyRequest& request) {
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

}  // namespace musashim::musa
