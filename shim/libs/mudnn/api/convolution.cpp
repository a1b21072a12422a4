// Convolutions.
#include "libs/mudnn/operations/convolution.h"

#include "libs/mudnn/api/convolution.h"
#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/api/tensor_checks.h"
#include "libs/mudnn/operations/reduce.h"

using musashim::mudnn::activationOf;
using musashim::mudnn::Array;
using musashim::mudnn::ConvolutionProblem;
using musashim::mudnn::ConvolutionTail;
using musashim::mudnn::Element;
using musashim::mudnn::entry;
using musashim::mudnn::factor;
using musashim::mudnn::filter;
using musashim::mudnn::fitsBehind;
using musashim::mudnn::isHandle;
using musashim::mudnn::queue;
using musashim::mudnn::require;
using musashim::mudnn::requireSameTypes;
using musashim::mudnn::requireSupport;
using musashim::mudnn::shapeOf;
using musashim::mudnn::tensor;
using musashim::mudnn::work;

namespace {

// The types that go together, as cuDNN's documentation has them.
void checkTypes(const mudnnConvolutionStruct& descriptor, const Array& x, const Array& w, const Array& y) {
  const mudnnDataType_t computes = descriptor.computeType;
  requireSupport(x.element == w.element, "input and filter have different types");
  switch (x.element) {
    case Element::kFloat:
    case Element::kBfloat16:
      requireSupport(computes == MUDNN_DATA_FLOAT, "it computes in float");
      break;
    case Element::kHalf:
      requireSupport(computes == MUDNN_DATA_FLOAT || computes == MUDNN_DATA_HALF,
                     "it computes in float or half");
      break;
    case Element::kDouble:
      requireSupport(computes == MUDNN_DATA_DOUBLE, "it computes in double");
      break;
    default:
      requireSupport(computes == MUDNN_DATA_INT32, "it computes in int32");
      requireSupport(x.strides[1] == 1, "integers have channels last");
      requireSupport(y.element == x.element || y.element == Element::kFloat,
                     "the output is of integers or floats");
      return;
  }
  requireSupport(y.element == x.element, "input and output have different types");
}

ConvolutionProblem problemOf(mudnnConvolutionDescriptor_t descriptor, const Array& x, const Array& w,
                             const Array& y) {
  require(descriptor && !descriptor->pads.empty(),
          "the convolution's descriptor is missing or was never set");
  checkTypes(*descriptor, x, w, y);
  return {x,
          w,
          y,
          descriptor->groups,
          descriptor->mode == MUDNN_CONVOLUTION,
          descriptor->pads,
          descriptor->strides,
          descriptor->dilations};
}

template <class Algorithm>
void checkAlgorithm(Algorithm algorithm, Algorithm count) {
  requireSupport(algorithm >= 0 && algorithm < count, "there is no such algorithm");
}
// All are one here, but each takes only what cuDNN's takes.
const ConvolutionProblem& checkForward(mudnnConvolutionFwdAlgo_t algorithm,
                                       const ConvolutionProblem& problem) {
  checkAlgorithm(algorithm, MUDNN_CONVOLUTION_FWD_ALGO_COUNT);
  requireSupport(algorithm != MUDNN_CONVOLUTION_FWD_ALGO_DIRECT, "cuDNN has no such algorithm");
  if (algorithm < MUDNN_CONVOLUTION_FWD_ALGO_FFT) return problem;
  const bool isWinograd = algorithm >= MUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD;
  for (size_t i = 0; i < problem.strides.size(); ++i) {
    requireSupport(problem.strides[i] == 1 && problem.dilations[i] == 1,
                   "transforms have a stride and dilation of 1");
    const int64_t window = problem.w.sizes[i + 2];
    requireSupport(
        !isWinograd || window == 3 || (window == 5 && algorithm != MUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD),
        "Winograd's transform has a window of 3");
  }
  return problem;
}

// The body of an entry that only looks at its descriptors.
template <class Body, class... Args>
mudnnStatus_t query(std::string_view name, mudnnHandle_t handle, Body&& body, const Args&... args) {
  return entry(name, [&] { return isHandle(handle) ? body() : MUDNN_STATUS_BAD_PARAM; }, handle, args...);
}

}  // namespace

