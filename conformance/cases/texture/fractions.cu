// How finely a linear filter weighs its neighbours: in 1/256, and how a coordinate rounds.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.fractions");

int main() {
  std::vector<float> ramp(16);
  for (int i = 0; i < 16; ++i) ramp[i] = static_cast<float>(i * 256);
  const cudaArray_t array = makeArray(ramp, 16, 0);
  TextureChoice choice;
  choice.filter = cudaFilterModeLinear;
  const cudaTextureObject_t texture = makeTexture(array, choice);

  // In 1/256 of an element: all of them, from the middle of element 3 to that of element 4.
  OBSERVE("all_256", joined(sample1D<float>(texture, steps(3.5f, 1.0f / 256, 257))));
  OBSERVE("first_256", joined(sample1D<float>(texture, steps(3.5f, 1.0f / 256, 24))));
  // Between two of them: where it rounds.
  OBSERVE("in_4096", joined(sample1D<float>(texture, steps(3.5f, 1.0f / 4096, 40))));
  OBSERVE("in_4096_late", joined(sample1D<float>(texture, steps(4.5f - 36.0f / 4096, 1.0f / 4096, 40))));
  OBSERVE("in_4096_low", joined(sample1D<float>(texture, steps(0.5f - 20.0f / 4096, 1.0f / 4096, 40))));
  OBSERVE("in_4096_high", joined(sample1D<float>(texture, steps(12.5f, 1.0f / 4096, 40))));
  OBSERVE("in_65536", joined(sample1D<float>(texture, steps(3.5f + 120.0f / 65536, 1.0f / 65536, 24))));
  OBSERVE("ends",
          joined(sample1D<float>(texture, {-1e30f, -1.0f, 0.0f, 0.25f, 0.5f, 15.5f, 15.75f, 16.0f, 1e30f})));

  choice.normalized = true;
  const cudaTextureObject_t normalized = makeTexture(array, choice);
  OBSERVE("normalized_all", joined(sample1D<float>(normalized, steps(3.5f / 16, 1.0f / 4096, 257))));
  OBSERVE("normalized_in_65536", joined(sample1D<float>(normalized, steps(3.5f / 16, 1.0f / 65536, 40))));
  OBSERVE("normalized_thirds", joined(sample1D<float>(normalized, {1.0f / 3, 2.0f / 3, 0.1f, 0.7f, 0.9f})));

  // A width that is no power of two.
  const cudaArray_t ten = makeArray(std::vector<float>(ramp.begin(), ramp.begin() + 10), 10, 0);
  OBSERVE("normalized_ten", joined(sample1D<float>(makeTexture(ten, choice), steps(0.05f, 0.013f, 40))));
}
