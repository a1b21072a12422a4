// Images of several levels: how many there are, their sizes, and which of them a fetch takes.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.mipmaps");

static __global__ void fetchLevels(cudaTextureObject_t texture, float x, float y, const float* level,
                                   int count, float* out) {
  const int i = threadIdx.x;
  if (i < count) out[i] = tex2DLod<float>(texture, x, y, level[i]);
}

static __global__ void fetchSteps(cudaTextureObject_t texture, const float* step, int count, float* out) {
  const int i = threadIdx.x;
  if (i < count)
    out[i] = tex2DGrad<float>(texture, 0.5f, 0.5f, make_float2(step[i], 0), make_float2(0, step[i] / 4));
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap = nullptr;
  OBSERVE("create", cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(16, 8, 0), 5));
  for (unsigned level = 0; level < 7; ++level) {
    cudaArray_t array = nullptr;
    const std::string name = "level_" + std::to_string(level);
    const cudaError_t error = cudaGetMipmappedArrayLevel(&array, mipmap, level);
    OBSERVE(name, error);
    if (error != cudaSuccess) continue;
    cudaExtent extent = {};
    unsigned flags = 0;
    cudaChannelFormatDesc found = {};
    SETUP(cudaArrayGetInfo(&found, &extent, &flags, array));
    OBSERVE(name + ".size", std::to_string(extent.width) + "x" + std::to_string(extent.height) + "x" +
                                std::to_string(extent.depth));
    std::vector<float> values(extent.width * extent.height, static_cast<float>((level + 1) * 100));
    SETUP(cudaMemcpy2DToArray(array, 0, 0, values.data(), extent.width * 4, extent.width * 4, extent.height,
                              cudaMemcpyHostToDevice));
  }
  (void)cudaGetLastError();
  cudaMipmappedArray_t other = nullptr;
  OBSERVE("no_levels", cudaMallocMipmappedArray(&other, &format, make_cudaExtent(16, 8, 0), 0));
  OBSERVE("too_many_levels", cudaMallocMipmappedArray(&other, &format, make_cudaExtent(16, 8, 0), 9));
  OBSERVE("null_mipmap", cudaMallocMipmappedArray(nullptr, &format, make_cudaExtent(16, 8, 0), 1));
  (void)cudaGetLastError();

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  cudaTextureDesc texture = {};
  for (cudaTextureAddressMode& mode : texture.addressMode) mode = cudaAddressModeClamp;
  texture.normalizedCoords = 1;
  texture.maxMipmapLevelClamp = 4;
  cudaTextureObject_t object = 0;
  const std::vector<float> levels = {-1, 0, 0.25f, 0.49f, 0.5f, 0.51f, 1, 1.5f, 1.501f, 2.7f, 3.999f, 4, 9};
  DeviceArray<float> places(levels), out(levels.size());
  const int count = static_cast<int>(levels.size());
  for (bool linear : {false, true}) {
    texture.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    const std::string name = linear ? "linear" : "point";
    OBSERVE(name + ".create", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    fetchLevels<<<1, 32>>>(object, 0.5f, 0.5f, places.data(), count, out.data());
    OBSERVE(name + ".levels", joined(out.read()));
    texture.mipmapLevelBias = 0.75f;
    SETUP(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    fetchLevels<<<1, 32>>>(object, 0.5f, 0.5f, places.data(), count, out.data());
    OBSERVE(name + ".bias", joined(out.read()));
    texture.mipmapLevelBias = 0;
    texture.minMipmapLevelClamp = 1.25f;
    texture.maxMipmapLevelClamp = 2.5f;
    SETUP(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    fetchLevels<<<1, 32>>>(object, 0.5f, 0.5f, places.data(), count, out.data());
    OBSERVE(name + ".clamped", joined(out.read()));
    texture.minMipmapLevelClamp = 0;
    texture.maxMipmapLevelClamp = 4;
  }
  texture.mipmapFilterMode = cudaFilterModePoint;
  SETUP(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  DeviceArray<float> stepSizes(
      std::vector<float>{0.001f, 1.0f / 16, 1.0f / 8, 1.0f / 4, 1.0f / 2, 1.0f, 4.0f});
  fetchSteps<<<1, 32>>>(object, stepSizes.data(), 7, out.data());
  const std::vector<float> seen = out.read();
  OBSERVE("steps", joined(std::vector<float>(seen.begin(), seen.begin() + 7)));
  texture.normalizedCoords = 0;
  OBSERVE("plain_coordinates", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  (void)cudaGetLastError();
  OBSERVE("free", cudaFreeMipmappedArray(mipmap));
  OBSERVE("free_null", cudaFreeMipmappedArray(nullptr));
}
