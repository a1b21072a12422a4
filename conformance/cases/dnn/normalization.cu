// links: cudnn
// Normalisation: over a batch (also with an activation and an addition behind it), over channels nearby,
// divisive.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.normalization");

static const float kOne = 1, kZero = 0;

static void batchNorm(cudnnHandle_t handle) {
  const Tensor x(CUDNN_DATA_FLOAT, 3, 2, 2, 2);
  for (const int mode : {0, 1, 2}) {
    const std::string key = "batch" + std::to_string(mode);
    const auto m = static_cast<cudnnBatchNormMode_t>(mode);
    const Tensor derived;
    STATUS(key + ".derive", cudnnDeriveBNTensorDescriptor(derived, x, m));
    int sizes[4] = {}, strides[4] = {}, rank = 0;
    cudnnDataType_t type = CUDNN_DATA_HALF;
    STATUS(key + ".derived", cudnnGetTensorNdDescriptor(derived, 4, &type, &rank, sizes, strides));
    OBSERVE(key + ".derived.is", numbers(sizes, 4) + " type " + std::to_string(type));
    const size_t count = mode == 0 ? 8 : 2;
    DeviceValues<float> dataX(wholes<float>(24, 1)), dataY(std::vector<float>(24, 0)),
        scale(wholes<float>(count, 2, 1, 3)), bias(wholes<float>(count, 3)),
        mean(std::vector<float>(count, 1)), variance(std::vector<float>(count, 2)),
        saved(std::vector<float>(count, 0)), inverse(std::vector<float>(count, 0)), dy(wholes<float>(24, 4)),
        dx(std::vector<float>(24, 0)), dScale(std::vector<float>(count, 0)),
        dBias(std::vector<float>(count, 0));
    STATUS(key + ".training",
           cudnnBatchNormalizationForwardTraining(handle, m, &kOne, &kZero, x, dataX, x, dataY, derived,
                                                  scale, bias, 0.25, mean, variance, 1e-3, saved, inverse));
    OBSERVE(key + ".training.y", rounded(dataY));
    OBSERVE(key + ".training.mean", rounded(mean));
    OBSERVE(key + ".training.variance", rounded(variance));
    OBSERVE(key + ".training.saved", rounded(saved) + " / " + rounded(inverse));
    STATUS(key + ".backward",
           cudnnBatchNormalizationBackward(handle, m, &kOne, &kZero, &kOne, &kZero, x, dataX, x, dy, x, dx,
                                           derived, scale, dScale, dBias, 1e-3, saved, inverse));
    OBSERVE(key + ".backward.dx", rounded(dx, 2));
    OBSERVE(key + ".backward.scale", rounded(dScale) + " / " + rounded(dBias));
    STATUS(key + ".backward_alone",
           cudnnBatchNormalizationBackward(handle, m, &kOne, &kZero, &kOne, &kZero, x, dataX, x, dy, x, dx,
                                           derived, scale, dScale, dBias, 1e-3, nullptr, nullptr));
    OBSERVE(key + ".backward_alone.dx", rounded(dx, 2));
    STATUS(key + ".inference",
           cudnnBatchNormalizationForwardInference(handle, m, &kOne, &kZero, x, dataX, x, dataY, derived,
                                                   scale, bias, mean, variance, 1e-3));
    OBSERVE(key + ".inference.y", rounded(dataY));
    STATUS(key + ".no_running",
           cudnnBatchNormalizationForwardTraining(handle, m, &kOne, &kZero, x, dataX, x, dataY, derived,
                                                  scale, bias, 0.25, nullptr, nullptr, 1e-3, saved, inverse));
    STATUS(key + ".half_running",
           cudnnBatchNormalizationForwardTraining(handle, m, &kOne, &kZero, x, dataX, x, dataY, derived,
                                                  scale, bias, 0.25, mean, nullptr, 1e-3, saved, inverse));
    STATUS(key + ".epsilon",
           cudnnBatchNormalizationForwardInference(handle, m, &kOne, &kZero, x, dataX, x, dataY, derived,
                                                   scale, bias, mean, variance, -1e-3));
    STATUS(key + ".mismatch", cudnnBatchNormalizationForwardInference(
                                  handle, m, &kOne, &kZero, x, dataX, Tensor(CUDNN_DATA_FLOAT, 3, 2, 2, 1),
                                  dataY, derived, scale, bias, mean, variance, 1e-3));
    STATUS(key + ".parameters", cudnnBatchNormalizationForwardInference(
                                    handle, m, &kOne, &kZero, x, dataX, x, dataY,
                                    Tensor(CUDNN_DATA_FLOAT, 1, 3, 1, 1), scale, bias, mean, variance, 1e-3));
  }
  const Tensor derived;
  STATUS("batch.mode", cudnnDeriveBNTensorDescriptor(derived, x, static_cast<cudnnBatchNormMode_t>(9)));
  STATUS("batch.half", cudnnDeriveBNTensorDescriptor(derived, Tensor(CUDNN_DATA_HALF, 3, 2, 2, 2),
                                                     CUDNN_BATCHNORM_SPATIAL));
  int sizes[4] = {}, strides[4] = {}, rank = 0;
  cudnnDataType_t type = CUDNN_DATA_HALF;
  STATUS("batch.half.derived", cudnnGetTensorNdDescriptor(derived, 4, &type, &rank, sizes, strides));
  OBSERVE("batch.half.type", static_cast<int>(type));
}

