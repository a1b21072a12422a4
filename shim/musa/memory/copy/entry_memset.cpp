// Fills. The twelve entries differ in element size, rows and stream only.
#include "musa/api/api_call.h"
#include "musa/memory/copy/copy.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

// `height` rows of `width` elements, each a Value, `pitch` bytes apart.
template <class Value>
backend::Fill rows(MUdeviceptr dst, size_t pitch, Value value, size_t width, size_t height) {
  return {.dst = toPointer(dst),
          .value = value,
          .elementBytes = sizeof value,
          .width = width,
          .height = height,
          .pitch = pitch};
}

Result fillNow(const backend::Fill& request) {
  Stream* stream = nullptr;
  MUSA_TRY(findStream(nullptr, stream));
  return fill(*stream, request, true);
}

Result fillLater(const backend::Fill& request, MUstream hStream) {
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  return fill(*stream, request, false);
}

template <class Value>
MUresult memset1D(const char* name, MUdeviceptr dst, Value value, size_t count) {
  return apiCall(name, [&] { return fillNow(rows(dst, 0, value, count, 1)); }, dst, value, count);
}

template <class Value>
MUresult memset1D(const char* name, MUdeviceptr dst, Value value, size_t count, MUstream hStream) {
  return apiCall(
      name, [&] { return fillLater(rows(dst, 0, value, count, 1), hStream); }, dst, value, count, hStream);
}

template <class Value>
MUresult memset2D(const char* name, MUdeviceptr dst, size_t pitch, Value value, size_t width, size_t height) {
  return apiCall(
      name, [&] { return fillNow(rows(dst, pitch, value, width, height)); }, dst, pitch, value, width,
      height);
}

template <class Value>
MUresult memset2D(const char* name, MUdeviceptr dst, size_t pitch, Value value, size_t width, size_t height,
                  MUstream hStream) {
  return apiCall(
      name, [&] { return fillLater(rows(dst, pitch, value, width, height), hStream); }, dst, pitch, value,
      width, height, hStream);
}

}  // namespace

extern "C" {

MUresult muMemsetD8(MUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return memset1D("muMemsetD8", dstDevice, uc, N);
}

MUresult muMemsetD8Async(MUdeviceptr dstDevice, unsigned char uc, size_t N, MUstream hStream) {
  return memset1D("muMemsetD8Async", dstDevice, uc, N, hStream);
}

MUresult muMemsetD2D8(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return memset2D("muMemsetD2D8", dstDevice, dstPitch, uc, Width, Height);
}

MUresult muMemsetD2D8Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                           size_t Height, MUstream hStream) {
  return memset2D("muMemsetD2D8Async", dstDevice, dstPitch, uc, Width, Height, hStream);
}

MUresult muMemsetD16(MUdeviceptr dstDevice, unsigned short us, size_t N) {
  return memset1D("muMemsetD16", dstDevice, us, N);
}

MUresult muMemsetD16Async(MUdeviceptr dstDevice, unsigned short us, size_t N, MUstream hStream) {
  return memset1D("muMemsetD16Async", dstDevice, us, N, hStream);
}

MUresult muMemsetD2D16(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                       size_t Height) {
  return memset2D("muMemsetD2D16", dstDevice, dstPitch, us, Width, Height);
}

MUresult muMemsetD2D16Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                            size_t Height, MUstream hStream) {
  return memset2D("muMemsetD2D16Async", dstDevice, dstPitch, us, Width, Height, hStream);
}

MUresult muMemsetD32(MUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return memset1D("muMemsetD32", dstDevice, ui, N);
}

MUresult muMemsetD32Async(MUdeviceptr dstDevice, unsigned int ui, size_t N, MUstream hStream) {
  return memset1D("muMemsetD32Async", dstDevice, ui, N, hStream);
}

MUresult muMemsetD2D32(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return memset2D("muMemsetD2D32", dstDevice, dstPitch, ui, Width, Height);
}

MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, MUstream hStream) {
  return memset2D("muMemsetD2D32Async", dstDevice, dstPitch, ui, Width, Height, hStream);
}

}  // extern "C"
