// What each element format reads as, as elements and as normalized floats.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.formats");

template <class T>
static std::string channels(const std::vector<T>& values) {
  std::string text;
  for (const T& v : values) {
    if (!text.empty()) text += ' ';
    text += observedText(v.x) + "," + observedText(v.y) + "," + observedText(v.z) + "," + observedText(v.w);
  }
  return text;
}

template <class T>
static std::string list(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + observedText(value);
  return text;
}

template <class T>
static void elements(const char* name, const std::vector<T>& values) {
  const cudaArray_t array = makeArray(values, values.size(), 0);
  TextureChoice choice;
  OBSERVE(std::string(name) + ".element",
          list(sample1D<T>(makeTexture(array, choice), steps(0.5f, 1.0f, static_cast<int>(values.size())))));
}

template <class T>
static void fractions(const char* name, const std::vector<T>& values) {
  const cudaArray_t array = makeArray(values, values.size(), 0);
  TextureChoice choice;
  choice.read = cudaReadModeNormalizedFloat;
  OBSERVE(
      std::string(name) + ".normalized",
      list(sample1D<float>(makeTexture(array, choice), steps(0.5f, 1.0f, static_cast<int>(values.size())))));
}

int main() {
  const std::vector<signed char> chars = {0, 1, -1, 127, -127, -128, 64, -64};
  const std::vector<unsigned char> bytes = {0, 1, 2, 127, 128, 200, 254, 255};
  const std::vector<short> shorts = {0, 1, -1, 32767, -32767, -32768, 1000, -1000};
  const std::vector<unsigned short> words = {0, 1, 2, 32767, 32768, 50000, 65534, 65535};
  elements("char", chars);
  fractions("char", chars);
  elements("uchar", bytes);
  fractions("uchar", bytes);
  elements("short", shorts);
  fractions("short", shorts);
  elements("ushort", words);
  fractions("ushort", words);
  elements<int>("int", {0, 1, -1, 2147483647, -2147483647 - 1});
  elements<unsigned>("uint", {0, 1, 4294967295u});
  elements<float>("float", {0.0f, -0.0f, 1.5f, 1e-40f, __builtin_inff()});

  const std::vector<uchar4> colours = {{1, 2, 3, 4}, {255, 128, 64, 0}, {10, 100, 200, 255}};
  const cudaArray_t array = makeArray(colours, 3, 0);
  TextureChoice choice;
  OBSERVE("uchar4.element", channels(sample1D<uchar4>(makeTexture(array, choice), steps(0.5f, 1.0f, 3))));
  choice.read = cudaReadModeNormalizedFloat;
  OBSERVE("uchar4.normalized", channels(sample1D<float4>(makeTexture(array, choice), steps(0.5f, 1.0f, 3))));
  choice.filter = cudaFilterModeLinear;
  OBSERVE("uchar4.linear", channels(sample1D<float4>(makeTexture(array, choice), steps(0.5f, 0.3f, 8))));
  choice.srgb = true;
  choice.filter = cudaFilterModePoint;
  OBSERVE("srgb", channels(sample1D<float4>(makeTexture(array, choice), steps(0.5f, 1.0f, 3))));
  choice.filter = cudaFilterModeLinear;
  OBSERVE("srgb.linear", channels(sample1D<float4>(makeTexture(array, choice), steps(0.5f, 0.3f, 8))));

  // Channels that the image has not.
  const cudaArray_t one = makeArray(std::vector<float>{5.0f, 6.0f}, 2, 0);
  TextureChoice plain;
  OBSERVE("missing_channels", channels(sample1D<float4>(makeTexture(one, plain), {0.5f, 1.5f})));
  const cudaArray_t oneInt = makeArray(std::vector<int>{5, 6}, 2, 0);
  OBSERVE("missing_int_channels", channels(sample1D<int4>(makeTexture(oneInt, plain), {0.5f, 1.5f})));

  // Halves read as floats.
  const cudaChannelFormatDesc half = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
  const unsigned short halves[] = {0x0000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x8001, 0x3555};
  cudaArray_t halfArray = nullptr;
  OBSERVE("half.create", cudaMallocArray(&halfArray, &half, 8, 0));
  OBSERVE("half.copy", cudaMemcpy2DToArray(halfArray, 0, 0, halves, 16, 16, 1, cudaMemcpyHostToDevice));
  OBSERVE("half.values", joined(sample1D<float>(makeTexture(halfArray, plain), steps(0.5f, 1.0f, 8))));
  plain.filter = cudaFilterModeLinear;
  OBSERVE("half.linear", joined(sample1D<float>(makeTexture(halfArray, plain), steps(0.5f, 0.25f, 12))));
}
