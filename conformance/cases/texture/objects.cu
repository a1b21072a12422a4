// Texture objects: what may be made, what they say of themselves.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.objects");

int main() {
  const cudaArray_t floats = makeArray(std::vector<float>(16), 4, 4);
  const cudaArray_t ints = makeArray(std::vector<int>(16), 4, 4);
  const cudaArray_t bytes = makeArray(std::vector<unsigned char>(16), 4, 4);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = floats;
  cudaTextureDesc texture = {};
  cudaTextureObject_t object = 0;
  OBSERVE("create", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  cudaResourceDesc foundResource = {};
  cudaTextureDesc foundTexture = {};
  cudaResourceViewDesc foundView = {};
  OBSERVE("resource", cudaGetTextureObjectResourceDesc(&foundResource, object));
  OBSERVE("resource_same",
          foundResource.resType == resource.resType && foundResource.res.array.array == floats);
  OBSERVE("description", cudaGetTextureObjectTextureDesc(&foundTexture, object));
  OBSERVE("description_address", foundTexture.addressMode[0]);
  OBSERVE("view", cudaGetTextureObjectResourceViewDesc(&foundView, object));
  (void)cudaGetLastError();
  OBSERVE("destroy", cudaDestroyTextureObject(object));
  OBSERVE("destroy_zero", cudaDestroyTextureObject(0));

  OBSERVE("null_object", cudaCreateTextureObject(nullptr, &resource, &texture, nullptr));
  OBSERVE("null_resource", cudaCreateTextureObject(&object, nullptr, &texture, nullptr));
  OBSERVE("null_texture", cudaCreateTextureObject(&object, &resource, nullptr, nullptr));
  resource.res.array.array = nullptr;
  OBSERVE("null_array", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.resType = static_cast<cudaResourceType>(9);
  OBSERVE("kind_unknown", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = floats;
  texture.filterMode = static_cast<cudaTextureFilterMode>(5);
  OBSERVE("filter_unknown", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.filterMode = cudaFilterModePoint;
  texture.addressMode[0] = static_cast<cudaTextureAddressMode>(9);
  OBSERVE("address_unknown", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.addressMode[0] = cudaAddressModeWrap;
  texture.readMode = cudaReadModeNormalizedFloat;
  OBSERVE("normalized_floats", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.array.array = ints;
  OBSERVE("normalized_ints", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.readMode = cudaReadModeElementType;
  texture.filterMode = cudaFilterModeLinear;
  OBSERVE("linear_ints", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.array.array = bytes;
  OBSERVE("linear_bytes", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.readMode = cudaReadModeNormalizedFloat;
  OBSERVE("linear_normalized_bytes", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.sRGB = 1;
  OBSERVE("srgb_bytes", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.readMode = cudaReadModeElementType;
  texture.filterMode = cudaFilterModePoint;
  OBSERVE("srgb_elements", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.sRGB = 0;
  texture.maxAnisotropy = 17;
  OBSERVE("anisotropy_17", cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  texture.maxAnisotropy = 0;
  (void)cudaGetLastError();

  // Formats that the runtime makes for element types.
  const cudaChannelFormatDesc one = cudaCreateChannelDesc<unsigned short>();
  OBSERVE("format_ushort",
          std::to_string(one.x) + "." + std::to_string(one.y) + " kind " + std::to_string(one.f));
  const cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>();
  OBSERVE("format_float4",
          std::to_string(four.x) + "." + std::to_string(four.w) + " kind " + std::to_string(four.f));
  const cudaChannelFormatDesc two = cudaCreateChannelDesc<char2>();
  OBSERVE("format_char2", std::to_string(two.x) + "." + std::to_string(two.y) + "." + std::to_string(two.z) +
                              " kind " + std::to_string(two.f));

  // The limits of one-dimensional linear memory.
  size_t most = 0;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  OBSERVE("linear_width", cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, 0));
  OBSERVE("linear_width_some", most > 0);
}
