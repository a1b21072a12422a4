// Many copies in one call.
#include <fmt/format.h>

#include <vector>

#include "musa/api/api_call.h"
#include "musa/memory/array/image.h"
#include "musa/memory/copy/copy.h"
#include "musa/memory/extent.h"

using namespace musashim::musa;

namespace {

Result checkOrder(MUmemcpySrcAccessOrder order) {
  MUSA_REQUIRE(order >= MU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= MU_MEMCPY_SRC_ACCESS_ORDER_ANY,
               MUSA_ERROR_INVALID_VALUE, "unknown order of access");
  return {};
}

Result checkAttributes(const MUmemcpyAttributes* attrs, const size_t* begins, size_t numAttrs, size_t count) {
  MUSA_REQUIRE(attrs && begins && numAttrs != 0 && numAttrs <= count, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} attributes for {} copies", numAttrs, count));
  for (size_t i = 0; i < numAttrs; ++i) {
    const size_t least = i == 0 ? 0 : begins[i - 1] + 1;
    MUSA_REQUIRE((i == 0 ? begins[0] == 0 : begins[i] >= least) && begins[i] < count,
                 MUSA_ERROR_INVALID_VALUE, "the attributes' beginnings do not ascend from 0");
    MUSA_TRY(checkOrder(attrs[i].srcAccessOrder));
  }
  return {};
}

CopyRequest plain(MUdeviceptr dst, MUdeviceptr src, size_t bytes) {
  return {.copy = {.dst = toPointer(dst), .src = toPointer(src), .width = bytes}};
}

ReadSource whenOf(MUmemcpySrcAccessOrder order) {
  return order == MU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL ? ReadSource::kNow : ReadSource::kInTurn;
}

// The bytes of an element: arrays count in theirs, memory in those of the array on the other side.
Result elementBytes(const MUmemcpy3DOperand& operand, size_t& bytes) {
  if (operand.type != MU_MEMCPY_OPERAND_TYPE_ARRAY) return {};
  const Array* array = driver().arrays.get(operand.op.array.array);
  MUSA_REQUIRE(array, MUSA_ERROR_INVALID_VALUE, "no such array");
  MUSA_REQUIRE(bytes == 0 || bytes == array->format.bytes, MUSA_ERROR_INVALID_VALUE,
               "arrays of different elements");
  bytes = array->format.bytes;
  return {};
}

struct BoxSide {
  MUmemorytype type = MU_MEMORYTYPE_UNIFIED;
  MUdeviceptr pointer = 0;
  MUarray array = nullptr;
  size_t x = 0, y = 0, z = 0, pitch = 0, height = 0;
};

Result boxSide(const MUmemcpy3DOperand& operand, const MUextent3D& extent, size_t element, BoxSide& side) {
  if (operand.type == MU_MEMCPY_OPERAND_TYPE_ARRAY) {
    const MUoffset3D& offset = operand.op.array.offset;
    side = {.type = MU_MEMORYTYPE_ARRAY,
            .array = operand.op.array.array,
            .x = multiplySaturated(offset.x, element),
            .y = offset.y,
            .z = offset.z};
    return {};
  }
  MUSA_REQUIRE(operand.type == MU_MEMCPY_OPERAND_TYPE_POINTER, MUSA_ERROR_INVALID_VALUE,
               "neither memory nor an array");
  const auto& memory = operand.op.ptr;
  MUSA_REQUIRE((memory.rowLength == 0 || memory.rowLength >= extent.width) &&
                   (memory.layerHeight == 0 || memory.layerHeight >= extent.height),
               MUSA_ERROR_INVALID_VALUE, "rows or layers are smaller than the copy");
  side = {.pointer = memory.ptr,
          .pitch = multiplySaturated(memory.rowLength ? memory.rowLength : extent.width, element),
          .height = memory.layerHeight ? memory.layerHeight : extent.height};
  return {};
}

Result boxRequest(const MUSA_MEMCPY3D_BATCH_OP& op, CopyRequest& request) {
  MUSA_TRY(checkOrder(op.srcAccessOrder));
  MUSA_REQUIRE(op.extent.width != 0 && op.extent.height != 0 && op.extent.depth != 0,
               MUSA_ERROR_INVALID_VALUE, "a copy of nothing");
  size_t element = 0;
  MUSA_TRY(elementBytes(op.src, element));
  MUSA_TRY(elementBytes(op.dst, element));
  if (element == 0) element = 1;
  BoxSide src, dst;
  MUSA_TRY(boxSide(op.src, op.extent, element, src));
  MUSA_TRY(boxSide(op.dst, op.extent, element, dst));
  MUSA_MEMCPY3D box = {};
  box.srcMemoryType = src.type;
  box.srcDevice = src.pointer;
  box.srcArray = src.array;
  box.srcXInBytes = src.x;
  box.srcY = src.y;
  box.srcZ = src.z;
  box.srcPitch = src.pitch;
  box.srcHeight = src.height;
  box.dstMemoryType = dst.type;
  box.dstDevice = dst.pointer;
  box.dstArray = dst.array;
  box.dstXInBytes = dst.x;
  box.dstY = dst.y;
  box.dstZ = dst.z;
  box.dstPitch = dst.pitch;
  box.dstHeight = dst.height;
  box.WidthInBytes = multiplySaturated(op.extent.width, element);
  box.Height = op.extent.height;
  box.Depth = op.extent.depth;
  MUSA_TRY(copyRequest(&box, request));
  return checkCopy(request);
}

}  // namespace

