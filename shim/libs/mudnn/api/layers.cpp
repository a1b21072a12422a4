// Pooling and batch normalisation.
#include <algorithm>
#include <cmath>

#include "libs/mudnn/api/batch_norm.h"
#include "libs/mudnn/api/tensor_checks.h"
#include "libs/mudnn/operations/pooling/pooling.h"

struct mudnnPoolingStruct {
  mudnnPoolingMode_t mode = MUDNN_POOLING_MAX;
  mudnnNanPropagation_t nan = MUDNN_NOT_PROPAGATE_NAN;
  std::vector<int64_t> window, pads, strides;
};

using namespace musashim::mudnn;

namespace {

mudnnStatus_t setPooling(mudnnPoolingDescriptor_t descriptor, mudnnPoolingMode_t mode,
                         mudnnNanPropagation_t nan, int count, const int* window, const int* pads,
                         const int* strides) {
  if (!descriptor || !window || !pads || !strides || mode < MUDNN_POOLING_MAX ||
      mode > MUDNN_POOLING_MAX_DETERMINISTIC ||
      (nan != MUDNN_NOT_PROPAGATE_NAN && nan != MUDNN_PROPAGATE_NAN) || count < 1)
    return MUDNN_STATUS_BAD_PARAM;
  if (count > MUDNN_DIM_MAX - 2) return MUDNN_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < count; ++i)
    if (window[i] < 1 || strides[i] < 1) return MUDNN_STATUS_BAD_PARAM;
  *descriptor = {mode, nan, {window, window + count}, {pads, pads + count}, {strides, strides + count}};
  return MUDNN_STATUS_SUCCESS;
}

PoolingProblem problemOf(mudnnPoolingDescriptor_t descriptor, const Array& x, const Array& y) {
  require(descriptor && !descriptor->window.empty(), "the pooling's descriptor is missing or was never set");
  PoolingProblem problem;
  problem.mode = descriptor->mode == MUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
                     ? PoolingProblem::Mode::kAverageWithPad
                 : descriptor->mode == MUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING
                     ? PoolingProblem::Mode::kAverageWithoutPad
                     : PoolingProblem::Mode::kMax;
  problem.x = x;
  problem.y = y;
  problem.window = descriptor->window;
  problem.pads = descriptor->pads;
  problem.strides = descriptor->strides;
  problem.dilations.assign(problem.window.size(), 1);
  return problem;
}

std::vector<int64_t> outputOf(mudnnPoolingDescriptor_t descriptor, const Array& x) {
  require(descriptor && !descriptor->window.empty(), "the pooling's descriptor is missing or was never set");
  require(descriptor->window.size() == static_cast<size_t>(x.rank - 2),
          "the descriptors have different numbers of dimensions");
  std::vector<int64_t> sizes{x.sizes[0], x.sizes[1]};
  for (size_t i = 0; i < descriptor->window.size(); ++i)
    sizes.push_back(
        placesAfter(x.sizes[i + 2], descriptor->window[i], descriptor->pads[i], descriptor->strides[i], 1));
  return sizes;
}

