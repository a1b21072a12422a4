// Layered images and cube maps.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.layers");

static __global__ void fetch1DLayered(cudaTextureObject_t texture, const float* x, const int* layer,
                                      int count, float* out) {
  const int i = threadIdx.x;
  if (i < count) out[i] = tex1DLayered<float>(texture, x[i], layer[i]);
}

static __global__ void fetch2DLayered(cudaTextureObject_t texture, const float* x, const float* y,
                                      const int* layer, int count, float* out) {
  const int i = threadIdx.x;
  if (i < count) out[i] = tex2DLayered<float>(texture, x[i], y[i], layer[i]);
}

static __global__ void fetchCube(cudaTextureObject_t texture, const float* x, const float* y, const float* z,
                                 int count, float* out) {
  const int i = threadIdx.x;
  if (i < count) out[i] = texCubemap<float>(texture, x[i], y[i], z[i]);
}

static __global__ void fetchCubeLayered(cudaTextureObject_t texture, const float* x, const float* y,
                                        const float* z, int layer, int count, float* out) {
  const int i = threadIdx.x;
  if (i < count) out[i] = texCubemapLayered<float>(texture, x[i], y[i], z[i], layer);
}

static std::vector<float> ramp(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
  return values;
}

int main() {
  TextureChoice point, linear;
  linear.filter = cudaFilterModeLinear;
  {
    const cudaArray_t array = makeArray3D(ramp(4 * 3), make_cudaExtent(4, 0, 3), cudaArrayLayered);
    DeviceArray<float> x(std::vector<float>{0.5f, 1.5f, 3.5f, 0.5f, 1.0f, 2.0f, 0.5f, 0.5f}), out(8);
    DeviceArray<int> layer(std::vector<int>{0, 1, 2, 2, 0, 1, -1, 5});
    fetch1DLayered<<<1, 8>>>(makeTexture(array, point), x.data(), layer.data(), 8, out.data());
    OBSERVE("lines.point", joined(out.read()));
    fetch1DLayered<<<1, 8>>>(makeTexture(array, linear), x.data(), layer.data(), 8, out.data());
    OBSERVE("lines.linear", joined(out.read()));
  }
  {
    const cudaArray_t array = makeArray3D(ramp(4 * 2 * 3), make_cudaExtent(4, 2, 3), cudaArrayLayered);
    DeviceArray<float> x(std::vector<float>{0.5f, 1.5f, 3.5f, 9.0f, 1.0f, 2.3f, 0.5f, 0.5f});
    DeviceArray<float> y(std::vector<float>{0.5f, 1.5f, 0.5f, -1.0f, 1.0f, 0.8f, 0.5f, 0.5f}), out(8);
    DeviceArray<int> layer(std::vector<int>{0, 1, 2, 2, 0, 1, -1, 5});
    fetch2DLayered<<<1, 8>>>(makeTexture(array, point), x.data(), y.data(), layer.data(), 8, out.data());
    OBSERVE("planes.point", joined(out.read()));
    fetch2DLayered<<<1, 8>>>(makeTexture(array, linear), x.data(), y.data(), layer.data(), 8, out.data());
    OBSERVE("planes.linear", joined(out.read()));
  }
  // Directions to the middle of faces, off them, to edges and corners.
  const std::vector<float> dx = {1, -1, 0, 0, 0, 0, 2, -3, 0.4f, 0.4f, 0.3f, -0.3f, 1, 1, -1, 0.9f};
  const std::vector<float> dy = {0, 0, 1, -1, 0, 0, 0.5f, 1, 4, -4, -0.2f, 0.2f, 1, -1, 1, 0.1f};
  const std::vector<float> dz = {0, 0, 0, 0, 1, -1, 0.7f, -0.6f, 1.5f, 1.5f, 5, -5, 1, 0, -1, -0.95f};
  DeviceArray<float> x(dx), y(dy), z(dz), out(16);
  {
    const cudaArray_t array = makeArray3D(ramp(4 * 4 * 6), make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    TextureChoice cube = point;
    cube.normalized = true;
    fetchCube<<<1, 16>>>(makeTexture(array, cube), x.data(), y.data(), z.data(), 16, out.data());
    OBSERVE("cube.point", joined(out.read()));
    cube.filter = cudaFilterModeLinear;
    fetchCube<<<1, 16>>>(makeTexture(array, cube), x.data(), y.data(), z.data(), 16, out.data());
    OBSERVE("cube.linear", joined(out.read()));
    cube.address = cudaAddressModeWrap;
    fetchCube<<<1, 16>>>(makeTexture(array, cube), x.data(), y.data(), z.data(), 16, out.data());
    OBSERVE("cube.linear_wrap", joined(out.read()));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cube.address = cudaAddressModeClamp;
    cudaTextureDesc seamless = describeTexture(cube);
    seamless.seamlessCubemap = 1;
    cudaTextureObject_t object = 0;
    OBSERVE("cube.seamless", cudaCreateTextureObject(&object, &resource, &seamless, nullptr));
    fetchCube<<<1, 16>>>(object, x.data(), y.data(), z.data(), 16, out.data());
    OBSERVE("cube.seamless_values", joined(out.read()));
  }
  {
    const cudaArray_t array =
        makeArray3D(ramp(2 * 2 * 12), make_cudaExtent(2, 2, 12), cudaArrayCubemap | cudaArrayLayered);
    TextureChoice cube = point;
    cube.normalized = true;
    for (int layer : {0, 1, 2}) {
      fetchCubeLayered<<<1, 16>>>(makeTexture(array, cube), x.data(), y.data(), z.data(), layer, 16,
                                  out.data());
      OBSERVE("cubes.layer_" + std::to_string(layer), joined(out.read()));
    }
  }
}
