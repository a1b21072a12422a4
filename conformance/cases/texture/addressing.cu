// Where coordinates outside an image lead, for each address mode and filter.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.addressing");

struct Mode {
  const char* name;
  cudaTextureAddressMode mode;
};

int main() {
  const Mode modes[] = {{"wrap", cudaAddressModeWrap},
                        {"clamp", cudaAddressModeClamp},
                        {"mirror", cudaAddressModeMirror},
                        {"border", cudaAddressModeBorder}};
  std::vector<float> values = {10, 20, 30, 40};
  const cudaArray_t row = makeArray(values, 4, 0);
  std::vector<int> integers = {10, 20, 30, 40};
  const cudaArray_t integerRow = makeArray(integers, 4, 0);
  std::vector<float> plane;
  for (int i = 0; i < 12; ++i) plane.push_back(static_cast<float>(i + 1));
  const cudaArray_t rectangle = makeArray(plane, 4, 3);

  for (const Mode& mode : modes) {
    for (bool linear : {false, true}) {
      for (bool normalized : {false, true}) {
        TextureChoice choice;
        choice.address = mode.mode;
        choice.filter = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        choice.normalized = normalized;
        const float scale = normalized ? 0.25f : 1.0f;
        const std::string name =
            std::string(mode.name) + (linear ? ".linear" : ".point") + (normalized ? ".normalized" : "");
        OBSERVE(name,
                joined(sample1D<float>(makeTexture(row, choice), steps(-5.0f * scale, 0.375f * scale, 38))));
        if (!linear) {
          OBSERVE(name + ".int", joined(sample1D<int>(makeTexture(integerRow, choice),
                                                      {-9.5f * scale, -0.5f * scale, 0, 3.999f * scale,
                                                       4.0f * scale, 9.5f * scale})));
        }
        OBSERVE(name + ".2d", joined(sample2D<float>(
                                  makeTexture(rectangle, choice), steps(-2.2f * scale, 0.41f * scale, 20),
                                  steps(normalized ? 1.4f : 4.2f, normalized ? -0.11f : -0.33f, 20))));
      }
    }
  }
  TextureChoice point;
  OBSERVE("not_a_number", joined(sample1D<float>(makeTexture(row, point),
                                                 {__builtin_nanf(""), __builtin_inff(), -__builtin_inff()})));
  // The colour beyond the border.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = row;
  TextureChoice border;
  border.address = cudaAddressModeBorder;
  cudaTextureDesc texture = describeTexture(border);
  texture.borderColor[0] = 77.0f;
  cudaTextureObject_t object = 0;
  OBSERVE("border_colour_create", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  OBSERVE("border_colour", joined(sample1D<float>(object, {-1.0f, 0.5f, 4.5f})));
}
