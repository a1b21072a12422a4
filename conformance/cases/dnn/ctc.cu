// links: cudnn
// CTC loss: costs and gradients by both calls, what descriptors refuse.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.ctc");

int main() {
  const cudnnHandle_t handle = makeHandle();
  cudnnCTCLossDescriptor_t loss = nullptr;
  STATUS("create", cudnnCreateCTCLossDescriptor(&loss));
  STATUS("set", cudnnSetCTCLossDescriptor(loss, CUDNN_DATA_FLOAT));
  STATUS("set_half", cudnnSetCTCLossDescriptor(loss, CUDNN_DATA_HALF));
  STATUS("set_double", cudnnSetCTCLossDescriptor(loss, CUDNN_DATA_DOUBLE));
  cudnnDataType_t type = CUDNN_DATA_INT8;
  SETUP_DNN(cudnnSetCTCLossDescriptor(loss, CUDNN_DATA_FLOAT));
  STATUS("get", cudnnGetCTCLossDescriptor(loss, &type));
  OBSERVE("get.is", static_cast<int>(type));
  const int time = 5, batch = 3, classes = 4;
  const Tensor probabilities(CUDNN_DATA_FLOAT, {time, batch, classes});
  const std::vector<float> logits = fractions<float>(time * batch * classes, 1, 0.2);
  std::vector<float> shares = logits;
  for (size_t row = 0; row < shares.size(); row += classes) {
    float sum = 0;
    for (size_t i = row; i < row + classes; ++i) sum += shares[i] = expf(logits[i]);
    for (size_t i = row; i < row + classes; ++i) shares[i] /= sum;
  }
  const std::vector<int> labels = {1, 2, 3, 3, 1}, labelLengths = {2, 2, 1}, inputLengths = {5, 4, 3};
  DeviceValues<float> costs(std::vector<float>(batch, 0)), gradients(std::vector<float>(shares.size(), 0));
  DeviceValues<int> deviceLabels(labels), deviceLabelLengths(labelLengths), deviceInputLengths(inputLengths);
  for (const int normalization : {0, 1}) {
    DeviceValues<float> x(normalization ? logits : shares);
    for (const int algorithm : {0, 1}) {
      const std::string key = "ctc" + std::to_string(normalization) + "." + std::to_string(algorithm);
      const auto a = static_cast<cudnnCTCLossAlgo_t>(algorithm);
      STATUS(key + ".set",
             cudnnSetCTCLossDescriptorEx(loss, CUDNN_DATA_FLOAT,
                                         static_cast<cudnnLossNormalizationMode_t>(normalization),
                                         CUDNN_NOT_PROPAGATE_NAN));
      size_t bytes = 0;
      STATUS(key + ".space",
             cudnnGetCTCLossWorkspaceSize(handle, probabilities, probabilities, labels.data(),
                                          labelLengths.data(), inputLengths.data(), a, loss, &bytes));
      const Space space(bytes);
      STATUS(key,
             cudnnCTCLoss(handle, probabilities, x, labels.data(), labelLengths.data(), inputLengths.data(),
                          costs, probabilities, gradients, a, loss, space.data(), space.bytes()));
      OBSERVE(key + ".costs", rounded(costs));
      OBSERVE(key + ".gradients", rounded(gradients, 2));
    }
    const std::string key = "ctc" + std::to_string(normalization) + ".v8";
    STATUS(key + ".set", cudnnSetCTCLossDescriptor_v8(
                             loss, CUDNN_DATA_FLOAT, static_cast<cudnnLossNormalizationMode_t>(normalization),
                             CUDNN_NOT_PROPAGATE_NAN, 2));
    size_t bytes = 0;
    STATUS(key + ".space", cudnnGetCTCLossWorkspaceSize_v8(handle, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, loss,
                                                           probabilities, probabilities, &bytes));
    const Space space(bytes);
    gradients.set(std::vector<float>(shares.size(), 0));
    STATUS(key, cudnnCTCLoss_v8(handle, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, loss, probabilities, x,
                                deviceLabels, deviceLabelLengths, deviceInputLengths, costs, probabilities,
                                gradients, space.bytes(), space.data()));
    OBSERVE(key + ".costs", rounded(costs));
    OBSERVE(key + ".gradients", rounded(gradients, 2));
  }
  size_t bytes = 0;
  STATUS("space.type",
         cudnnGetCTCLossWorkspaceSize(handle, Tensor(CUDNN_DATA_HALF, {time, batch, classes}), probabilities,
                                      labels.data(), labelLengths.data(), inputLengths.data(),
                                      CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, loss, &bytes));
  STATUS("space.algorithm", cudnnGetCTCLossWorkspaceSize(handle, probabilities, probabilities, labels.data(),
                                                         labelLengths.data(), inputLengths.data(),
                                                         static_cast<cudnnCTCLossAlgo_t>(5), loss, &bytes));
  STATUS("space.mismatch",
         cudnnGetCTCLossWorkspaceSize(
             handle, probabilities, Tensor(CUDNN_DATA_FLOAT, {time, batch, classes + 1}), labels.data(),
             labelLengths.data(), inputLengths.data(), CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, loss, &bytes));
  STATUS("destroy", cudnnDestroyCTCLossDescriptor(loss));
}
