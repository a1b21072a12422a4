// Normalisation over a batch with an activation and an addition behind it, and the calls named Normalization.
#include "libs/mudnn/api/batch_norm.h"

#include <cmath>
#include <memory>

#include "libs/mudnn/api/tensor_checks.h"
#include "libs/mudnn/operations/elementwise/elementwise.h"

using namespace musashim::mudnn;

namespace {

// What is done behind the normalisation: 0 nothing, 1 RELU, 2 an addition and RELU.
struct Behind {
  int ops;
  const mudnnActivationStruct* activation;

  // Only the persistent mode has something behind it; sizes are told for all.
  void check(mudnnBatchNormMode_t mode) const {
    check();
    requireSupport(ops == 0 || mode == MUDNN_BATCHNORM_SPATIAL_PERSISTENT,
                   "an activation needs SPATIAL_PERSISTENT");
  }
  void check() const {
    require(ops >= 0 && ops <= 2, "there is no such operation");
    if (ops == 0) return;
    require(activation, "the activation has no descriptor");
    requireSupport(activation->mode == MUDNN_ACTIVATION_RELU, "the activation is RELU");
  }
};

template <class F>
void forAll(const Array& out, std::initializer_list<Array> inputs, F&& f) {
  if (out.element == Element::kDouble)
    forElements<double>(out, inputs,
                        [&](const double* const* in, double* to, int64_t count) { f(in, to, count); });
  else
    forElements<float>(out, inputs,
                       [&](const float* const* in, float* to, int64_t count) { f(in, to, count); });
}

Work activated(const Work& norm, const Behind& behind, const Array& y, const Array& z) {
  if (behind.ops == 0) return norm;
  if (behind.ops == 2) require(z.data && z.sameSizes(y), "what is added has other sizes than the output");
  const auto positive = [](auto* to, auto value) { *to = value > 0 ? value : decltype(value)(0); };
  return [=] {
    norm();
    if (behind.ops == 2)
      forAll(y, {y, z}, [&](const auto* const* in, auto* to, int64_t count) {
        for (int64_t i = 0; i < count; ++i) positive(to + i, in[0][i] + in[1][i]);
      });
    else
      forAll(y, {y}, [&](const auto* const* in, auto* to, int64_t count) {
        for (int64_t i = 0; i < count; ++i) positive(to + i, in[0][i]);
      });
  };
}

// The gradient as the normalisation sees it: where the output was not positive there is none.
struct Masked {
  Array gradient;
  std::shared_ptr<char[]> memory;  // kept by the work
};
Masked maskedOf(const Array& dy) {
  const bool inDouble = dy.element == Element::kDouble;
  const std::shared_ptr<char[]> memory(
      new char[static_cast<size_t>(dy.count()) * (inDouble ? sizeof(double) : sizeof(float))]);
  return {
      contiguousArray(inDouble ? Element::kDouble : Element::kFloat, memory.get(), dy.rank, dy.sizes.data()),
      memory};
}

struct Gradients {
  Array y, dz;
  BatchNormArrays arrays;  // out: dy
  BatchNormGradients to;
};
Work backward(const Behind& behind, Gradients g) {
  behind.check();
  if (behind.ops == 0) return batchNormBackward(g.arrays, g.to, true);
  const Array dy = g.arrays.out;
  require(g.y.data && g.y.sameSizes(dy), "the output is missing");
  const Masked masked = maskedOf(dy);
  g.arrays.out = masked.gradient;
  const Work norm = batchNormBackward(g.arrays, g.to, true);
  if (behind.ops == 2) require(g.dz.data && g.dz.sameSizes(dy), "the gradient of what was added is missing");
  return [=, y = g.y, dz = g.dz] {
    const auto mask = [](const auto* const* in, auto* to, int64_t count) {
      for (int64_t i = 0; i < count; ++i) to[i] = in[1][i] > 0 ? in[0][i] : 0;
    };
    forAll(masked.gradient, {dy, y}, mask);
    if (behind.ops == 2) forAll(dz, {dy, y}, mask);
    norm();
  };
}

mudnnBatchNormMode_t modeOf(mudnnNormMode_t mode, int groups) {
  require(mode == MUDNN_NORM_PER_ACTIVATION || mode == MUDNN_NORM_PER_CHANNEL, "there is no such mode");
  requireSupport(groups == 1, "there is one group");
  return mode == MUDNN_NORM_PER_ACTIVATION ? MUDNN_BATCHNORM_PER_ACTIVATION : MUDNN_BATCHNORM_SPATIAL;
}

// The body of the calls that tell sizes: nothing is needed.
template <class Check>
mudnnStatus_t noSpace(std::string_view name, mudnnHandle_t handle, size_t* size, Check&& check) {
  return entry(
      name,
      [&] {
        if (!isHandle(handle) || !size) return MUDNN_STATUS_BAD_PARAM;
        check();
        *size = 0;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, size);
}

}  // namespace

extern "C" {

MUDNN_ENTRY mudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, mudnnBatchNormOps_t bnOps,
    const mudnnTensorDescriptor_t xDesc, const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t yDesc,
    const mudnnTensorDescriptor_t, const mudnnActivationDescriptor_t activationDesc, size_t* sizeInBytes) {
  return noSpace("mudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", handle, sizeInBytes, [&] {
    (void)batchOf(mode, shapeOf(xDesc), shapeOf(yDesc), 0);
    Behind{bnOps, activationDesc}.check();
  });
}
MUDNN_ENTRY mudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, mudnnBatchNormOps_t bnOps,
    const mudnnActivationDescriptor_t activationDesc, const mudnnTensorDescriptor_t xDesc,
    size_t* sizeInBytes) {
  return noSpace("mudnnGetBatchNormalizationTrainingExReserveSpaceSize", handle, sizeInBytes, [&] {
    (void)batchOf(mode, shapeOf(xDesc), shapeOf(xDesc), 0);
    Behind{bnOps, activationDesc}.check();
  });
}
MUDNN_ENTRY mudnnGetBatchNormalizationBackwardExWorkspaceSize(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, mudnnBatchNormOps_t bnOps,
    const mudnnTensorDescriptor_t xDesc, const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t dyDesc,
    const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t,
    const mudnnActivationDescriptor_t activationDesc, size_t* sizeInBytes) {
  return noSpace("mudnnGetBatchNormalizationBackwardExWorkspaceSize", handle, sizeInBytes, [&] {
    (void)batchOf(mode, shapeOf(xDesc), shapeOf(dyDesc), 0);
    Behind{bnOps, activationDesc}.check();
  });
}

