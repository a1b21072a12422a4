// links: cudnn
// CTC loss of lengths that leave no path, or that are none.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.ctc_lengths");

int main() {
  const cudnnHandle_t handle = makeHandle();
  cudnnCTCLossDescriptor_t loss = nullptr;
  SETUP_DNN(cudnnCreateCTCLossDescriptor(&loss));
  const int time = 5, batch = 3, classes = 4;
  const Tensor probabilities(CUDNN_DATA_FLOAT, {time, batch, classes});
  const std::vector<float> logits = fractions<float>(time * batch * classes, 1, 0.2);
  const std::vector<int> labels = {1, 2, 3, 3, 1}, labelLengths = {2, 2, 1}, inputLengths = {5, 4, 3};
  DeviceValues<float> costs(std::vector<float>(batch, 0)), gradients(std::vector<float>(logits.size(), 0));
  SETUP_DNN(cudnnSetCTCLossDescriptorEx(loss, CUDNN_DATA_FLOAT, CUDNN_LOSS_NORMALIZATION_SOFTMAX,
                                        CUDNN_NOT_PROPAGATE_NAN));
  DeviceValues<float> x(logits);
  const Space space(1 << 20);
  const auto ask = [&](const std::string& key, const std::vector<int>& l, const std::vector<int>& ll,
                       const std::vector<int>& il, bool shown) {
    costs.set(std::vector<float>(batch, -5));
    STATUS(key,
           cudnnCTCLoss(handle, probabilities, x, l.data(), ll.data(), il.data(), costs, probabilities,
                        gradients, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, loss, space.data(), space.bytes()));
    if (shown) OBSERVE(key + ".costs", rounded(costs));
  };
  ask("no_path", {1, 1, 1, 3, 3, 1}, {3, 2, 1}, {2, 5, 5}, true);
  ask("no_label", {3, 3, 1}, {0, 2, 1}, {5, 5, 5}, true);
  ask("too_long_input", labels, labelLengths, {6, 4, 3}, false);
  ask("negative_label_length", labels, {-1, 2, 1}, inputLengths, false);
}