void put(int* to, int64_t value) {
  if (to) *to = static_cast<int>(value);
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(Pooling)

MUDNN_ENTRY mudnnSetPooling2dDescriptor(mudnnPoolingDescriptor_t poolingDesc, mudnnPoolingMode_t mode,
                                        mudnnNanPropagation_t maxpoolingNanOpt, int windowHeight,
                                        int windowWidth, int verticalPadding, int horizontalPadding,
                                        int verticalStride, int horizontalStride) {
  const int window[] = {windowHeight, windowWidth}, pads[] = {verticalPadding, horizontalPadding},
            strides[] = {verticalStride, horizontalStride};
  return entry(
      "mudnnSetPooling2dDescriptor",
      [&] { return setPooling(poolingDesc, mode, maxpoolingNanOpt, 2, window, pads, strides); }, poolingDesc,
      mode, maxpoolingNanOpt, windowHeight, windowWidth, verticalPadding, horizontalPadding, verticalStride,
      horizontalStride);
}

MUDNN_ENTRY mudnnGetPooling2dDescriptor(const mudnnPoolingDescriptor_t poolingDesc, mudnnPoolingMode_t* mode,
                                        mudnnNanPropagation_t* maxpoolingNanOpt, int* windowHeight,
                                        int* windowWidth, int* verticalPadding, int* horizontalPadding,
                                        int* verticalStride, int* horizontalStride) {
  return entry(
      "mudnnGetPooling2dDescriptor",
      [&] {
        if (!poolingDesc || poolingDesc->window.size() < 2) return MUDNN_STATUS_BAD_PARAM;
        if (mode) *mode = poolingDesc->mode;
        if (maxpoolingNanOpt) *maxpoolingNanOpt = poolingDesc->nan;
        put(windowHeight, poolingDesc->window[0]);
        put(windowWidth, poolingDesc->window[1]);
        put(verticalPadding, poolingDesc->pads[0]);
        put(horizontalPadding, poolingDesc->pads[1]);
        put(verticalStride, poolingDesc->strides[0]);
        put(horizontalStride, poolingDesc->strides[1]);
        return MUDNN_STATUS_SUCCESS;
      },
      poolingDesc);
}

MUDNN_ENTRY mudnnSetPoolingNdDescriptor(mudnnPoolingDescriptor_t poolingDesc, const mudnnPoolingMode_t mode,
                                        const mudnnNanPropagation_t maxpoolingNanOpt, int nbDims,
                                        const int* windowDimA, const int* paddingA, const int* strideA) {
  return entry(
      "mudnnSetPoolingNdDescriptor",
      [&] { return setPooling(poolingDesc, mode, maxpoolingNanOpt, nbDims, windowDimA, paddingA, strideA); },
      poolingDesc, mode, maxpoolingNanOpt, nbDims, windowDimA, paddingA, strideA);
}

MUDNN_ENTRY mudnnGetPoolingNdDescriptor(const mudnnPoolingDescriptor_t poolingDesc, int nbDimsRequested,
                                        mudnnPoolingMode_t* mode, mudnnNanPropagation_t* maxpoolingNanOpt,
                                        int* nbDims, int* windowDimA, int* paddingA, int* strideA) {
  return entry(
      "mudnnGetPoolingNdDescriptor",
      [&] {
        if (!poolingDesc) return MUDNN_STATUS_BAD_PARAM;
        if (nbDimsRequested < 0 || nbDimsRequested > MUDNN_DIM_MAX - 2) return MUDNN_STATUS_NOT_SUPPORTED;
        if (mode) *mode = poolingDesc->mode;
        if (maxpoolingNanOpt) *maxpoolingNanOpt = poolingDesc->nan;
        const auto count = static_cast<int>(poolingDesc->window.size());
        put(nbDims, count);
        for (int i = 0; i < std::min(count, nbDimsRequested); ++i) {
          const auto d = static_cast<size_t>(i);
          put(windowDimA ? windowDimA + i : nullptr, poolingDesc->window[d]);
          put(paddingA ? paddingA + i : nullptr, poolingDesc->pads[d]);
          put(strideA ? strideA + i : nullptr, poolingDesc->strides[d]);
        }
        return MUDNN_STATUS_SUCCESS;
      },
      poolingDesc, nbDimsRequested);
}

MUDNN_ENTRY mudnnGetPooling2dForwardOutputDim(const mudnnPoolingDescriptor_t poolingDesc,
                                              const mudnnTensorDescriptor_t inputTensorDesc, int* n, int* c,
                                              int* h, int* w) {
  return entry(
      "mudnnGetPooling2dForwardOutputDim",
      [&] {
        const auto sizes = outputOf(poolingDesc, shapeOf(inputTensorDesc));
        if (sizes.size() != 4 || !n || !c || !h || !w) return MUDNN_STATUS_BAD_PARAM;
        put(n, sizes[0]);
        put(c, sizes[1]);
        put(h, sizes[2]);
        put(w, sizes[3]);
        return MUDNN_STATUS_SUCCESS;
      },
      poolingDesc, inputTensorDesc);
}

MUDNN_ENTRY mudnnGetPoolingNdForwardOutputDim(const mudnnPoolingDescriptor_t poolingDesc,
                                              const mudnnTensorDescriptor_t inputTensorDesc, int nbDims,
                                              int* outputTensorDimA) {
  return entry(
      "mudnnGetPoolingNdForwardOutputDim",
      [&] {
        const auto sizes = outputOf(poolingDesc, shapeOf(inputTensorDesc));
        if (!outputTensorDimA || nbDims != static_cast<int>(sizes.size())) return MUDNN_STATUS_BAD_PARAM;
        for (size_t i = 0; i < sizes.size(); ++i) outputTensorDimA[i] = static_cast<int>(sizes[i]);
        return MUDNN_STATUS_SUCCESS;
      },
      poolingDesc, inputTensorDesc, nbDims);
}

MUDNN_ENTRY mudnnPoolingForward(mudnnHandle_t handle, const mudnnPoolingDescriptor_t poolingDesc,
                                const void* alpha, const mudnnTensorDescriptor_t xDesc, const void* x,
                                const void* beta, const mudnnTensorDescriptor_t yDesc, void* y) {
  return work(
      "mudnnPoolingForward", handle,
      [&] {
        const Array in = tensor(xDesc, x), out = tensor(yDesc, y);
        require(in.element == out.element, "the tensors have different types");
        return poolingForward(problemOf(poolingDesc, in, out), Array(), factor(alpha, out),
                              factor(beta, out));
      },
      poolingDesc, alpha, xDesc, x, beta, yDesc, y);
}

MUDNN_ENTRY mudnnPoolingBackward(mudnnHandle_t handle, const mudnnPoolingDescriptor_t poolingDesc,
                                 const void* alpha, const mudnnTensorDescriptor_t yDesc, const void* y,
                                 const mudnnTensorDescriptor_t dyDesc, const void* dy,
                                 const mudnnTensorDescriptor_t xDesc, const void* x, const void* beta,
                                 const mudnnTensorDescriptor_t dxDesc, void* dx) {
  return work(
      "mudnnPoolingBackward", handle,
      [&] {
        const Array out = tensor(yDesc, y), gradOut = tensor(dyDesc, dy), in = tensor(xDesc, x),
                    gradIn = tensor(dxDesc, dx);
        checkPoolingGradient(out, gradOut);
        checkPoolingGradient(in, gradIn);
        requireSameTypes({&in, &out});
        PoolingLargest largest;
        largest.in = in;
        largest.out = out;
        return poolingBackward(problemOf(poolingDesc, gradIn, gradOut), largest, factor(alpha, gradIn),
                               factor(beta, gradIn));
      },
      poolingDesc, alpha, yDesc, y, dyDesc, dy, xDesc, x, beta, dxDesc, dx);
}

MUDNN_ENTRY mudnnDeriveBNTensorDescriptor(mudnnTensorDescriptor_t derivedBnDesc,
                                          const mudnnTensorDescriptor_t xDesc, mudnnBatchNormMode_t mode) {
  return entry(
      "mudnnDeriveBNTensorDescriptor",
      [&] {
        if (!derivedBnDesc || !isMode(mode)) return MUDNN_STATUS_BAD_PARAM;
        const Array in = shapeOf(xDesc);
        Dims sizes = in.sizes;
        sizes[0] = 1;
        for (size_t i = 2; i < static_cast<size_t>(in.rank) && mode != MUDNN_BATCHNORM_PER_ACTIVATION; ++i)
          sizes[i] = 1;
        // Statistics are floats, of doubles doubles.
        const mudnnDataType_t type = xDesc->type == MUDNN_DATA_DOUBLE ? MUDNN_DATA_DOUBLE : MUDNN_DATA_FLOAT;
        *derivedBnDesc = {true, type, contiguousArray(Element::kFloat, nullptr, in.rank, sizes.data())};
        return MUDNN_STATUS_SUCCESS;
      },
      derivedBnDesc, xDesc, mode);
}

MUDNN_ENTRY mudnnBatchNormalizationForwardInference(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const mudnnTensorDescriptor_t xDesc, const void* x, const mudnnTensorDescriptor_t yDesc, void* y,
    const mudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void* bnScale, const void* bnBias,
    const void* estimatedMean, const void* estimatedVariance, double epsilon) {
  return work(
      "mudnnBatchNormalizationForwardInference", handle,
      [&] {
        BatchNormArrays arrays = batchOf(mode, tensor(xDesc, x), tensor(yDesc, y), epsilon);
        arrays.alpha = factor(alpha, arrays.out);
        arrays.beta = factor(beta, arrays.out);
        arrays.scale = tensor(bnScaleBiasMeanVarDesc, bnScale);
        arrays.bias = tensor(bnScaleBiasMeanVarDesc, bnBias);
        checkBatchNorm(arrays.in, arrays.out, arrays.bias);
        arrays.mean = tensor(bnScaleBiasMeanVarDesc, estimatedMean);
        arrays.variance = tensor(bnScaleBiasMeanVarDesc, estimatedVariance);
        return batchNormInference(arrays);
      },
      mode, alpha, beta, xDesc, x, yDesc, y, bnScaleBiasMeanVarDesc, bnScale, bnBias, estimatedMean,
      estimatedVariance, epsilon);
}

MUDNN_ENTRY mudnnBatchNormalizationForwardTraining(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const mudnnTensorDescriptor_t xDesc, const void* x, const mudnnTensorDescriptor_t yDesc, void* y,
    const mudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void* bnScale, const void* bnBias,
    double exponentialAverageFactor, void* resultRunningMean, void* resultRunningVariance, double epsilon,
    void* resultSaveMean, void* resultSaveInvVariance) {
  return work(
      "mudnnBatchNormalizationForwardTraining", handle,
      [&] {
        require(!resultSaveMean == !resultSaveInvVariance, "one of two statistics is missing");
        BatchNormArrays arrays = batchOf(mode, tensor(xDesc, x), tensor(yDesc, y), epsilon);
        arrays.alpha = factor(alpha, arrays.out);
        arrays.beta = factor(beta, arrays.out);
        arrays.scale = tensor(bnScaleBiasMeanVarDesc, bnScale);
        arrays.bias = tensor(bnScaleBiasMeanVarDesc, bnBias);
        checkBatchNorm(arrays.in, arrays.out, arrays.bias);
        arrays.mean = orNone(bnScaleBiasMeanVarDesc, resultRunningMean);
        arrays.variance = orNone(bnScaleBiasMeanVarDesc, resultRunningVariance);
        arrays.savedMean = orNone(bnScaleBiasMeanVarDesc, resultSaveMean);
        arrays.savedInverse = orNone(bnScaleBiasMeanVarDesc, resultSaveInvVariance);
        return batchNormTraining(arrays, exponentialAverageFactor);
      },
      mode, alpha, beta, xDesc, x, yDesc, y, bnScaleBiasMeanVarDesc, bnScale, bnBias,
      exponentialAverageFactor, resultRunningMean, resultRunningVariance, epsilon, resultSaveMean,
      resultSaveInvVariance);
}

MUDNN_ENTRY mudnnBatchNormalizationBackward(
    mudnnHandle_t handle, mudnnBatchNormMode_t mode, const void* alphaDataDiff, const void* betaDataDiff,
    const void* alphaParamDiff, const void* betaParamDiff, const mudnnTensorDescriptor_t xDesc, const void* x,
    const mudnnTensorDescriptor_t dyDesc, const void* dy, const mudnnTensorDescriptor_t dxDesc, void* dx,
    const mudnnTensorDescriptor_t dBnScaleBiasDesc, const void* bnScale, void* dBnScaleResult,
    void* dBnBiasResult, double epsilon, const void* savedMean, const void* savedInvVariance) {
  return work(
      "mudnnBatchNormalizationBackward", handle,
      [&] {
        require(!savedMean == !savedInvVariance, "one of two statistics is missing");
        BatchNormArrays arrays = batchOf(mode, tensor(xDesc, x), tensor(dyDesc, dy), epsilon);
        arrays.scale = tensor(dBnScaleBiasDesc, bnScale);
        checkBatchNorm(arrays.in, arrays.out, arrays.scale);
        arrays.savedMean = orNone(dBnScaleBiasDesc, savedMean);
        arrays.savedInverse = orNone(dBnScaleBiasDesc, savedInvVariance);
        BatchNormGradients gradients;
        gradients.in = tensor(dxDesc, dx);
        gradients.scale = tensor(dBnScaleBiasDesc, dBnScaleResult);
        gradients.bias = tensor(dBnScaleBiasDesc, dBnBiasResult);
        arrays.alpha = factor(alphaDataDiff, gradients.in);
        arrays.beta = factor(betaDataDiff, gradients.in);
        gradients.scaleAlpha = factor(alphaParamDiff, gradients.in);
        gradients.scaleBeta = factor(betaParamDiff, gradients.in);
        return batchNormBackward(arrays, gradients, true);
      },
      mode, alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff, xDesc, x, dyDesc, dy, dxDesc, dx,
      dBnScaleBiasDesc, bnScale, dBnScaleResult, dBnBiasResult, epsilon, savedMean, savedInvVariance);
}

}  // extern "C"