MUDNN_ENTRY mudnnBatchNormalizationForwardTrainingEx(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, mudnnBatchNormOps_t bnOps, const void* alpha,
    const void* beta, const mudnnTensorDescriptor_t xDesc, const void* xData,
    const mudnnTensorDescriptor_t zDesc, const void* zData, const mudnnTensorDescriptor_t yDesc, void* yData,
    const mudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void* bnScale, const void* bnBias,
    double exponentialAverageFactor, void* resultRunningMean, void* resultRunningVariance, double epsilon,
    void* resultSaveMean, void* resultSaveInvVariance, mudnnActivationDescriptor_t activationDesc,
    void* workspace, size_t workSpaceSizeInBytes, void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  return work(
      "mudnnBatchNormalizationForwardTrainingEx", handle,
      [&] {
        const Behind behind{bnOps, activationDesc};
        behind.check(mode);
        require(!resultSaveMean == !resultSaveInvVariance, "one of two statistics is missing");
        BatchNormArrays arrays = batchOf(mode, tensor(xDesc, xData), tensor(yDesc, yData), epsilon);
        arrays.alpha = factor(alpha, arrays.out);
        arrays.beta = factor(beta, arrays.out);
        arrays.scale = tensor(bnScaleBiasMeanVarDesc, bnScale);
        arrays.bias = tensor(bnScaleBiasMeanVarDesc, bnBias);
        checkBatchNorm(arrays.in, arrays.out, arrays.bias);
        arrays.mean = orNone(bnScaleBiasMeanVarDesc, resultRunningMean);
        arrays.variance = orNone(bnScaleBiasMeanVarDesc, resultRunningVariance);
        arrays.savedMean = orNone(bnScaleBiasMeanVarDesc, resultSaveMean);
        arrays.savedInverse = orNone(bnScaleBiasMeanVarDesc, resultSaveInvVariance);
        return activated(batchNormTraining(arrays, exponentialAverageFactor), behind, arrays.out,
                         orNone(zDesc, zData));
      },
      mode, bnOps, alpha, beta, xDesc, xData, zDesc, zData, yDesc, yData, bnScaleBiasMeanVarDesc, bnScale,
      bnBias, exponentialAverageFactor, resultRunningMean, resultRunningVariance, epsilon, resultSaveMean,
      resultSaveInvVariance, activationDesc, workspace, workSpaceSizeInBytes, reserveSpace,
      reserveSpaceSizeInBytes);
}

