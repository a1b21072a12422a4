// links: cudnn
// Dropout: what is random is not observed, but that it is kept, undone and repeated.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.dropout");

int main() {
  const cudnnHandle_t handle = makeHandle();
  cudnnDropoutDescriptor_t dropout = nullptr;
  STATUS("create", cudnnCreateDropoutDescriptor(&dropout));
  size_t bytes = 0, kept = 0;
  STATUS("states", cudnnDropoutGetStatesSize(handle, &bytes));
  OBSERVE("states.some", bytes > 0);
  const Tensor x(CUDNN_DATA_FLOAT, 1, 4, 16, 16);
  STATUS("reserve", cudnnDropoutGetReserveSpaceSize(x, &kept));
  OBSERVE("reserve.enough", kept >= 1024 / 8);
  const Space states(bytes), reserve(kept);
  for (const float p : {0.0f, 0.25f, 1.0f, -0.1f, 1.5f})
    STATUS("p" + rounded(std::vector<float>{p}),
           cudnnSetDropoutDescriptor(dropout, handle, p, states.data(), states.bytes(), 1));
  STATUS("small_states", cudnnSetDropoutDescriptor(dropout, handle, 0.5f, states.data(), 8, 1));
  STATUS("no_states", cudnnSetDropoutDescriptor(dropout, handle, 0.5f, nullptr, 0, 1));
  DeviceValues<float> dataX(std::vector<float>(1024, 3)), dataY(std::vector<float>(1024, 0)),
      dataDx(std::vector<float>(1024, 0));
  for (const float p : {0.0f, 0.25f, 1.0f}) {
    const std::string key = "run" + rounded(std::vector<float>{p});
    SETUP_DNN(cudnnSetDropoutDescriptor(dropout, handle, p, states.data(), states.bytes(), 7));
    STATUS(key + ".forward",
           cudnnDropoutForward(handle, dropout, x, dataX, x, dataY, reserve.data(), reserve.bytes()));
    const std::vector<float> first = dataY.get();
    int zeros = 0, scaled = 0;
    for (const float value : first) {
      zeros += value == 0;
      scaled += fabsf(value * (1 - p) - 3) < 1e-4f;
    }
    OBSERVE(key + ".zero_or_scaled", zeros + scaled == 1024);
    OBSERVE(key + ".about_p", fabs(zeros / 1024.0 - p) < 0.06);
    STATUS(key + ".backward",
           cudnnDropoutBackward(handle, dropout, x, dataX, x, dataDx, reserve.data(), reserve.bytes()));
    OBSERVE(key + ".the_same_ones", dataDx.get() == first);
    STATUS(key + ".again",
           cudnnDropoutForward(handle, dropout, x, dataX, x, dataY, reserve.data(), reserve.bytes()));
    OBSERVE(key + ".goes_on", dataY.get() != first);
    SETUP_DNN(cudnnSetDropoutDescriptor(dropout, handle, p, states.data(), states.bytes(), 7));
    SETUP_DNN(cudnnDropoutForward(handle, dropout, x, dataX, x, dataY, reserve.data(), reserve.bytes()));
    OBSERVE(key + ".repeats_with_the_seed", dataY.get() == first);
  }
  STATUS("small_reserve", cudnnDropoutForward(handle, dropout, x, dataX, x, dataY, reserve.data(), 1));
  STATUS("mismatch", cudnnDropoutForward(handle, dropout, x, dataX, Tensor(CUDNN_DATA_FLOAT, 1, 4, 16, 8),
                                         dataY, reserve.data(), reserve.bytes()));
  float p = -1;
  void* where = nullptr;
  unsigned long long seed = 0;
  STATUS("get", cudnnGetDropoutDescriptor(dropout, handle, &p, &where, &seed));
  OBSERVE("get.is", rounded(std::vector<float>{p}) + " " + std::to_string(seed) + " " +
                        (where == states.data() ? "same" : "other"));
  STATUS("restore", cudnnRestoreDropoutDescriptor(dropout, handle, 0.25f, states.data(), states.bytes(), 9));
  STATUS("restore_small", cudnnRestoreDropoutDescriptor(dropout, handle, 0.25f, states.data(), 8, 9));
  STATUS("destroy", cudnnDestroyDropoutDescriptor(dropout));
}