extern "C" {

#define MUDNN_MAX_COUNT(Direction, value)                                                           \
  MUDNN_ENTRY mudnnGetConvolution##Direction##AlgorithmMaxCount(mudnnHandle_t handle, int* count) { \
    return query(                                                                                   \
        "mudnnGetConvolution" #Direction "AlgorithmMaxCount", handle,                               \
        [&] {                                                                                       \
          if (!count) return MUDNN_STATUS_BAD_PARAM;                                                \
          *count = value;                                                                           \
          return MUDNN_STATUS_SUCCESS;                                                              \
        },                                                                                          \
        count);                                                                                     \
  }
// As many as cuDNN tells: some are listed with several types of mathematics there.
MUDNN_MAX_COUNT(Forward, 10)
MUDNN_MAX_COUNT(BackwardData, 8)
MUDNN_MAX_COUNT(BackwardFilter, 9)
#undef MUDNN_MAX_COUNT

MUDNN_ENTRY mudnnGetConvolutionForwardAlgorithm_v7(
    mudnnHandle_t handle, const mudnnTensorDescriptor_t srcDesc, const mudnnFilterDescriptor_t filterDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnTensorDescriptor_t destDesc,
    const int requestedAlgoCount, int* returnedAlgoCount, mudnnConvolutionFwdAlgoPerf_t* perfResults) {
  return query("mudnnGetConvolutionForwardAlgorithm_v7", handle, [&] {
    (void)convolutionForward(problemOf(convDesc, shapeOf(srcDesc), shapeOf(filterDesc), shapeOf(destDesc)),
                             {});
    return musashim::mudnn::tellAlgorithms(
        requestedAlgoCount, returnedAlgoCount, perfResults, MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
        MUDNN_CONVOLUTION_FWD_ALGO_COUNT, MUDNN_CONVOLUTION_FWD_ALGO_DIRECT, -1.0F);
  });
}