MUDNN_ENTRY mudnnBatchNormalizationBackwardEx(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, mudnnBatchNormOps_t bnOps, const void* alphaDataDiff,
    const void* betaDataDiff, const void* alphaParamDiff, const void* betaParamDiff,
    const mudnnTensorDescriptor_t xDesc, const void* xData, const mudnnTensorDescriptor_t yDesc,
    const void* yData, const mudnnTensorDescriptor_t dyDesc, const void* dyData,
    const mudnnTensorDescriptor_t dzDesc, void* dzData, const mudnnTensorDescriptor_t dxDesc, void* dxData,
    const mudnnTensorDescriptor_t dBnScaleBiasDesc, const void* bnScaleData, const void* bnBiasData,
    void* dBnScaleData, void* dBnBiasData, double epsilon, const void* savedMean,
    const void* savedInvVariance, mudnnActivationDescriptor_t activationDesc, void* workSpace,
    size_t workSpaceSizeInBytes, void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  return work(
      "mudnnBatchNormalizationBackwardEx", handle,
      [&] {
        require(!savedMean == !savedInvVariance, "one of two statistics is missing");
        Gradients g;
        g.y = orNone(yDesc, yData);
        g.dz = orNone(dzDesc, dzData);
        g.arrays = batchOf(mode, tensor(xDesc, xData), tensor(dyDesc, dyData), epsilon);
        g.arrays.scale = tensor(dBnScaleBiasDesc, bnScaleData);
        checkBatchNorm(g.arrays.in, g.arrays.out, g.arrays.scale);
        g.arrays.savedMean = orNone(dBnScaleBiasDesc, savedMean);
        g.arrays.savedInverse = orNone(dBnScaleBiasDesc, savedInvVariance);
        g.to.in = tensor(dxDesc, dxData);
        g.to.scale = tensor(dBnScaleBiasDesc, dBnScaleData);
        g.to.bias = tensor(dBnScaleBiasDesc, dBnBiasData);
        g.arrays.alpha = factor(alphaDataDiff, g.to.in);
        g.arrays.beta = factor(betaDataDiff, g.to.in);
        g.to.scaleAlpha = factor(alphaParamDiff, g.to.in);
        g.to.scaleBeta = factor(betaParamDiff, g.to.in);
        const Behind behind{bnOps, activationDesc};
        behind.check(mode);
        return backward(behind, g);
      },
      mode, bnOps, alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff, xDesc, xData, yDesc, yData,
      dyDesc, dyData, dzDesc, dzData, dxDesc, dxData, dBnScaleBiasDesc, bnScaleData, bnBiasData, dBnScaleData,
      dBnBiasData, epsilon, savedMean, savedInvVariance, activationDesc, workSpace, workSpaceSizeInBytes,
      reserveSpace, reserveSpaceSizeInBytes);
}

MUDNN_ENTRY mudnnDeriveNormTensorDescriptor(mudnnTensorDescriptor_t derivedNormScaleBiasDesc,
                                            mudnnTensorDescriptor_t derivedNormMeanVarDesc,
                                            const mudnnTensorDescriptor_t xDesc, mudnnNormMode_t mode,
                                            int groupCnt) {
  return entry(
      "mudnnDeriveNormTensorDescriptor",
      [&] {
        const mudnnBatchNormMode_t batch = modeOf(mode, groupCnt);
        const mudnnStatus_t status = mudnnDeriveBNTensorDescriptor(derivedNormScaleBiasDesc, xDesc, batch);
        return status ? status : mudnnDeriveBNTensorDescriptor(derivedNormMeanVarDesc, xDesc, batch);
      },
      derivedNormScaleBiasDesc, derivedNormMeanVarDesc, xDesc, mode, groupCnt);
}

