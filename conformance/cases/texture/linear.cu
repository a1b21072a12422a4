// What a linear filter makes of its neighbours' values: exact results in one, two and three dimensions.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.linear");

static __global__ void fetch3D(cudaTextureObject_t texture, const float* x, const float* y, const float* z,
                               int count, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex3D<float>(texture, x[i], y[i], z[i]);
}

int main() {
  TextureChoice choice;
  choice.filter = cudaFilterModeLinear;

  std::vector<float> values;
  for (int i = 0; i < 64; ++i) values.push_back(static_cast<float>((i * 37) % 64));
  const cudaTextureObject_t plane = makeTexture(makeArray(values, 8, 8), choice);
  OBSERVE("plane", joined(sample2D<float>(plane, steps(1.3f, 0.17f, 32), steps(0.9f, 0.21f, 32))));
  OBSERVE("plane_corners",
          joined(sample2D<float>(plane, {0.0f, 8.0f, 0.0f, 8.0f, -3.0f}, {0.0f, 0.0f, 8.0f, 8.0f, 11.0f})));

  // Values that a float cannot add without rounding.
  std::vector<float> odd = {1.0f, 1.0f / 3, 3e7f, -0.1f, 1e-30f, 7.7f, -1e10f, 0.0f};
  const cudaTextureObject_t row = makeTexture(makeArray(odd, 8, 0), choice);
  OBSERVE("odd_row", joined(sample1D<float>(row, steps(0.5f, 0.19f, 37))));

  std::vector<float> box;
  for (int i = 0; i < 4 * 4 * 4; ++i) box.push_back(static_cast<float>((i * 29) % 64));
  const cudaTextureObject_t solid = makeTexture(makeArray3D(box, make_cudaExtent(4, 4, 4), 0), choice);
  DeviceArray<float> x(steps(0.4f, 0.11f, 32)), y(steps(3.3f, -0.09f, 32)), z(steps(0.7f, 0.083f, 32)),
      out(32);
  fetch3D<<<1, 32>>>(solid, x.data(), y.data(), z.data(), 32, out.data());
  OBSERVE("solid", joined(out.read()));

  choice.read = cudaReadModeNormalizedFloat;
  std::vector<unsigned char> bytes = {0, 255, 1, 254, 128, 127, 3, 200};
  const cudaTextureObject_t narrow = makeTexture(makeArray(bytes, 8, 0), choice);
  OBSERVE("bytes", joined(sample1D<float>(narrow, steps(0.5f, 0.23f, 31))));
  std::vector<short> shorts = {0, 32767, -32768, -1, 1, 100, -100, 12345};
  const cudaTextureObject_t wide = makeTexture(makeArray(shorts, 8, 0), choice);
  OBSERVE("shorts", joined(sample1D<float>(wide, steps(0.5f, 0.23f, 31))));
}
