// How large arrays may be, beside what the device tells.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.limits");

static size_t limit(cudaDeviceAttr attribute) {
  int value = 0;
  SETUP(cudaDeviceGetAttribute(&value, attribute, 0));
  return static_cast<size_t>(value);
}

static cudaError_t tryArray(cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t array = nullptr;
  const cudaError_t error = cudaMalloc3DArray(&array, &bytes, extent, flags);
  if (error == cudaSuccess) SETUP(cudaFreeArray(array));
  (void)cudaGetLastError();
  return error;
}

int main() {
  struct {
    const char* name;
    cudaDeviceAttr width;
    size_t height, depth;
    unsigned flags;
  } const kinds[] = {
      {"line", cudaDevAttrMaxTexture1DWidth, 0, 0, 0},
      {"surface_line", cudaDevAttrMaxSurface1DWidth, 0, 0, cudaArraySurfaceLoadStore},
      {"layered_line", cudaDevAttrMaxTexture1DLayeredWidth, 0, 2, cudaArrayLayered},
      {"plane", cudaDevAttrMaxTexture2DWidth, 1, 0, 0},
      {"surface_plane", cudaDevAttrMaxSurface2DWidth, 1, 0, cudaArraySurfaceLoadStore},
      {"gathered_plane", cudaDevAttrMaxTexture2DGatherWidth, 1, 0, cudaArrayTextureGather},
      {"layered_plane", cudaDevAttrMaxTexture2DLayeredWidth, 1, 2, cudaArrayLayered},
      {"solid", cudaDevAttrMaxTexture3DWidth, 1, 2, 0},
  };
  for (const auto& kind : kinds) {
    const size_t width = limit(kind.width);
    OBSERVE(std::string(kind.name) + ".width", width);
    OBSERVE(std::string(kind.name) + ".widest", tryArray({width, kind.height, kind.depth}, kind.flags));
    OBSERVE(std::string(kind.name) + ".wider", tryArray({width + 1, kind.height, kind.depth}, kind.flags));
  }
  OBSERVE("plane.height", limit(cudaDevAttrMaxTexture2DHeight));
  OBSERVE("plane.higher", tryArray({1, limit(cudaDevAttrMaxTexture2DHeight) + 1, 0}, 0));
  OBSERVE("layered_plane.layers", limit(cudaDevAttrMaxTexture2DLayeredLayers));
  OBSERVE("layered_plane.more_layers",
          tryArray({1, 1, limit(cudaDevAttrMaxTexture2DLayeredLayers) + 1}, cudaArrayLayered));
  OBSERVE("cube.width", limit(cudaDevAttrMaxTextureCubemapWidth));
  OBSERVE("layered_cube.layers", limit(cudaDevAttrMaxTextureCubemapLayeredLayers));
  OBSERVE("linear.width", limit(cudaDevAttrMaxTexture1DLinearWidth));
  OBSERVE("pitched.width", limit(cudaDevAttrMaxTexture2DLinearWidth));
  OBSERVE("pitched.height", limit(cudaDevAttrMaxTexture2DLinearHeight));
  OBSERVE("pitched.pitch", limit(cudaDevAttrMaxTexture2DLinearPitch));
  OBSERVE("mipmapped_line.width", limit(cudaDevAttrMaxTexture1DMipmappedWidth));
  OBSERVE("mipmapped_plane.width", limit(cudaDevAttrMaxTexture2DMipmappedWidth));
}
