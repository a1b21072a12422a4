// Plain copies, also between contexts.
#include "musa/memory/copy/copy_call.h"

using namespace musashim::musa;

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

}  // extern "C"