static void withActivation(cudnnHandle_t handle) {
  const Tensor x(CUDNN_DATA_FLOAT, 3, 4, 2, 2, CUDNN_TENSOR_NHWC), derived(CUDNN_DATA_FLOAT, 1, 4, 1, 1);
  const ActivationOf relu(CUDNN_ACTIVATION_RELU);
  for (const int ops : {0, 1, 2}) {
    const std::string key = "extended" + std::to_string(ops);
    const auto o = static_cast<cudnnBatchNormOps_t>(ops);
    const cudnnBatchNormMode_t m = CUDNN_BATCHNORM_SPATIAL;
    const cudnnTensorDescriptor_t z = ops == 2 ? static_cast<cudnnTensorDescriptor_t>(x) : nullptr;
    const cudnnActivationDescriptor_t activation =
        ops == 0 ? nullptr : static_cast<cudnnActivationDescriptor_t>(relu);
    size_t space = 0, kept = 0, back = 0;
    STATUS(key + ".space", cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
                               handle, m, o, x, z, x, derived, activation, &space));
    STATUS(key + ".kept",
           cudnnGetBatchNormalizationTrainingExReserveSpaceSize(handle, m, o, activation, x, &kept));
    STATUS(key + ".space_back", cudnnGetBatchNormalizationBackwardExWorkspaceSize(
                                    handle, m, o, x, x, x, z, x, derived, activation, &back));
    const Space work(space > back ? space : back), reserve(kept);
    DeviceValues<float> dataX(wholes<float>(48, 1)), dataZ(wholes<float>(48, 2)),
        dataY(std::vector<float>(48, 0)), scale(wholes<float>(4, 2, 1, 3)), bias(wholes<float>(4, 3)),
        mean(std::vector<float>(4, 1)), variance(std::vector<float>(4, 2)), saved(std::vector<float>(4, 0)),
        inverse(std::vector<float>(4, 0)), dy(wholes<float>(48, 4)), dx(std::vector<float>(48, 0)),
        dz(std::vector<float>(48, 0)), dScale(std::vector<float>(4, 0)), dBias(std::vector<float>(4, 0));
    STATUS(key + ".training",
           cudnnBatchNormalizationForwardTrainingEx(
               handle, m, o, &kOne, &kZero, x, dataX, z, ops == 2 ? static_cast<float*>(dataZ) : nullptr, x,
               dataY, derived, scale, bias, 0.5, mean, variance, 1e-3, saved, inverse, activation,
               work.data(), work.bytes(), reserve.data(), reserve.bytes()));
    OBSERVE(key + ".training.y", rounded(dataY));
    OBSERVE(key + ".training.running", rounded(mean) + " / " + rounded(variance));
    STATUS(key + ".backward",
           cudnnBatchNormalizationBackwardEx(handle, m, o, &kOne, &kZero, &kOne, &kZero, x, dataX,
                                             ops ? static_cast<cudnnTensorDescriptor_t>(x) : nullptr,
                                             ops ? static_cast<float*>(dataY) : nullptr, x, dy, z,
                                             ops == 2 ? static_cast<float*>(dz) : nullptr, x, dx, derived,
                                             scale, bias, dScale, dBias, 1e-3, saved, inverse, activation,
                                             work.data(), work.bytes(), reserve.data(), reserve.bytes()));
    OBSERVE(key + ".backward.dx", rounded(dx, 2));
    OBSERVE(key + ".backward.dz", rounded(dz, 2));
    OBSERVE(key + ".backward.scale", rounded(dScale) + " / " + rounded(dBias));
  }
}

