// links: cudnn
// The calls named cudnnNormalization...: per channel and per activation, sizes of what they keep.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.norms");

int main() {
  const cudnnHandle_t handle = makeHandle();
  const float one = 1, zero = 0;
  const Tensor x(CUDNN_DATA_FLOAT, 3, 2, 2, 2);
  for (const int mode : {0, 1}) {
    const std::string key = "mode" + std::to_string(mode);
    const auto m = static_cast<cudnnNormMode_t>(mode);
    const size_t count = mode == 0 ? 8 : 2;
    const Tensor scaleBias, meanVariance;
    STATUS(key + ".derive", cudnnDeriveNormTensorDescriptor(scaleBias, meanVariance, x, m, 1));
    int sizes[4] = {}, strides[4] = {}, rank = 0;
    cudnnDataType_t type = CUDNN_DATA_HALF;
    STATUS(key + ".derived", cudnnGetTensorNdDescriptor(scaleBias, 4, &type, &rank, sizes, strides));
    OBSERVE(key + ".derived.is", numbers(sizes, 4));
    STATUS(key + ".derived_mean", cudnnGetTensorNdDescriptor(meanVariance, 4, &type, &rank, sizes, strides));
    OBSERVE(key + ".derived_mean.is", numbers(sizes, 4));
    STATUS(key + ".groups", cudnnDeriveNormTensorDescriptor(scaleBias, meanVariance, x, m, 2));
    size_t space = 0, kept = 0, back = 0;
    STATUS(key + ".space", cudnnGetNormalizationForwardTrainingWorkspaceSize(
                               handle, m, CUDNN_NORM_OPS_NORM, CUDNN_NORM_ALGO_STANDARD, x, nullptr, x,
                               scaleBias, nullptr, meanVariance, &space, 1));
    STATUS(key + ".kept",
           cudnnGetNormalizationTrainingReserveSpaceSize(handle, m, CUDNN_NORM_OPS_NORM,
                                                         CUDNN_NORM_ALGO_STANDARD, nullptr, x, &kept, 1));
    STATUS(key + ".space_back", cudnnGetNormalizationBackwardWorkspaceSize(
                                    handle, m, CUDNN_NORM_OPS_NORM, CUDNN_NORM_ALGO_STANDARD, x, nullptr, x,
                                    nullptr, x, scaleBias, nullptr, meanVariance, &back, 1));
    const Space work(space > back ? space : back), reserve(kept);
    DeviceValues<float> dataX(wholes<float>(24, 1)), dataY(std::vector<float>(24, 0)),
        scale(wholes<float>(count, 2, 1, 3)), bias(wholes<float>(count, 3)),
        mean(std::vector<float>(count, 1)), variance(std::vector<float>(count, 2)),
        saved(std::vector<float>(count, 0)), inverse(std::vector<float>(count, 0)), dy(wholes<float>(24, 4)),
        dx(std::vector<float>(24, 0)), dScale(std::vector<float>(count, 0)),
        dBias(std::vector<float>(count, 0));
    STATUS(key + ".training",
           cudnnNormalizationForwardTraining(
               handle, m, CUDNN_NORM_OPS_NORM, CUDNN_NORM_ALGO_STANDARD, &one, &zero, x, dataX, scaleBias,
               scale, bias, 0.25, meanVariance, mean, variance, 1e-3, saved, inverse, nullptr, nullptr,
               nullptr, x, dataY, work.data(), work.bytes(), reserve.data(), reserve.bytes(), 1));
    OBSERVE(key + ".training.y", rounded(dataY));
    OBSERVE(key + ".training.running", rounded(mean) + " / " + rounded(variance));
    STATUS(key + ".backward", cudnnNormalizationBackward(
                                  handle, m, CUDNN_NORM_OPS_NORM, CUDNN_NORM_ALGO_STANDARD, &one, &zero, &one,
                                  &zero, x, dataX, nullptr, nullptr, x, dy, nullptr, nullptr, x, dx,
                                  scaleBias, scale, bias, dScale, dBias, 1e-3, meanVariance, saved, inverse,
                                  nullptr, work.data(), work.bytes(), reserve.data(), reserve.bytes(), 1));
    OBSERVE(key + ".backward.dx", rounded(dx, 2));
    OBSERVE(key + ".backward.scale", rounded(dScale) + " / " + rounded(dBias));
    STATUS(key + ".inference",
           cudnnNormalizationForwardInference(handle, m, CUDNN_NORM_OPS_NORM, CUDNN_NORM_ALGO_STANDARD, &one,
                                              &zero, x, dataX, scaleBias, scale, bias, meanVariance, mean,
                                              variance, nullptr, nullptr, nullptr, x, dataY, 1e-3, 1));
    OBSERVE(key + ".inference.y", rounded(dataY));
    STATUS(key + ".inference_groups",
           cudnnNormalizationForwardInference(handle, m, CUDNN_NORM_OPS_NORM, CUDNN_NORM_ALGO_STANDARD, &one,
                                              &zero, x, dataX, scaleBias, scale, bias, meanVariance, mean,
                                              variance, nullptr, nullptr, nullptr, x, dataY, 1e-3, 2));
  }
}