MUDNN_ENTRY mudnnGetConvolutionForwardWorkspaceSize(mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc,
                                                    const mudnnFilterDescriptor_t wDesc,
                                                    const mudnnConvolutionDescriptor_t convDesc,
                                                    const mudnnTensorDescriptor_t yDesc,
                                                    mudnnConvolutionFwdAlgo_t algo, size_t* sizeInBytes) {
  return query("mudnnGetConvolutionForwardWorkspaceSize", handle, [&] {
    (void)convolutionForward(
        checkForward(algo, problemOf(convDesc, shapeOf(xDesc), shapeOf(wDesc), shapeOf(yDesc))), {});
    if (!sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
    *sizeInBytes = 0;
    return MUDNN_STATUS_SUCCESS;
  });
}

MUDNN_ENTRY mudnnConvolutionForward(mudnnHandle_t handle, const void* alpha,
                                    const mudnnTensorDescriptor_t xDesc, const void* x,
                                    const mudnnFilterDescriptor_t wDesc, const void* w,
                                    const mudnnConvolutionDescriptor_t convDesc,
                                    mudnnConvolutionFwdAlgo_t algo, void* workSpace,
                                    size_t workSpaceSizeInBytes, const void* beta,
                                    const mudnnTensorDescriptor_t yDesc, void* y) {
  return work(
      "mudnnConvolutionForward", handle,
      [&] {
        const Array out = tensor(yDesc, y);
        ConvolutionTail tail;
        tail.alpha = factor(alpha, out);
        tail.beta = factor(beta, out);
        tail.add = out;
        return convolutionForward(
            checkForward(algo, problemOf(convDesc, tensor(xDesc, x), filter(wDesc, w), out)), tail);
      },
      alpha, xDesc, x, wDesc, w, convDesc, algo, workSpace, workSpaceSizeInBytes, beta, yDesc, y);
}

MUDNN_ENTRY mudnnConvolutionBiasActivationForward(
    mudnnHandle_t handle, const void* alpha1, const mudnnTensorDescriptor_t xDesc, const void* x,
    const mudnnFilterDescriptor_t wDesc, const void* w, const mudnnConvolutionDescriptor_t convDesc,
    mudnnConvolutionFwdAlgo_t algo, void* workSpace, size_t workSpaceSizeInBytes, const void* alpha2,
    const mudnnTensorDescriptor_t zDesc, const void* z, const mudnnTensorDescriptor_t biasDesc,
    const void* bias, const mudnnActivationDescriptor_t activationDesc, const mudnnTensorDescriptor_t yDesc,
    void* y) {
  return entry(
      "mudnnConvolutionBiasActivationForward",
      [&] {
        if (!isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
        require(activationDesc, "the activation's descriptor is missing");
        requireSupport(activationDesc->mode == MUDNN_ACTIVATION_RELU ||
                           activationDesc->mode == MUDNN_ACTIVATION_IDENTITY,
                       "the activation is RELU or IDENTITY");
        const Array out = tensor(yDesc, y);
        const ConvolutionProblem problem =
            checkForward(algo, problemOf(convDesc, tensor(xDesc, x), filter(wDesc, w), out));
        ConvolutionTail tail;
        (void)convolutionForward(problem, tail);  // what is wrong with the convolution is told first
        tail.alpha = factor(alpha1, out);
        tail.beta = factor(alpha2, out);
        tail.add = tail.beta == 0 && !z ? Array() : tensor(zDesc, z);
        tail.bias = tensor(biasDesc, bias);
        if (!fitsBehind(out, tail.add.data ? tail.add : out, tail.bias))
          return MUDNN_STATUS_NOT_SUPPORTED_SHAPE;
        tail.activation = activationOf(*activationDesc);
        tail.coefficient = activationDesc->coefficient;
        return queue(handle, convolutionForward(problem, tail));
      },
      handle, alpha1, xDesc, x, wDesc, w, convDesc, algo, workSpace, workSpaceSizeInBytes, alpha2, zDesc, z,
      biasDesc, bias, activationDesc, yDesc, y);
}

MUDNN_ENTRY mudnnConvolutionBackwardBias(mudnnHandle_t handle, const void* alpha,
                                         const mudnnTensorDescriptor_t dyDesc, const void* dy,
                                         const void* beta, const mudnnTensorDescriptor_t dbDesc, void* db) {
  return work(
      "mudnnConvolutionBackwardBias", handle,
      [&] {
        const Array from = tensor(dyDesc, dy), to = tensor(dbDesc, db);
        requireSameTypes({&from, &to});
        requireSupport(from.element != Element::kBfloat16, "gradients of biases are not of bfloat16");
        require(from.rank == to.rank && to.count() == to.sizes[1] && from.sizes[1] == to.sizes[1],
                "there is one bias for each channel");
        musashim::mudnn::Reduction sum{musa::dnn::Reduce::Mode::ADD, {0}, 2, 1};
        for (int i = 2; i < from.rank; ++i) sum.axes.push_back(i);
        return musashim::mudnn::blended(factor(alpha, to), factor(beta, to), to,
                                        [&](const Array& out) { return reduce(sum, out, Array(), from); });
      },
      alpha, dyDesc, dy, beta, dbDesc, db);
}

MUDNN_ENTRY mudnnGetConvolutionBackwardDataAlgorithm_v7(
    mudnnHandle_t handle, const mudnnFilterDescriptor_t filterDesc, const mudnnTensorDescriptor_t diffDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnTensorDescriptor_t gradDesc,
    const int requestedAlgoCount, int* returnedAlgoCount, mudnnConvolutionBwdDataAlgoPerf_t* perfResults) {
  return query("mudnnGetConvolutionBackwardDataAlgorithm_v7", handle, [&] {
    (void)convolutionBackwardData(
        problemOf(convDesc, shapeOf(gradDesc), shapeOf(filterDesc), shapeOf(diffDesc)), 1, 0);
    return musashim::mudnn::tellAlgorithms(
        requestedAlgoCount, returnedAlgoCount, perfResults, MUDNN_CONVOLUTION_BWD_DATA_ALGO_1,
        MUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, MUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, -1.0F);
  });
}

MUDNN_ENTRY mudnnGetConvolutionBackwardDataWorkspaceSize(
    mudnnHandle_t handle, const mudnnFilterDescriptor_t wDesc, const mudnnTensorDescriptor_t dyDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnTensorDescriptor_t dxDesc,
    mudnnConvolutionBwdDataAlgo_t algo, size_t* sizeInBytes) {
  return query("mudnnGetConvolutionBackwardDataWorkspaceSize", handle, [&] {
    checkAlgorithm(algo, MUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT);
    (void)convolutionBackwardData(problemOf(convDesc, shapeOf(dxDesc), shapeOf(wDesc), shapeOf(dyDesc)), 1,
                                  0);
    if (!sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
    *sizeInBytes = 0;
    return MUDNN_STATUS_SUCCESS;
  });
}

MUDNN_ENTRY mudnnConvolutionBackwardData(mudnnHandle_t handle, const void* alpha,
                                         const mudnnFilterDescriptor_t wDesc, const void* w,
                                         const mudnnTensorDescriptor_t dyDesc, const void* dy,
                                         const mudnnConvolutionDescriptor_t convDesc,
                                         mudnnConvolutionBwdDataAlgo_t algo, void* workSpace,
                                         size_t workSpaceSizeInBytes, const void* beta,
                                         const mudnnTensorDescriptor_t dxDesc, void* dx) {
  return work(
      "mudnnConvolutionBackwardData", handle,
      [&] {
        checkAlgorithm(algo, MUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT);
        const Array out = tensor(dxDesc, dx);
        return convolutionBackwardData(problemOf(convDesc, out, filter(wDesc, w), tensor(dyDesc, dy)),
                                       factor(alpha, out), factor(beta, out));
      },
      alpha, wDesc, w, dyDesc, dy, convDesc, algo, workSpace, workSpaceSizeInBytes, beta, dxDesc, dx);
}

MUDNN_ENTRY mudnnGetConvolutionBackwardFilterAlgorithm_v7(
    mudnnHandle_t handle, const mudnnTensorDescriptor_t srcDesc, const mudnnTensorDescriptor_t diffDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnFilterDescriptor_t gradDesc,
    const int requestedAlgoCount, int* returnedAlgoCount, mudnnConvolutionBwdFilterAlgoPerf_t* perfResults) {
  return query("mudnnGetConvolutionBackwardFilterAlgorithm_v7", handle, [&] {
    (void)convolutionBackwardFilter(
        problemOf(convDesc, shapeOf(srcDesc), shapeOf(gradDesc), shapeOf(diffDesc)), 1, 0);
    return musashim::mudnn::tellAlgorithms(
        requestedAlgoCount, returnedAlgoCount, perfResults, MUDNN_CONVOLUTION_BWD_FILTER_ALGO_1,
        MUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, MUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, -1.0F);
  });
}

MUDNN_ENTRY mudnnGetConvolutionBackwardFilterWorkspaceSize(
    mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc, const mudnnTensorDescriptor_t dyDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnFilterDescriptor_t gradDesc,
    mudnnConvolutionBwdFilterAlgo_t algo, size_t* sizeInBytes) {
  return query("mudnnGetConvolutionBackwardFilterWorkspaceSize", handle, [&] {
    checkAlgorithm(algo, MUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT);
    (void)convolutionBackwardFilter(problemOf(convDesc, shapeOf(xDesc), shapeOf(gradDesc), shapeOf(dyDesc)),
                                    1, 0);
    if (!sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
    *sizeInBytes = 0;
    return MUDNN_STATUS_SUCCESS;
  });
}

MUDNN_ENTRY mudnnConvolutionBackwardFilter(mudnnHandle_t handle, const void* alpha,
                                           const mudnnTensorDescriptor_t xDesc, const void* x,
                                           const mudnnTensorDescriptor_t dyDesc, const void* dy,
                                           const mudnnConvolutionDescriptor_t convDesc,
                                           mudnnConvolutionBwdFilterAlgo_t algo, void* workSpace,
                                           size_t workSpaceSizeInBytes, const void* beta,
                                           const mudnnFilterDescriptor_t dwDesc, void* dw) {
  return work(
      "mudnnConvolutionBackwardFilter", handle,
      [&] {
        checkAlgorithm(algo, MUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT);
        const Array out = filter(dwDesc, dw);
        return convolutionBackwardFilter(problemOf(convDesc, tensor(xDesc, x), out, tensor(dyDesc, dy)),
                                         factor(alpha, out), factor(beta, out));
      },
      alpha, xDesc, x, dyDesc, dy, convDesc, algo, workSpace, workSpaceSizeInBytes, beta, dwDesc, dw);
}

}  // extern "C"