MUDNN_ENTRY mudnnGetNormalizationForwardTrainingWorkspaceSize(
    mudnnHandle_t handle, mudnnNormMode_t mode, mudnnNormOps_t normOps, mudnnNormAlgo_t,
    const mudnnTensorDescriptor_t xDesc, const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t yDesc,
    const mudnnTensorDescriptor_t, const mudnnActivationDescriptor_t activationDesc,
    const mudnnTensorDescriptor_t, size_t* sizeInBytes, int groupCnt) {
  return noSpace("mudnnGetNormalizationForwardTrainingWorkspaceSize", handle, sizeInBytes, [&] {
    (void)batchOf(modeOf(mode, groupCnt), shapeOf(xDesc), shapeOf(yDesc), 0);
    Behind{normOps, activationDesc}.check();
  });
}
MUDNN_ENTRY mudnnGetNormalizationBackwardWorkspaceSize(
    mudnnHandle_t handle, mudnnNormMode_t mode, mudnnNormOps_t normOps, mudnnNormAlgo_t,
    const mudnnTensorDescriptor_t xDesc, const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t dyDesc,
    const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t, const mudnnTensorDescriptor_t,
    const mudnnActivationDescriptor_t activationDesc, const mudnnTensorDescriptor_t, size_t* sizeInBytes,
    int groupCnt) {
  return noSpace("mudnnGetNormalizationBackwardWorkspaceSize", handle, sizeInBytes, [&] {
    (void)batchOf(modeOf(mode, groupCnt), shapeOf(xDesc), shapeOf(dyDesc), 0);
    Behind{normOps, activationDesc}.check();
  });
}
MUDNN_ENTRY mudnnGetNormalizationTrainingReserveSpaceSize(mudnnHandle_t handle, mudnnNormMode_t mode,
                                                          mudnnNormOps_t normOps, mudnnNormAlgo_t,
                                                          const mudnnActivationDescriptor_t activationDesc,
                                                          const mudnnTensorDescriptor_t xDesc,
                                                          size_t* sizeInBytes, int groupCnt) {
  return noSpace("mudnnGetNormalizationTrainingReserveSpaceSize", handle, sizeInBytes, [&] {
    (void)batchOf(modeOf(mode, groupCnt), shapeOf(xDesc), shapeOf(xDesc), 0);
    Behind{normOps, activationDesc}.check();
  });
}

MUDNN_ENTRY mudnnNormalizationForwardInference(
    mudnnHandle_t handle, mudnnNormMode_t mode, mudnnNormOps_t normOps, mudnnNormAlgo_t algo,
    const void* alpha, const void* beta, const mudnnTensorDescriptor_t xDesc, const void* x,
    const mudnnTensorDescriptor_t normScaleBiasDesc, const void* normScale, const void* normBias,
    const mudnnTensorDescriptor_t normMeanVarDesc, const void* estimatedMean, const void* estimatedVariance,
    const mudnnTensorDescriptor_t zDesc, const void* z, mudnnActivationDescriptor_t activationDesc,
    const mudnnTensorDescriptor_t yDesc, void* y, double epsilon, int groupCnt) {
  return work(
      "mudnnNormalizationForwardInference", handle,
      [&] {
        const Behind behind{normOps, activationDesc};
        behind.check();
        BatchNormArrays arrays = batchOf(modeOf(mode, groupCnt), tensor(xDesc, x), tensor(yDesc, y), epsilon);
        arrays.alpha = factor(alpha, arrays.out);
        arrays.beta = factor(beta, arrays.out);
        arrays.scale = tensor(normScaleBiasDesc, normScale);
        arrays.bias = tensor(normScaleBiasDesc, normBias);
        arrays.mean = tensor(normMeanVarDesc, estimatedMean);
        arrays.variance = tensor(normMeanVarDesc, estimatedVariance);
        return activated(batchNormInference(arrays), behind, arrays.out, orNone(zDesc, z));
      },
      mode, normOps, algo, alpha, beta, xDesc, x, normScaleBiasDesc, normScale, normBias, normMeanVarDesc,
      estimatedMean, estimatedVariance, zDesc, z, activationDesc, yDesc, y, epsilon, groupCnt);
}

