// links: cudnn
// Divisive normalisation, by a window of places around each: with means of the elements and without.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.divisive");

static const float kOne = 1, kZero = 0, kTwo = 2, kHalf = 0.5f;

int main() {
  const cudnnHandle_t handle = makeHandle();
  cudnnLRNDescriptor_t norm = nullptr;
  SETUP_DNN(cudnnCreateLRNDescriptor(&norm));
  const Tensor x(CUDNN_DATA_FLOAT, 2, 2, 4, 5), other(CUDNN_DATA_FLOAT, 2, 2, 4, 3);
  DeviceValues<float> in(fractions<float>(80, 1)), means(fractions<float>(80, 2, 0.02)),
      t1(std::vector<float>(80, 0)), t2(std::vector<float>(80, 0)), y(std::vector<float>(80, 1)),
      dy(fractions<float>(80, 3)), dx(std::vector<float>(80, 1)), dMeans(std::vector<float>(80, 1));
  for (const int n : {3, 2, 1}) {
    for (const bool withMeans : {false, true}) {
      const std::string key = "n" + std::to_string(n) + (withMeans ? ".means" : "");
      SETUP_DNN(cudnnSetLRNDescriptor(norm, static_cast<unsigned>(n), 2, 0.75, 1.5));
      const float* const given = withMeans ? static_cast<float*>(means) : nullptr;
      STATUS(key + ".forward",
             cudnnDivisiveNormalizationForward(handle, norm, CUDNN_DIVNORM_PRECOMPUTED_MEANS, &kTwo, x, in,
                                               given, t1, t2, &kHalf, x, y));
      OBSERVE(key + ".forward.is", rounded(y));
      STATUS(key + ".backward",
             cudnnDivisiveNormalizationBackward(handle, norm, CUDNN_DIVNORM_PRECOMPUTED_MEANS, &kOne, x, in,
                                                given, dy, t1, t2, &kZero, x, dx,
                                                withMeans ? static_cast<float*>(dMeans) : nullptr));
      OBSERVE(key + ".backward.dx", rounded(dx, 2));
      if (withMeans) OBSERVE(key + ".backward.means", rounded(dMeans, 2));
    }
  }
  const auto refuses = [&](const std::string& key, int mode, const float* from, float* temporary,
                           cudnnTensorDescriptor_t out) {
    STATUS("refuses." + key,
           cudnnDivisiveNormalizationForward(handle, norm, static_cast<cudnnDivNormMode_t>(mode), &kOne, x,
                                             from, nullptr, temporary, t2, &kZero, out, y));
  };
  refuses("mode", 5, in, t1, x);
  refuses("size", 0, in, t1, other);
  refuses("no_x", 0, nullptr, t1, x);
  refuses("no_temporary", 0, in, nullptr, x);
  refuses("type", 0, in, t1, Tensor(CUDNN_DATA_HALF, 2, 2, 4, 5));
  refuses("rank", 0, in, t1, Tensor(CUDNN_DATA_FLOAT, {2, 2, 4, 5, 1}));
  STATUS("destroy", cudnnDestroyLRNDescriptor(norm));
}
