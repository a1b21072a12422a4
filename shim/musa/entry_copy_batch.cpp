// Many copies in one call.
#include <fmt/format.h>

#include "musa/api_call.h"
#include "musa/copy.h"

using namespace musashim::musa;

namespace {

Result checkAttributes(const MUmemcpyAttributes* attrs, const size_t* begins, size_t numAttrs, size_t count) {
  MUSA_REQUIRE(attrs && begins && numAttrs != 0 && numAttrs <= count, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} attributes for {} copies", numAttrs, count));
  for (size_t i = 0; i < numAttrs; ++i) {
    const size_t least = i == 0 ? 0 : begins[i - 1] + 1;
    MUSA_REQUIRE((i == 0 ? begins[0] == 0 : begins[i] >= least) && begins[i] < count,
                 MUSA_ERROR_INVALID_VALUE, "the attributes' beginnings do not ascend from 0");
    MUSA_REQUIRE(attrs[i].srcAccessOrder >= MU_MEMCPY_SRC_ACCESS_ORDER_STREAM &&
                     attrs[i].srcAccessOrder <= MU_MEMCPY_SRC_ACCESS_ORDER_ANY,
                 MUSA_ERROR_INVALID_VALUE, "unknown order of access");
  }
  return {};
}

CopyRequest plain(MUdeviceptr dst, MUdeviceptr src, size_t bytes) {
  return {.copy = {.dst = toPointer(dst), .src = toPointer(src), .width = bytes}};
}

}  // namespace

extern "C" MUresult muMemcpyBatchAsync(MUdeviceptr* dsts, MUdeviceptr* srcs, size_t* sizes, size_t count,
                                       MUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs,
                                       size_t* failIdx, MUstream hStream) {
  return apiCall(
      "muMemcpyBatchAsync",
      [&]() -> Result {
        if (failIdx) *failIdx = SIZE_MAX;
        MUSA_REQUIRE(dsts && srcs && sizes && count != 0, MUSA_ERROR_INVALID_VALUE,
                     "null pointer, or no copies");
        MUSA_REQUIRE(hStream && hStream != MU_STREAM_LEGACY, MUSA_ERROR_INVALID_VALUE,
                     "not in the legacy default stream");
        MUSA_TRY(checkAttributes(attrs, attrsIdxs, numAttrs, count));
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream));
        // All are looked at before the first is made.
        for (size_t i = 0; i < count; ++i) {
          if (Result result = checkCopy(plain(dsts[i], srcs[i], sizes[i])); !result.isOk() || sizes[i] == 0) {
            if (failIdx) *failIdx = i;
            return sizes[i] ? result : Result(MUSA_ERROR_INVALID_VALUE, "a copy of 0 bytes");
          }
        }
        for (size_t i = 0; i < count; ++i) {
          MUSA_TRY(copyAsynchronously(*stream, plain(dsts[i], srcs[i], sizes[i])));
        }
        return {};
      },
      dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, hStream);
}
