// links: cudnn
// Descriptors of recurrent networks and of their data: what is kept, what is refused.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.recurrent_descriptors");

int main() {
  const cudnnHandle_t handle = makeHandle();
  cudnnDropoutDescriptor_t dropout = nullptr;
  SETUP_DNN(cudnnCreateDropoutDescriptor(&dropout));
  SETUP_DNN(cudnnSetDropoutDescriptor(dropout, handle, 0, nullptr, 0, 0));
  cudnnRNNDescriptor_t rnn = nullptr;
  STATUS("create", cudnnCreateRNNDescriptor(&rnn));
  struct Asked {
    const char* name;
    int algo = 0, mode = 2, bias = 2, direction = 0, input = 0, type = 0, precision = 0, math = 0, inputs = 3,
        hidden = 2, projection = 2, layers = 1;
    unsigned flags = 0;
  };
  const auto set = [&](const Asked& a) {
    return cudnnSetRNNDescriptor_v8(
        rnn, static_cast<cudnnRNNAlgo_t>(a.algo), static_cast<cudnnRNNMode_t>(a.mode),
        static_cast<cudnnRNNBiasMode_t>(a.bias), static_cast<cudnnDirectionMode_t>(a.direction),
        static_cast<cudnnRNNInputMode_t>(a.input), static_cast<cudnnDataType_t>(a.type),
        static_cast<cudnnDataType_t>(a.precision), static_cast<cudnnMathType_t>(a.math), a.inputs, a.hidden,
        a.projection, a.layers, dropout, a.flags);
  };
  std::vector<Asked> all;
  const auto with = [&](const char* name, int Asked::* field, int value) {
    Asked asked{name};
    asked.*field = value;
    all.push_back(asked);
  };
  with("plain", &Asked::algo, 0);
  with("static", &Asked::algo, 1);
  with("dynamic", &Asked::algo, 2);
  with("small", &Asked::algo, 3);
  with("algorithm", &Asked::algo, 9);
  with("cell", &Asked::mode, 7);
  with("bias", &Asked::bias, 7);
  with("direction", &Asked::direction, 7);
  with("input", &Asked::input, 7);
  with("skip_of_other_size", &Asked::input, 1);
  with("int32", &Asked::type, CUDNN_DATA_INT32);
  with("half_in_float", &Asked::type, CUDNN_DATA_HALF);
  with("bfloat16_in_float", &Asked::type, CUDNN_DATA_BFLOAT16);
  with("double_in_float", &Asked::type, CUDNN_DATA_DOUBLE);
  with("float_in_half", &Asked::precision, CUDNN_DATA_HALF);
  with("float_in_double", &Asked::precision, CUDNN_DATA_DOUBLE);
  with("math", &Asked::math, 9);
  with("fma", &Asked::math, 3);
  with("no_inputs", &Asked::inputs, 0);
  with("no_hidden", &Asked::hidden, 0);
  with("projection_larger", &Asked::projection, 3);
  with("no_projection", &Asked::projection, 0);
  with("no_layers", &Asked::layers, 0);
  for (const Asked& asked : all) STATUS(std::string("set.") + asked.name, set(asked));
  Asked projected{"projected"};
  projected.hidden = 4;
  projected.mode = CUDNN_GRU;
  STATUS("set.gru_projection", set(projected));
  projected.mode = CUDNN_LSTM;
  projected.flags = 8;
  STATUS("set.flags", set(projected));
  SETUP_DNN(set(Asked{"plain"}));
  cudnnRNNClipMode_t clip = CUDNN_RNN_CLIP_MINMAX;
  double least = -9, most = 9;
  STATUS("clip.get", cudnnRNNGetClip_v9(rnn, &clip, &least, &most));
  OBSERVE("clip.first", std::to_string(clip));
  STATUS("clip.set", cudnnRNNSetClip_v9(rnn, CUDNN_RNN_CLIP_MINMAX, -1, 2));
  STATUS("clip.reversed", cudnnRNNSetClip_v9(rnn, CUDNN_RNN_CLIP_MINMAX, 2, -1));
  STATUS("clip.mode", cudnnRNNSetClip_v9(rnn, static_cast<cudnnRNNClipMode_t>(7), -1, 2));
  STATUS("clip.get_again", cudnnRNNGetClip_v9(rnn, &clip, &least, &most));
  OBSERVE("clip.is", std::to_string(clip) + " " + rounded(std::vector<double>{least, most}));
  cudnnRNNAlgo_t algo = CUDNN_RNN_ALGO_COUNT;
  cudnnRNNMode_t mode = CUDNN_GRU;
  cudnnRNNBiasMode_t bias = CUDNN_RNN_NO_BIAS;
  cudnnDirectionMode_t direction = CUDNN_BIDIRECTIONAL;
  cudnnRNNInputMode_t input = CUDNN_SKIP_INPUT;
  cudnnDataType_t type = CUDNN_DATA_INT8, precision = CUDNN_DATA_INT8;
  cudnnMathType_t math = CUDNN_FMA_MATH;
  int inputs = 0, hidden = 0, projection = 0, layers = 0;
  unsigned flags = 9;
  cudnnDropoutDescriptor_t found = nullptr;
  STATUS("get", cudnnGetRNNDescriptor_v8(rnn, &algo, &mode, &bias, &direction, &input, &type, &precision,
                                         &math, &inputs, &hidden, &projection, &layers, &found, &flags));
  const int is[] = {algo,
                    mode,
                    bias,
                    direction,
                    input,
                    type,
                    precision,
                    math,
                    inputs,
                    hidden,
                    projection,
                    layers,
                    static_cast<int>(flags)};
  OBSERVE("get.is", numbers(is, 13) + (found == dropout ? " the same dropout" : " another dropout"));
  STATUS("dynamic_of_standard", cudnnBuildRNNDynamic(handle, rnn, 4));

  cudnnRNNDataDescriptor_t data = nullptr;
  STATUS("data.create", cudnnCreateRNNDataDescriptor(&data));
  float fill = -1;
  const auto setData = [&](const std::string& key, int dataType, int layout, int longest, int batch, int size,
                           std::vector<int> lengths) {
    STATUS(key, cudnnSetRNNDataDescriptor(data, static_cast<cudnnDataType_t>(dataType),
                                          static_cast<cudnnRNNDataLayout_t>(layout), longest, batch, size,
                                          lengths.data(), &fill));
  };
  setData("data.plain", 0, 0, 4, 2, 3, {4, 2});
  int longest = 0, batch = 0, size = 0, lengths[2] = {};
  cudnnRNNDataLayout_t layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
  float filled = 0;
  STATUS("data.get",
         cudnnGetRNNDataDescriptor(data, &type, &layout, &longest, &batch, &size, 2, lengths, &filled));
  const int kept[] = {type, layout, longest, batch, size, lengths[0], lengths[1], static_cast<int>(filled)};
  OBSERVE("data.get.is", numbers(kept, 8));
  setData("data.too_long", 0, 0, 4, 2, 3, {5, 2});
  setData("data.zero_length", 0, 0, 4, 2, 3, {4, 0});
  setData("data.negative_length", 0, 0, 4, 2, 3, {4, -1});
  setData("data.rising_unpacked", 0, 0, 4, 2, 3, {2, 4});
  setData("data.rising_packed", 0, 1, 4, 2, 3, {2, 4});
  setData("data.shorter_than_longest", 0, 0, 4, 2, 3, {3, 2});
  setData("data.layout", 0, 7, 4, 2, 3, {4, 2});
  setData("data.type", 4, 0, 4, 2, 3, {4, 2});
  setData("data.no_batch", 0, 0, 4, 0, 3, {4, 2});
  setData("data.no_size", 0, 0, 4, 2, 0, {4, 2});
  setData("data.no_steps", 0, 0, 0, 2, 3, {0, 0});
  STATUS("data.destroy", cudnnDestroyRNNDataDescriptor(data));
  STATUS("destroy", cudnnDestroyRNNDescriptor(rnn));
}
