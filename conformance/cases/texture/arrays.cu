// Arrays: what may be allocated, what they say of themselves, copies to, from and between them.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.arrays");

static std::string describe(cudaArray_t array) {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  const cudaError_t error = cudaArrayGetInfo(&format, &extent, &flags, array);
  if (error != cudaSuccess) return observedText(error);
  return std::to_string(format.x) + "." + std::to_string(format.y) + "." + std::to_string(format.z) + "." +
         std::to_string(format.w) + " kind " + std::to_string(format.f) + " " + std::to_string(extent.width) +
         "x" + std::to_string(extent.height) + "x" + std::to_string(extent.depth) + " flags " +
         std::to_string(flags);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  OBSERVE("line", cudaMallocArray(&array, &format, 32, 0));
  OBSERVE("line.info", describe(array));
  OBSERVE("line.free", cudaFreeArray(array));
  OBSERVE("line.free_null", cudaFreeArray(nullptr));
  OBSERVE("plane", cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
  OBSERVE("plane.info", describe(array));
  cudaChannelFormatDesc found = {};
  OBSERVE("plane.format", cudaGetChannelDesc(&found, array));
  OBSERVE("plane.format_bits", found.x);
  OBSERVE("plane.info_partly", cudaArrayGetInfo(nullptr, nullptr, nullptr, array));
  OBSERVE("null_array_info", cudaArrayGetInfo(&found, nullptr, nullptr, nullptr));

  cudaArray_t other = nullptr;
  OBSERVE("no_width", cudaMallocArray(&other, &format, 0, 4));
  OBSERVE("null_target", cudaMallocArray(nullptr, &format, 8, 4));
  OBSERVE("null_format", cudaMallocArray(&other, nullptr, 8, 4));
  OBSERVE("flags_unknown", cudaMallocArray(&other, &format, 8, 4, 0x4000));
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  OBSERVE("three_channels", cudaMallocArray(&other, &three, 8, 4));
  const cudaChannelFormatDesc mixed = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
  OBSERVE("mixed_bits", cudaMallocArray(&other, &mixed, 8, 4));
  const cudaChannelFormatDesc wide = cudaCreateChannelDesc(64, 0, 0, 0, cudaChannelFormatKindUnsigned);
  OBSERVE("wide_channel", cudaMallocArray(&other, &wide, 8, 4));
  const cudaChannelFormatDesc gap = cudaCreateChannelDesc(0, 8, 0, 0, cudaChannelFormatKindUnsigned);
  OBSERVE("missing_first_channel", cudaMallocArray(&other, &gap, 8, 4));
  const cudaChannelFormatDesc tiny = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat);
  OBSERVE("float_of_8_bits", cudaMallocArray(&other, &tiny, 8, 4));
  OBSERVE("cube_not_square", cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 8, 6), cudaArrayCubemap));
  OBSERVE("cube_of_five", cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 4, 5), cudaArrayCubemap));
  OBSERVE("layers_none", cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 4, 0), cudaArrayLayered));
  OBSERVE("solid_without_height", cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 0, 4), 0));
  (void)cudaGetLastError();
  OBSERVE("solid", cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 3, 2), 0));
  OBSERVE("solid.info", describe(other));
  cudaArray_t layered = nullptr;
  OBSERVE("layered", cudaMalloc3DArray(&layered, &format, make_cudaExtent(4, 3, 2), cudaArrayLayered));
  OBSERVE("layered.info", describe(layered));

  // Copies.
  std::vector<int> up(32), down(32, -1);
  for (int i = 0; i < 32; ++i) up[i] = i + 1;
  OBSERVE("up", cudaMemcpy2DToArray(array, 0, 0, up.data(), 32, 32, 4, cudaMemcpyHostToDevice));
  OBSERVE("down", cudaMemcpy2DFromArray(down.data(), 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
  OBSERVE("down.same", up == down);
  std::vector<int> window(4, -1);
  OBSERVE("window", cudaMemcpy2DFromArray(window.data(), 8, array, 12, 2, 8, 2, cudaMemcpyDeviceToHost));
  OBSERVE("window.values", joined(window));
  OBSERVE("past_row", cudaMemcpy2DFromArray(window.data(), 8, array, 28, 0, 8, 1, cudaMemcpyDeviceToHost));
  OBSERVE("past_end", cudaMemcpy2DFromArray(window.data(), 8, array, 0, 3, 8, 2, cudaMemcpyDeviceToHost));
  OBSERVE("host_pitch_too_small",
          cudaMemcpy2DFromArray(window.data(), 4, array, 0, 0, 8, 1, cudaMemcpyDeviceToHost));
  OBSERVE("uneven_offset",
          cudaMemcpy2DFromArray(window.data(), 8, array, 2, 0, 8, 1, cudaMemcpyDeviceToHost));
  OBSERVE("uneven_width", cudaMemcpy2DFromArray(window.data(), 8, array, 0, 0, 6, 1, cudaMemcpyDeviceToHost));
  OBSERVE("wrong_kind", cudaMemcpy2DFromArray(window.data(), 8, array, 0, 0, 8, 1, cudaMemcpyHostToDevice));
  OBSERVE("default_kind", cudaMemcpy2DFromArray(window.data(), 8, array, 0, 1, 8, 1, cudaMemcpyDefault));
  OBSERVE("default_kind.values", joined(window));
  OBSERVE("null_host", cudaMemcpy2DFromArray(nullptr, 8, array, 0, 0, 8, 1, cudaMemcpyDeviceToHost));
  OBSERVE("null_array", cudaMemcpy2DFromArray(window.data(), 8, nullptr, 0, 0, 8, 1, cudaMemcpyDeviceToHost));
  OBSERVE("zero_width", cudaMemcpy2DFromArray(window.data(), 8, array, 0, 0, 0, 1, cudaMemcpyDeviceToHost));
  (void)cudaGetLastError();
  DeviceArray<int> device(32);
  OBSERVE("to_device",
          cudaMemcpy2DFromArray(device.data(), 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToDevice));
  OBSERVE("to_device.values", joined(device.read()));
  OBSERVE("async",
          cudaMemcpy2DToArrayAsync(array, 4, 1, up.data(), 8, 8, 1, cudaMemcpyHostToDevice, nullptr));
  OBSERVE("async_down",
          cudaMemcpy2DFromArrayAsync(down.data(), 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost, nullptr));
  SETUP(cudaDeviceSynchronize());
  OBSERVE("async.values", joined(down));
  cudaArray_t twin = nullptr;
  SETUP(cudaMallocArray(&twin, &format, 8, 4));
  OBSERVE("between", cudaMemcpy2DArrayToArray(twin, 0, 0, array, 0, 0, 32, 4, cudaMemcpyDeviceToDevice));
  SETUP(cudaMemcpy2DFromArray(down.data(), 32, twin, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
  OBSERVE("between.values", joined(down));

  // Boxes: extents count elements as soon as an array takes part.
  std::vector<int> box(24), back(24, -1);
  for (int i = 0; i < 24; ++i) box[i] = i * 3;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(box.data(), 16, 4, 3);
  copy.dstArray = other;
  copy.extent = make_cudaExtent(4, 3, 2);
  copy.kind = cudaMemcpyHostToDevice;
  OBSERVE("box.up", cudaMemcpy3D(&copy));
  cudaMemcpy3DParms down3 = {};
  down3.srcArray = other;
  down3.dstPtr = make_cudaPitchedPtr(back.data(), 16, 4, 3);
  down3.extent = make_cudaExtent(4, 3, 2);
  down3.kind = cudaMemcpyDeviceToHost;
  OBSERVE("box.down", cudaMemcpy3D(&down3));
  OBSERVE("box.same", box == back);
  down3.srcPos = make_cudaPos(1, 1, 1);
  down3.extent = make_cudaExtent(2, 2, 1);
  std::fill(back.begin(), back.end(), -1);
  OBSERVE("box.part", cudaMemcpy3D(&down3));
  OBSERVE("box.part_values", joined(back));
  down3.extent = make_cudaExtent(4, 2, 1);
  OBSERVE("box.past_row", cudaMemcpy3D(&down3));
  down3.extent = make_cudaExtent(2, 2, 2);
  OBSERVE("box.past_depth", cudaMemcpy3D(&down3));
  down3.extent = make_cudaExtent(2, 0, 1);
  OBSERVE("box.no_height", cudaMemcpy3D(&down3));
  down3.extent = make_cudaExtent(2, 2, 1);
  down3.srcPtr = down3.dstPtr;
  OBSERVE("box.two_sources", cudaMemcpy3D(&down3));
  (void)cudaGetLastError();
  cudaMemcpy3DParms across = {};
  across.srcArray = other;
  across.dstArray = layered;
  across.extent = make_cudaExtent(4, 3, 2);
  across.kind = cudaMemcpyDeviceToDevice;
  OBSERVE("box.across", cudaMemcpy3DAsync(&across, nullptr));
  SETUP(cudaDeviceSynchronize());
  down3 = {};
  down3.srcArray = layered;
  down3.dstPtr = make_cudaPitchedPtr(back.data(), 16, 4, 3);
  down3.extent = make_cudaExtent(4, 3, 2);
  down3.kind = cudaMemcpyDeviceToHost;
  SETUP(cudaMemcpy3D(&down3));
  OBSERVE("box.across_same", box == back);
}
