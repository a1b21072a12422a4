// Four neighbours at once.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.gather");

static __global__ void gather(cudaTextureObject_t texture, const float* x, const float* y, int count,
                              float4* out) {
  const int i = threadIdx.x;
  if (i < count) out[i] = tex2Dgather<float4>(texture, x[i], y[i], 0);
}

static __global__ void gatherChannels(cudaTextureObject_t texture, uchar4* out) {
  out[0] = tex2Dgather<uchar4>(texture, 1.0f, 1.0f, 0);
  out[1] = tex2Dgather<uchar4>(texture, 1.0f, 1.0f, 1);
  out[2] = tex2Dgather<uchar4>(texture, 1.0f, 1.0f, 2);
  out[3] = tex2Dgather<uchar4>(texture, 1.0f, 1.0f, 3);
}

int main() {
  std::vector<float> values;
  for (int i = 0; i < 16; ++i) values.push_back(static_cast<float>(i));
  const cudaArray_t array = makeArray(values, 4, 4, cudaArrayTextureGather);
  const std::vector<float> px = {1.0f, 2.0f, 1.4f, 1.6f, 0.2f, 3.9f, 3.0f, 1.498f};
  const std::vector<float> py = {1.0f, 2.0f, 2.6f, 2.4f, 0.2f, 3.9f, 0.1f, 1.502f};
  DeviceArray<float> x(px), y(py);
  DeviceArray<float4> out(px.size());
  for (bool linear : {false, true}) {
    TextureChoice choice;
    choice.filter = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    gather<<<1, 8>>>(makeTexture(array, choice), x.data(), y.data(), 8, out.data());
    std::string text;
    for (const float4& v : out.read()) {
      text += (text.empty() ? "" : " ") + observedText(v.x) + "," + observedText(v.y) + "," +
              observedText(v.z) + "," + observedText(v.w);
    }
    OBSERVE(linear ? "linear" : "point", text);
  }
  std::vector<uchar4> colours;
  for (int i = 0; i < 4; ++i) {
    const auto c = static_cast<unsigned char>(i * 10);
    colours.push_back(make_uchar4(c, static_cast<unsigned char>(c + 1), static_cast<unsigned char>(c + 2),
                                  static_cast<unsigned char>(c + 3)));
  }
  const cudaArray_t colourArray = makeArray(colours, 2, 2, cudaArrayTextureGather);
  DeviceArray<uchar4> channelOut(4);
  gatherChannels<<<1, 1>>>(makeTexture(colourArray, TextureChoice()), channelOut.data());
  std::string text;
  for (const uchar4& v : channelOut.read()) {
    text += (text.empty() ? "" : " ") + observedText(v.x) + "," + observedText(v.y) + "," +
            observedText(v.z) + "," + observedText(v.w);
  }
  OBSERVE("channels", text);
  cudaArray_t line = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  OBSERVE("one_dimension", cudaMallocArray(&line, &format, 16, 0, cudaArrayTextureGather));
}
