// Arrays and texture objects for cases. Any failure ends the case.
#pragma once

#include <vector>

#include "buffers.h"

template <class T>
cudaArray_t makeArray(const std::vector<T>& values, size_t width, size_t height, unsigned flags = 0) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  SETUP(cudaMallocArray(&array, &format, width, height, flags));
  const size_t row = width * sizeof(T);
  SETUP(
      cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, height ? height : 1, cudaMemcpyHostToDevice));
  return array;
}

// Three-dimensional, layered or cubic, as `flags` say.
template <class T>
cudaArray_t makeArray3D(const std::vector<T>& values, cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  SETUP(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(values.data()), extent.width * sizeof(T), extent.width,
                                    extent.height ? extent.height : 1);
  copy.dstArray = array;
  copy.extent =
      make_cudaExtent(extent.width, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  SETUP(cudaMemcpy3D(&copy));
  return array;
}

struct TextureChoice {
  cudaTextureFilterMode filter = cudaFilterModePoint;
  cudaTextureAddressMode address = cudaAddressModeClamp;
  cudaTextureReadMode read = cudaReadModeElementType;
  bool normalized = false;
  bool srgb = false;
};

inline cudaTextureDesc describeTexture(const TextureChoice& choice) {
  cudaTextureDesc texture = {};
  for (cudaTextureAddressMode& mode : texture.addressMode) mode = choice.address;
  texture.filterMode = choice.filter;
  texture.readMode = choice.read;
  texture.normalizedCoords = choice.normalized;
  texture.sRGB = choice.srgb;
  return texture;
}

inline cudaTextureObject_t makeTexture(cudaArray_t array, const TextureChoice& choice) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc texture = describeTexture(choice);
  cudaTextureObject_t object = 0;
  SETUP(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  return object;
}

// Coordinates first + i * step.
inline std::vector<float> steps(float first, float step, int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(first + step * static_cast<float>(i));
  return values;
}

template <class T>
__global__ void fetch1D(cudaTextureObject_t texture, const float* x, int count, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1D<T>(texture, x[i]);
}

template <class T>
__global__ void fetch2D(cudaTextureObject_t texture, const float* x, const float* y, int count, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex2D<T>(texture, x[i], y[i]);
}

template <class T>
std::vector<T> sample1D(cudaTextureObject_t texture, const std::vector<float>& x) {
  const int count = static_cast<int>(x.size());
  DeviceArray<float> places(x);
  DeviceArray<T> out(x.size());
  fetch1D<T><<<(count + 63) / 64, 64>>>(texture, places.data(), count, out.data());
  return out.read();
}

template <class T>
std::vector<T> sample2D(cudaTextureObject_t texture, const std::vector<float>& x,
                        const std::vector<float>& y) {
  const int count = static_cast<int>(x.size());
  DeviceArray<float> columns(x), rows(y);
  DeviceArray<T> out(x.size());
  fetch2D<T><<<(count + 63) / 64, 64>>>(texture, columns.data(), rows.data(), count, out.data());
  return out.read();
}