MUDNN_ENTRY mudnnNormalizationForwardTraining(
    mudnnHandle_t handle, mudnnNormMode_t mode, mudnnNormOps_t normOps, mudnnNormAlgo_t algo,
    const void* alpha, const void* beta, const mudnnTensorDescriptor_t xDesc, const void* xData,
    const mudnnTensorDescriptor_t normScaleBiasDesc, const void* normScale, const void* normBias,
    double exponentialAverageFactor, const mudnnTensorDescriptor_t normMeanVarDesc, void* resultRunningMean,
    void* resultRunningVariance, double epsilon, void* resultSaveMean, void* resultSaveInvVariance,
    mudnnActivationDescriptor_t activationDesc, const mudnnTensorDescriptor_t zDesc, const void* zData,
    const mudnnTensorDescriptor_t yDesc, void* yData, void* workspace, size_t workSpaceSizeInBytes,
    void* reserveSpace, size_t reserveSpaceSizeInBytes, int groupCnt) {
  return work(
      "mudnnNormalizationForwardTraining", handle,
      [&] {
        const Behind behind{normOps, activationDesc};
        behind.check();
        require(!resultSaveMean == !resultSaveInvVariance, "one of two statistics is missing");
        BatchNormArrays arrays =
            batchOf(modeOf(mode, groupCnt), tensor(xDesc, xData), tensor(yDesc, yData), epsilon);
        arrays.alpha = factor(alpha, arrays.out);
        arrays.beta = factor(beta, arrays.out);
        arrays.scale = tensor(normScaleBiasDesc, normScale);
        arrays.bias = tensor(normScaleBiasDesc, normBias);
        arrays.mean = orNone(normMeanVarDesc, resultRunningMean);
        arrays.variance = orNone(normMeanVarDesc, resultRunningVariance);
        arrays.savedMean = orNone(normMeanVarDesc, resultSaveMean);
        arrays.savedInverse = orNone(normMeanVarDesc, resultSaveInvVariance);
        return activated(batchNormTraining(arrays, exponentialAverageFactor), behind, arrays.out,
                         orNone(zDesc, zData));
      },
      mode, normOps, algo, alpha, beta, xDesc, xData, normScaleBiasDesc, normScale, normBias,
      exponentialAverageFactor, normMeanVarDesc, resultRunningMean, resultRunningVariance, epsilon,
      resultSaveMean, resultSaveInvVariance, activationDesc, zDesc, zData, yDesc, yData, workspace,
      workSpaceSizeInBytes, reserveSpace, reserveSpaceSizeInBytes, groupCnt);
}

MUDNN_ENTRY mudnnNormalizationBackward(
    mudnnHandle_t handle, mudnnNormMode_t mode, mudnnNormOps_t normOps, mudnnNormAlgo_t algo,
    const void* alphaDataDiff, const void* betaDataDiff, const void* alphaParamDiff,
    const void* betaParamDiff, const mudnnTensorDescriptor_t xDesc, const void* xData,
    const mudnnTensorDescriptor_t yDesc, const void* yData, const mudnnTensorDescriptor_t dyDesc,
    const void* dyData, const mudnnTensorDescriptor_t dzDesc, void* dzData,
    const mudnnTensorDescriptor_t dxDesc, void* dxData, const mudnnTensorDescriptor_t dNormScaleBiasDesc,
    const void* normScaleData, const void* normBiasData, void* dNormScaleData, void* dNormBiasData,
    double epsilon, const mudnnTensorDescriptor_t normMeanVarDesc, const void* savedMean,
    const void* savedInvVariance, mudnnActivationDescriptor_t activationDesc, void* workSpace,
    size_t workSpaceSizeInBytes, void* reserveSpace, size_t reserveSpaceSizeInBytes, int groupCnt) {
  return work(
      "mudnnNormalizationBackward", handle,
      [&] {
        require(!savedMean == !savedInvVariance, "one of two statistics is missing");
        Gradients g;
        g.y = orNone(yDesc, yData);
        g.dz = orNone(dzDesc, dzData);
        g.arrays = batchOf(modeOf(mode, groupCnt), tensor(xDesc, xData), tensor(dyDesc, dyData), epsilon);
        g.arrays.scale = tensor(dNormScaleBiasDesc, normScaleData);
        g.arrays.savedMean = orNone(normMeanVarDesc, savedMean);
        g.arrays.savedInverse = orNone(normMeanVarDesc, savedInvVariance);
        g.to.in = tensor(dxDesc, dxData);
        g.to.scale = tensor(dNormScaleBiasDesc, dNormScaleData);
        g.to.bias = tensor(dNormScaleBiasDesc, dNormBiasData);
        g.arrays.alpha = factor(alphaDataDiff, g.to.in);
        g.arrays.beta = factor(betaDataDiff, g.to.in);
        g.to.scaleAlpha = factor(alphaParamDiff, g.to.in);
        g.to.scaleBeta = factor(betaParamDiff, g.to.in);
        return backward({normOps, activationDesc}, g);
      },
      mode, normOps, algo, alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff, xDesc, xData, yDesc,
      yData, dyDesc, dyData, dzDesc, dzData, dxDesc, dxData, dNormScaleBiasDesc, normScaleData, normBiasData,
      dNormScaleData, dNormBiasData, epsilon, normMeanVarDesc, savedMean, savedInvVariance, activationDesc,
      workSpace, workSpaceSizeInBytes, reserveSpace, reserveSpaceSizeInBytes, groupCnt);
}

}  // extern "C"
