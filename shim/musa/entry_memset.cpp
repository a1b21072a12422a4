// Fills. The twelve entries differ in element size, rows and stream only.
#include "musa/api_call.h"
#include "musa/copy.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

backend::Fill rows(MUdeviceptr dst, size_t pitch, uint32_t value, uint32_t elementBytes, size_t width,
                   size_t height) {
  return {.dst = toPointer(dst),
          .value = value,
          .elementBytes = elementBytes,
          .width = width,
          .height = height,
          .pitch = pitch};
}

Result fillNow(const backend::Fill& request) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  return fill(context->legacyStream(), request, true);
}

Result fillLater(const backend::Fill& request, MUstream hStream) {
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream));
  return fill(*stream, request, false);
}

}  // namespace

extern "C" {

MUresult muMemsetD8(MUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return apiCall("muMemsetD8", [&] { return fillNow(rows(dstDevice, 0, uc, 1, N, 1)); }, dstDevice, uc, N);
}

MUresult muMemsetD2D8(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return apiCall(
      "muMemsetD2D8", [&] { return fillNow(rows(dstDevice, dstPitch, uc, 1, Width, Height)); }, dstDevice,
      dstPitch, uc, Width, Height);
}

MUresult muMemsetD8Async(MUdeviceptr dstDevice, unsigned char uc, size_t N, MUstream hStream) {
  return apiCall(
      "muMemsetD8Async", [&] { return fillLater(rows(dstDevice, 0, uc, 1, N, 1), hStream); }, dstDevice, uc,
      N, hStream);
}

MUresult muMemsetD2D8Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                           size_t Height, MUstream hStream) {
  return apiCall(
      "muMemsetD2D8Async",
      [&] { return fillLater(rows(dstDevice, dstPitch, uc, 1, Width, Height), hStream); }, dstDevice,
      dstPitch, uc, Width, Height, hStream);
}

MUresult muMemsetD16(MUdeviceptr dstDevice, unsigned short us, size_t N) {
  return apiCall("muMemsetD16", [&] { return fillNow(rows(dstDevice, 0, us, 2, N, 1)); }, dstDevice, us, N);
}

MUresult muMemsetD2D16(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                       size_t Height) {
  return apiCall(
      "muMemsetD2D16", [&] { return fillNow(rows(dstDevice, dstPitch, us, 2, Width, Height)); }, dstDevice,
      dstPitch, us, Width, Height);
}

MUresult muMemsetD16Async(MUdeviceptr dstDevice, unsigned short us, size_t N, MUstream hStream) {
  return apiCall(
      "muMemsetD16Async", [&] { return fillLater(rows(dstDevice, 0, us, 2, N, 1), hStream); }, dstDevice, us,
      N, hStream);
}

MUresult muMemsetD2D16Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                            size_t Height, MUstream hStream) {
  return apiCall(
      "muMemsetD2D16Async",
      [&] { return fillLater(rows(dstDevice, dstPitch, us, 2, Width, Height), hStream); }, dstDevice,
      dstPitch, us, Width, Height, hStream);
}

MUresult muMemsetD32(MUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return apiCall("muMemsetD32", [&] { return fillNow(rows(dstDevice, 0, ui, 4, N, 1)); }, dstDevice, ui, N);
}

MUresult muMemsetD2D32(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return apiCall(
      "muMemsetD2D32", [&] { return fillNow(rows(dstDevice, dstPitch, ui, 4, Width, Height)); }, dstDevice,
      dstPitch, ui, Width, Height);
}

MUresult muMemsetD32Async(MUdeviceptr dstDevice, unsigned int ui, size_t N, MUstream hStream) {
  return apiCall(
      "muMemsetD32Async", [&] { return fillLater(rows(dstDevice, 0, ui, 4, N, 1), hStream); }, dstDevice, ui,
      N, hStream);
}

MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, MUstream hStream) {
  return apiCall(
      "muMemsetD2D32Async",
      [&] { return fillLater(rows(dstDevice, dstPitch, ui, 4, Width, Height), hStream); }, dstDevice,
      dstPitch, ui, Width, Height, hStream);
}

}  // extern "C"
