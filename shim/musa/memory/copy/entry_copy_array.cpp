// Copies of rows of arrays.
#include <fmt/format.h>

#include "musa/memory/array/image.h"
#include "musa/memory/copy/copy_call.h"

using namespace musashim::musa;

namespace {

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

}  // extern "C"