static void nearby(cudnnHandle_t handle) {
  cudnnLRNDescriptor_t lrn = nullptr;
  STATUS("lrn.create", cudnnCreateLRNDescriptor(&lrn));
  unsigned n = 0;
  double alpha = 0, beta = 0, k = 0;
  STATUS("lrn.get", cudnnGetLRNDescriptor(lrn, &n, &alpha, &beta, &k));
  OBSERVE("lrn.first", rounded(std::vector<double>{static_cast<double>(n), alpha, beta, k}, 6));
  const auto set = [&](const std::string& key, unsigned size, double a, double b, double c) {
    STATUS(key, cudnnSetLRNDescriptor(lrn, size, a, b, c));
  };
  set("lrn.n0", 0, 1e-4, 0.75, 2);
  set("lrn.n1", 1, 1e-4, 0.75, 2);
  set("lrn.n16", 16, 1e-4, 0.75, 2);
  set("lrn.n17", 17, 1e-4, 0.75, 2);
  set("lrn.small_k", 5, 1e-4, 0.75, 1e-6);
  set("lrn.small_beta", 5, 1e-4, 0.001, 2);
  set("lrn.set", 3, 0.5, 0.75, 1);
  const Tensor x(CUDNN_DATA_FLOAT, 1, 5, 1, 2);
  DeviceValues<float> dataX(wholes<float>(10, 1)), dataY(std::vector<float>(10, 0)), dy(wholes<float>(10, 2)),
      dx(std::vector<float>(10, 0));
  for (const unsigned size : {3u, 4u}) {
    const std::string key = "lrn.size" + std::to_string(size);
    SETUP_DNN(cudnnSetLRNDescriptor(lrn, size, 0.5, 0.75, 1));
    STATUS(key + ".forward", cudnnLRNCrossChannelForward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne, x,
                                                         dataX, &kZero, x, dataY));
    OBSERVE(key + ".forward.is", rounded(dataY));
    STATUS(key + ".backward", cudnnLRNCrossChannelBackward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne,
                                                           x, dataY, x, dy, x, dataX, &kZero, x, dx));
    OBSERVE(key + ".backward.is", rounded(dx));
  }
  STATUS("lrn.mode", cudnnLRNCrossChannelForward(handle, lrn, static_cast<cudnnLRNMode_t>(3), &kOne, x, dataX,
                                                 &kZero, x, dataY));
  STATUS("lrn.mismatch",
         cudnnLRNCrossChannelForward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne, x, dataX, &kZero,
                                     Tensor(CUDNN_DATA_FLOAT, 1, 5, 2, 1), dataY));
  STATUS("lrn.destroy", cudnnDestroyLRNDescriptor(lrn));
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  batchNorm(handle);
  withActivation(handle);
  nearby(handle);
}
