// links: driver
// The driver's copies and fills: rectangles, boxes, arrays, and their arguments.
#include <string.h>

#include <vector>

#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("memory.driver_copies");

static std::vector<unsigned char> bytesAt(CUdeviceptr address, size_t count) {
  std::vector<unsigned char> seen(count);
  SETUP(cuMemcpyDtoH(seen.data(), address, count));
  return seen;
}

int main() {
  useFirstDevice();
  CUdeviceptr device = 0;
  SETUP(cuMemAlloc(&device, 4096));
  SETUP(cuMemsetD8(device, 0, 4096));

  // Fills.
  OBSERVE("d16", cuMemsetD16(device, 0x1234, 100));
  OBSERVE("d16_odd_address", cuMemsetD16(device + 1, 0x1234, 10));
  OBSERVE("d32", cuMemsetD32(device + 400, 0x12345678, 100));
  OBSERVE("d32_half_address", cuMemsetD32(device + 402, 0x12345678, 10));
  OBSERVE("d2d8", cuMemsetD2D8(device + 1024, 32, 0x55, 20, 4));
  OBSERVE("d2d16", cuMemsetD2D16(device + 1280, 32, 0x5566, 10, 4));
  OBSERVE("d2d32", cuMemsetD2D32(device + 1536, 32, 0x55667788, 5, 4));
  OBSERVE("d2d32_odd_pitch", cuMemsetD2D32(device + 1536, 30, 0x55667788, 5, 4));
  OBSERVE("d2d8_pitch_too_small", cuMemsetD2D8(device + 1024, 10, 0x55, 20, 4));
  OBSERVE("d2d8_pitch_too_small_one_row", cuMemsetD2D8(device + 1024, 10, 0x55, 20, 1));
  OBSERVE("d2d8_past", cuMemsetD2D8(device + 1024, 1024, 0x55, 20, 4));
  OBSERVE("d8_past", cuMemsetD8(device + 4000, 1, 97));
  OBSERVE("d8_none", cuMemsetD8(device, 1, 0));
  OBSERVE("d8_zero_address", cuMemsetD8(0, 1, 1));
  OBSERVE("fills", checksum(bytesAt(device, 2048).data(), 2048));

  // Rectangles.
  std::vector<unsigned char> host(16 * 8);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i);
  CUDA_MEMCPY2D up = {};
  up.srcMemoryType = CU_MEMORYTYPE_HOST;
  up.srcHost = host.data();
  up.srcPitch = 16;
  up.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  up.dstDevice = device;
  up.dstPitch = 64;
  up.WidthInBytes = 16;
  up.Height = 8;
  OBSERVE("rectangle", cuMemcpy2D(&up));
  OBSERVE("rectangle_unaligned", cuMemcpy2DUnaligned(&up));
  OBSERVE("rectangle_values", checksum(bytesAt(device, 512).data(), 512));
  CUDA_MEMCPY2D bad = up;
  bad.srcPitch = 0;
  OBSERVE("rectangle_source_pitch_0", cuMemcpy2D(&bad));
  bad = up;
  bad.dstPitch = 8;
  OBSERVE("rectangle_pitch_too_small", cuMemcpy2D(&bad));
  bad = up;
  bad.dstXInBytes = 56;
  OBSERVE("rectangle_over_pitch", cuMemcpy2D(&bad));
  bad = up;
  bad.WidthInBytes = 0;
  OBSERVE("rectangle_no_width", cuMemcpy2D(&bad));
  bad = up;
  bad.srcHost = nullptr;
  OBSERVE("rectangle_null_host", cuMemcpy2D(&bad));
  bad = up;
  bad.dstMemoryType = static_cast<CUmemorytype>(9);
  OBSERVE("rectangle_type_unknown", cuMemcpy2D(&bad));
  bad = up;
  bad.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  OBSERVE("rectangle_unified", cuMemcpy2D(&bad));
  bad = up;
  bad.dstY = 1000;
  OBSERVE("rectangle_past", cuMemcpy2D(&bad));
  OBSERVE("rectangle_null", cuMemcpy2D(nullptr));
  OBSERVE("rectangle_async", cuMemcpy2DAsync(&up, nullptr));

  // Boxes.
  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = host.data();
  box.srcPitch = 16;
  box.srcHeight = 2;
  box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.dstDevice = device + 2048;
  box.dstPitch = 32;
  box.dstHeight = 4;
  box.dstXInBytes = 3;
  box.dstY = 1;
  box.dstZ = 1;
  box.WidthInBytes = 10;
  box.Height = 2;
  box.Depth = 3;
  OBSERVE("box", cuMemcpy3D(&box));
  OBSERVE("box_values", checksum(bytesAt(device + 2048, 1024).data(), 1024));
  CUDA_MEMCPY3D wrong = box;
  wrong.srcHeight = 1;
  OBSERVE("box_source_height_too_small", cuMemcpy3D(&wrong));
  wrong = box;
  wrong.dstHeight = 2;
  OBSERVE("box_rows_over_height", cuMemcpy3D(&wrong));
  wrong = box;
  wrong.srcHeight = 0;
  OBSERVE("box_source_height_0", cuMemcpy3D(&wrong));
  wrong = box;
  wrong.srcLOD = 1;
  OBSERVE("box_level_1", cuMemcpy3D(&wrong));
  wrong = box;
  wrong.Depth = 0;
  OBSERVE("box_no_depth", cuMemcpy3D(&wrong));
  wrong = box;
  wrong.Depth = 100;
  OBSERVE("box_past", cuMemcpy3D(&wrong));

  // Arrays.
  CUDA_ARRAY_DESCRIPTOR flat = {16, 8, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray array = nullptr, solid = nullptr;
  OBSERVE("array", cuArrayCreate(&array, &flat));
  CUDA_ARRAY_DESCRIPTOR foundFlat = {};
  OBSERVE("array_descriptor", cuArrayGetDescriptor(&foundFlat, array));
  OBSERVE("array_descriptor_values",
          std::to_string(foundFlat.Width) + "x" + std::to_string(foundFlat.Height) + " format " +
              std::to_string(foundFlat.Format) + " channels " + std::to_string(foundFlat.NumChannels));
  CUDA_ARRAY3D_DESCRIPTOR deep = {8, 4, 3, CU_AD_FORMAT_FLOAT, 2, CUDA_ARRAY3D_LAYERED};
  OBSERVE("array3d", cuArray3DCreate(&solid, &deep));
  CUDA_ARRAY3D_DESCRIPTOR foundDeep = {};
  OBSERVE("array3d_descriptor", cuArray3DGetDescriptor(&foundDeep, solid));
  OBSERVE("array3d_descriptor_values",
          std::to_string(foundDeep.Width) + "x" + std::to_string(foundDeep.Height) + "x" +
              std::to_string(foundDeep.Depth) + " format " + std::to_string(foundDeep.Format) + " channels " +
              std::to_string(foundDeep.NumChannels) + " flags " + std::to_string(foundDeep.Flags));
  OBSERVE("array3d_as_flat", cuArrayGetDescriptor(&foundFlat, solid));
  OBSERVE("array_null", cuArrayCreate(nullptr, &flat));
  OBSERVE("array_null_descriptor", cuArrayCreate(&array, nullptr));
  CUarray none = nullptr;
  CUDA_ARRAY_DESCRIPTOR odd = flat;
  odd.NumChannels = 3;
  OBSERVE("array_three_channels", cuArrayCreate(&none, &odd));
  odd = flat;
  odd.Width = 0;
  OBSERVE("array_no_width", cuArrayCreate(&none, &odd));
  odd = flat;
  odd.Format = static_cast<CUarray_format>(0x7777);
  OBSERVE("array_format_unknown", cuArrayCreate(&none, &odd));
  std::vector<unsigned char> seen(16 * 8, 0);
  OBSERVE("to_array", cuMemcpyHtoA(array, 4, host.data(), 8));
  OBSERVE("to_array_past_row", cuMemcpyHtoA(array, 12, host.data(), 8));
  OBSERVE("from_array", cuMemcpyAtoH(seen.data(), array, 4, 8));
  OBSERVE("from_array_values", checksum(seen.data(), 8));
  OBSERVE("device_to_array", cuMemcpyDtoA(array, 0, device, 16));
  OBSERVE("array_to_device", cuMemcpyAtoD(device, array, 0, 16));
  CUDA_MEMCPY2D into = up;
  into.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  into.dstArray = array;
  into.dstDevice = 0;
  OBSERVE("rectangle_to_array", cuMemcpy2D(&into));
  into.dstXInBytes = 4;
  OBSERVE("rectangle_past_array", cuMemcpy2D(&into));
  CUDA_MEMCPY2D out = {};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.srcXInBytes = 2;
  out.srcY = 3;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = seen.data();
  out.dstPitch = 16;
  out.WidthInBytes = 7;
  out.Height = 2;
  OBSERVE("rectangle_from_array", cuMemcpy2D(&out));
  OBSERVE("rectangle_from_array_values", checksum(seen.data(), 32));
  OBSERVE("destroy", cuArrayDestroy(array));
  OBSERVE("destroy_null", cuArrayDestroy(nullptr));
  OBSERVE("last", cuCtxSynchronize());
}
