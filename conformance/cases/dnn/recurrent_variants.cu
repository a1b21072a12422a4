// links: cudnn
// Recurrent networks in float, with fewer biases, with a projection, clipped, without a matrix for the input,
// and with their data laid out otherwise.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.recurrent_variants");

#include "../../framework/dnn_sequences.h"

int main() {
  const cudnnHandle_t handle = makeHandle();
  const auto run = [&](const std::string& key, const Network& n) {
    NetworkRun<double>(handle, key, n).run();
  };
  Network n{CUDNN_LSTM};
  NetworkRun<float>(handle, "lstm_float", n).run();
  for (const auto bias : {CUDNN_RNN_NO_BIAS, CUDNN_RNN_SINGLE_INP_BIAS, CUDNN_RNN_SINGLE_REC_BIAS}) {
    n.bias = bias;
    run("lstm_bias" + std::to_string(bias), n);
    n.mode = CUDNN_GRU;
    run("gru_bias" + std::to_string(bias), n);
    n.mode = CUDNN_LSTM;
  }
  n.bias = CUDNN_RNN_DOUBLE_BIAS;
  n.hidden = 4;
  run("lstm_projection", n);
  n.hidden = 2;
  n.lengths = {1, 3, 2};
  n.layout = CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED;
  run("lstm_batch_major", n);
  n.layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
  n.lengths = {3, 2, 1};
  n.padded = false;
  run("lstm_packed", n);
  n.layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
  n.padded = true;
  n.lengths = {3, 3};
  n.clip = 0.1;
  run("lstm_clip", n);
  n.clip = 0;
  n.input = CUDNN_SKIP_INPUT;
  n.inputs = 2;
  run("lstm_skip", n);
}