extern "C" MUresult muMemcpy3DBatchAsync(size_t numOps, MUSA_MEMCPY3D_BATCH_OP* opList, size_t* failIdx,
                                         unsigned long long flags, MUstream hStream) {
  return apiCall(
      "muMemcpy3DBatchAsync",
      [&]() -> Result {
        if (failIdx) *failIdx = SIZE_MAX;
        MUSA_REQUIRE(opList && numOps != 0 && flags == 0, MUSA_ERROR_INVALID_VALUE,
                     "no copies, or unknown flags");
        Stream* stream = nullptr;
        MUSA_TRY(findStreamOfBatch(hStream, stream));
        // All are looked at before the first is made.
        std::vector<CopyRequest> requests(numOps);
        for (size_t i = 0; i < numOps; ++i) {
          if (Result result = boxRequest(opList[i], requests[i]); !result.isOk()) {
            if (failIdx) *failIdx = i;
            return result;
          }
        }
        for (size_t i = 0; i < numOps; ++i)
          MUSA_TRY(copyAsynchronously(*stream, requests[i], whenOf(opList[i].srcAccessOrder)));
        return {};
      },
      numOps, opList, failIdx, flags, hStream);
}

extern "C" MUresult muMemcpyBatchAsync(MUdeviceptr* dsts, MUdeviceptr* srcs, size_t* sizes, size_t count,
                                       MUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs,
                                       size_t* failIdx, MUstream hStream) {
  return apiCall(
      "muMemcpyBatchAsync",
      [&]() -> Result {
        if (failIdx) *failIdx = SIZE_MAX;
        MUSA_REQUIRE(dsts && srcs && sizes && count != 0, MUSA_ERROR_INVALID_VALUE,
                     "null pointer, or no copies");
        MUSA_TRY(checkAttributes(attrs, attrsIdxs, numAttrs, count));
        Stream* stream = nullptr;
        MUSA_TRY(findStreamOfBatch(hStream, stream));
        // All are looked at before the first is made.
        for (size_t i = 0; i < count; ++i) {
          if (Result result = checkCopy(plain(dsts[i], srcs[i], sizes[i])); !result.isOk() || sizes[i] == 0) {
            if (failIdx) *failIdx = i;
            return sizes[i] ? result : Result(MUSA_ERROR_INVALID_VALUE, "a copy of 0 bytes");
          }
        }
        for (size_t i = 0, of = 0; i < count; ++i) {
          while (of + 1 < numAttrs && attrsIdxs[of + 1] <= i) ++of;
          MUSA_TRY(copyAsynchronously(*stream, plain(dsts[i], srcs[i], sizes[i]),
                                      whenOf(attrs[of].srcAccessOrder)));
        }
        return {};
      },
      dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, hStream);
}
