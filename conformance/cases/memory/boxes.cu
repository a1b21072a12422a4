// Three-dimensional memory: allocation, copies of boxes and parts of boxes, fills.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.boxes");

static std::vector<char> ramp(size_t count) {
  std::vector<char> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<char>(i % 97 + 1);
  return values;
}

int main() {
  cudaPitchedPtr device = {};
  OBSERVE("allocate", cudaMalloc3D(&device, make_cudaExtent(20, 5, 3)));
  OBSERVE("allocate.sizes", std::to_string(device.xsize) + "x" + std::to_string(device.ysize));
  OBSERVE("allocate.pitch_multiple_of_32", device.pitch % 32 == 0 && device.pitch >= 20);
  cudaPitchedPtr none = {};
  OBSERVE("allocate_no_width", cudaMalloc3D(&none, make_cudaExtent(0, 5, 3)));
  OBSERVE("allocate_no_width.null", none.ptr == nullptr);
  OBSERVE("allocate_no_depth", cudaMalloc3D(&none, make_cudaExtent(20, 5, 0)));
  OBSERVE("allocate_null", cudaMalloc3D(nullptr, make_cudaExtent(20, 5, 3)));
  (void)cudaGetLastError();

  const std::vector<char> source = ramp(20 * 5 * 3);
  std::vector<char> target(source.size(), 0);
  cudaMemcpy3DParms up = {};
  up.srcPtr = make_cudaPitchedPtr(const_cast<char*>(source.data()), 20, 20, 5);
  up.dstPtr = device;
  up.extent = make_cudaExtent(20, 5, 3);
  up.kind = cudaMemcpyHostToDevice;
  OBSERVE("up", cudaMemcpy3D(&up));
  cudaMemcpy3DParms down = {};
  down.srcPtr = device;
  down.dstPtr = make_cudaPitchedPtr(target.data(), 20, 20, 5);
  down.extent = make_cudaExtent(20, 5, 3);
  down.kind = cudaMemcpyDeviceToHost;
  OBSERVE("down", cudaMemcpy3D(&down));
  OBSERVE("same", source == target);

  // Parts.
  std::fill(target.begin(), target.end(), 0);
  cudaMemcpy3DParms part = down;
  part.srcPos = make_cudaPos(3, 1, 1);
  part.dstPos = make_cudaPos(2, 2, 0);
  part.extent = make_cudaExtent(7, 2, 2);
  OBSERVE("part", cudaMemcpy3D(&part));
  OBSERVE("part.values", checksum(target.data(), target.size()));
  part.kind = cudaMemcpyDefault;
  OBSERVE("part_default", cudaMemcpy3D(&part));
  part.kind = cudaMemcpyHostToDevice;
  OBSERVE("part_wrong_kind", cudaMemcpy3D(&part));
  part.kind = static_cast<cudaMemcpyKind>(9);
  OBSERVE("part_kind_unknown", cudaMemcpy3D(&part));
  part.kind = cudaMemcpyDeviceToHost;
  part.extent = make_cudaExtent(0, 2, 2);
  OBSERVE("no_width", cudaMemcpy3D(&part));
  part.extent = make_cudaExtent(7, 0, 2);
  OBSERVE("no_height", cudaMemcpy3D(&part));
  part.extent = make_cudaExtent(7, 2, 0);
  OBSERVE("no_depth", cudaMemcpy3D(&part));
  part.extent = make_cudaExtent(19, 2, 2);
  OBSERVE("past_row", cudaMemcpy3D(&part));
  part.extent = make_cudaExtent(7, 5, 2);
  OBSERVE("past_slice", cudaMemcpy3D(&part));
  part.extent = make_cudaExtent(device.pitch + 1, 1, 1);
  OBSERVE("wider_than_pitch", cudaMemcpy3D(&part));
  part = down;
  part.dstPtr.pitch = 10;
  OBSERVE("host_pitch_too_small", cudaMemcpy3D(&part));
  part = down;
  part.dstPtr.ysize = 2;
  OBSERVE("host_slices_too_small", cudaMemcpy3D(&part));
  part = down;
  part.srcPtr.ptr = nullptr;
  OBSERVE("null_source", cudaMemcpy3D(&part));
  part = down;
  part.extent = make_cudaExtent(20, 5, 900);
  OBSERVE("past_memory", cudaMemcpy3D(&part));
  OBSERVE("null", cudaMemcpy3D(nullptr));
  OBSERVE("async", cudaMemcpy3DAsync(&down, nullptr));
  OBSERVE("async_null", cudaMemcpy3DAsync(nullptr, nullptr));
  SETUP(cudaDeviceSynchronize());
  OBSERVE("async.same", source == target);
  (void)cudaGetLastError();

  cudaPitchedPtr twin = {};
  SETUP(cudaMalloc3D(&twin, make_cudaExtent(20, 5, 3)));
  cudaMemcpy3DParms across = {};
  across.srcPtr = device;
  across.dstPtr = twin;
  across.extent = make_cudaExtent(20, 5, 3);
  across.kind = cudaMemcpyDeviceToDevice;
  OBSERVE("across", cudaMemcpy3D(&across));
  cudaMemcpy3DPeerParms peer = {};
  peer.srcPtr = device;
  peer.dstPtr = twin;
  peer.extent = make_cudaExtent(20, 5, 3);
  OBSERVE("peer_same_device", cudaMemcpy3DPeer(&peer));
  OBSERVE("peer_null", cudaMemcpy3DPeer(nullptr));
  peer.dstDevice = 1000;
  OBSERVE("peer_device_unknown", cudaMemcpy3DPeer(&peer));
  (void)cudaGetLastError();

  // Fills.
  OBSERVE("fill", cudaMemset3D(device, 0x41, make_cudaExtent(20, 5, 3)));
  OBSERVE("fill_part", cudaMemset3D(device, 0x42, make_cudaExtent(7, 2, 2)));
  SETUP(cudaMemcpy3D(&down));
  OBSERVE("fill.values", checksum(target.data(), target.size()));
  OBSERVE("fill_no_width", cudaMemset3D(device, 1, make_cudaExtent(0, 2, 2)));
  OBSERVE("fill_wide", cudaMemset3D(device, 1, make_cudaExtent(device.pitch + 1, 1, 1)));
  OBSERVE("fill_tall", cudaMemset3D(device, 1, make_cudaExtent(7, 6, 2)));
  OBSERVE("fill_deep", cudaMemset3D(device, 1, make_cudaExtent(7, 2, 900)));
  cudaPitchedPtr nowhere = device;
  nowhere.ptr = nullptr;
  OBSERVE("fill_null", cudaMemset3D(nowhere, 1, make_cudaExtent(7, 2, 2)));
  OBSERVE("fill_async", cudaMemset3DAsync(device, 0x43, make_cudaExtent(20, 5, 3), nullptr));
  (void)cudaGetLastError();
  OBSERVE("rows", cudaMemset2D(device.ptr, device.pitch, 0x44, 20, 5));
  OBSERVE("rows_wide", cudaMemset2D(device.ptr, 16, 0x44, 20, 5));
  OBSERVE("rows_null", cudaMemset2D(nullptr, device.pitch, 0x44, 20, 5));
  OBSERVE("rows_none", cudaMemset2D(device.ptr, device.pitch, 0x44, 20, 0));
  OBSERVE("rows_async", cudaMemset2DAsync(device.ptr, device.pitch, 0x45, 20, 5, nullptr));
  OBSERVE("last", cudaDeviceSynchronize());
}
