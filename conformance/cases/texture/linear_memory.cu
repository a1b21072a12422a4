// Textures on plain device memory: fetches by index, and pitched rectangles.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.linear_memory");

template <class T>
static __global__ void fetchElements(cudaTextureObject_t texture, const int* index, int count, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1Dfetch<T>(texture, index[i]);
}

template <class T>
static std::vector<T> elements(cudaTextureObject_t texture, const std::vector<int>& index) {
  DeviceArray<int> places(index);
  DeviceArray<T> out(index.size());
  (void)cudaGetLastError();  // of calls that were to fail
  fetchElements<T><<<1, 64>>>(texture, places.data(), static_cast<int>(index.size()), out.data());
  return out.read();
}

int main() {
  std::vector<float> values;
  for (int i = 0; i < 64; ++i) values.push_back(static_cast<float>(i) + 0.25f);
  DeviceArray<float> memory(values);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.data();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = memory.bytes();
  cudaTextureDesc texture = {};
  cudaTextureObject_t object = 0;
  OBSERVE("create", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  OBSERVE("values", joined(elements<float>(object, {0, 1, 2, 62, 63})));
  OBSERVE("outside", joined(elements<float>(object, {-1, 64, 1000000, -1000000})));
  OBSERVE("destroy", cudaDestroyTextureObject(object));

  resource.res.linear.sizeInBytes = 10 * sizeof(float) + 2;
  OBSERVE("uneven_size", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  OBSERVE("uneven_values", joined(elements<float>(object, {8, 9, 10, 11})));
  resource.res.linear.sizeInBytes = memory.bytes();
  resource.res.linear.devPtr = memory.data() + 1;
  OBSERVE("misaligned", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.linear.devPtr = nullptr;
  OBSERVE("null_memory", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.linear.devPtr = memory.data();
  resource.res.linear.sizeInBytes = 0;
  OBSERVE("no_bytes", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.linear.sizeInBytes = memory.bytes();
  texture.filterMode = cudaFilterModeLinear;
  OBSERVE("linear_filter", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.filterMode = cudaFilterModePoint;
  texture.normalizedCoords = 1;
  OBSERVE("normalized_coordinates", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.normalizedCoords = 0;
  texture.readMode = cudaReadModeNormalizedFloat;
  OBSERVE("normalized_floats", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  DeviceArray<unsigned char> bytes(std::vector<unsigned char>{0, 51, 255, 128});
  resource.res.linear.devPtr = bytes.data();
  resource.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
  resource.res.linear.sizeInBytes = 4;
  OBSERVE("normalized_bytes", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  OBSERVE("normalized_byte_values", joined(elements<float>(object, {0, 1, 2, 3, 4})));

  (void)cudaGetLastError();

  // Rectangles.
  char* pitched = nullptr;
  size_t pitch = 0;
  SETUP(cudaMallocPitch(reinterpret_cast<void**>(&pitched), &pitch, 20 * sizeof(float), 3));
  SETUP(cudaMemset2D(pitched, pitch, 0, pitch, 3));
  SETUP(cudaMemcpy2D(pitched, pitch, values.data(), 20 * sizeof(float), 20 * sizeof(float), 3,
                     cudaMemcpyHostToDevice));
  cudaResourceDesc rectangle = {};
  rectangle.resType = cudaResourceTypePitch2D;
  rectangle.res.pitch2D.devPtr = pitched;
  rectangle.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  rectangle.res.pitch2D.width = 20;
  rectangle.res.pitch2D.height = 3;
  rectangle.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc plain = {};
  for (cudaTextureAddressMode& mode : plain.addressMode) mode = cudaAddressModeClamp;
  OBSERVE("rectangle", cudaCreateTextureObject(&object, &rectangle, &plain, nullptr));
  OBSERVE("rectangle_values", joined(sample2D<float>(object, {0.5f, 19.5f, 3.2f, -4.0f, 25.0f},
                                                     {0.5f, 2.5f, 1.9f, -1.0f, 7.0f})));
  plain.filterMode = cudaFilterModeLinear;
  OBSERVE("rectangle_linear", cudaCreateTextureObject(&object, &rectangle, &plain, nullptr));
  OBSERVE("rectangle_linear_values",
          joined(sample2D<float>(object, steps(0.3f, 1.37f, 15), steps(0.2f, 0.19f, 15))));
  rectangle.res.pitch2D.pitchInBytes = 20 * sizeof(float) + 4;
  OBSERVE("rectangle_odd_pitch", cudaCreateTextureObject(&object, &rectangle, &plain, nullptr));
  rectangle.res.pitch2D.pitchInBytes = 64;
  OBSERVE("rectangle_pitch_too_small", cudaCreateTextureObject(&object, &rectangle, &plain, nullptr));
  rectangle.res.pitch2D.pitchInBytes = pitch;
  rectangle.res.pitch2D.width = 0;
  OBSERVE("rectangle_no_width", cudaCreateTextureObject(&object, &rectangle, &plain, nullptr));
}
