// mudnnFindConvolution...: runs the convolution once for the time it takes, and lists the algorithms.
#include <musa_runtime_api.h>

#include <chrono>

#include "libs/mudnn/api/convolution.h"
#include "libs/mudnn/api/entry.h"

using musashim::mudnn::entry;
using musashim::mudnn::isHandle;
using musashim::mudnn::tellAlgorithms;

namespace {

// Memory of the size of a descriptor, while a search lasts.
class Scratch {
 public:
  template <class Descriptor>
  explicit Scratch(Descriptor descriptor) {
    const musashim::mudnn::Array shape = musashim::mudnn::shapeOf(descriptor);
    size_t bytes = 1;
    for (int i = 0; i < shape.rank; ++i) {
      const auto d = static_cast<size_t>(i);
      if (shape.sizes[d] > 0) bytes += static_cast<size_t>((shape.sizes[d] - 1) * shape.strides[d]);
    }
    bytes *= musashim::mudnn::sizeOf(shape.element);
    if (musaMalloc(&data_, bytes) != musaSuccess) throw std::bad_alloc();
    if (musaMemset(data_, 0, bytes) != musaSuccess) throw std::bad_alloc();
  }
  ~Scratch() { (void)musaFree(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// Milliseconds that `run` takes on the handle's stream; the second of two runs counts.
template <class Run>
mudnnStatus_t measured(mudnnHandle_t handle, float* time, Run&& run) {
  musaStream_t stream = nullptr;
  mudnnStatus_t status = mudnnGetStream(handle, &stream);
  for (int i = 0; i < 2 && status == MUDNN_STATUS_SUCCESS; ++i) {
    const auto start = std::chrono::steady_clock::now();
    status = run();
    if (status == MUDNN_STATUS_SUCCESS && musaStreamSynchronize(stream) != musaSuccess)
      status = MUDNN_STATUS_EXECUTION_FAILED;
    *time = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  return status;
}

template <class Run, class Tell>
mudnnStatus_t search(mudnnHandle_t handle, int requested, const int* returned, const void* results, Run&& run,
                     Tell&& tell) {
  if (!isHandle(handle) || requested < 1 || !returned || !results) return MUDNN_STATUS_BAD_PARAM;
  float time = -1;
  const mudnnStatus_t status = measured(handle, &time, run);
  return status == MUDNN_STATUS_SUCCESS ? tell(time) : status;
}

const double kDoubles[] = {0, 1};
const float kFloats[] = {0, 1};

// Zero and one as a call for tensors of that type takes them.
template <class Descriptor>
std::pair<const void*, const void*> factorsFor(Descriptor descriptor) {
  const bool inDouble = descriptor && descriptor->type == MUDNN_DATA_DOUBLE;
  return inDouble ? std::pair<const void*, const void*>(kDoubles, kDoubles + 1)
                  : std::pair<const void*, const void*>(kFloats, kFloats + 1);
}

}  // namespace

extern "C" {

MUDNN_ENTRY mudnnFindConvolutionForwardAlgorithmEx(mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc,
                                                   const void* x, const mudnnFilterDescriptor_t wDesc,
                                                   const void* w, const mudnnConvolutionDescriptor_t convDesc,
                                                   const mudnnTensorDescriptor_t yDesc, void* y,
                                                   const int requestedAlgoCount, int* returnedAlgoCount,
                                                   mudnnConvolutionFwdAlgoPerf_t* perfResults,
                                                   void* workSpace, size_t workSpaceSizeInBytes) {
  return entry(
      "mudnnFindConvolutionForwardAlgorithmEx",
      [&] {
        const auto [zero, one] = factorsFor(yDesc);
        constexpr auto kBest = MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
        return search(
            handle, requestedAlgoCount, returnedAlgoCount, perfResults,
            [&] {
              return mudnnConvolutionForward(handle, one, xDesc, x, wDesc, w, convDesc, kBest, workSpace,
                                             workSpaceSizeInBytes, zero, yDesc, y);
            },
            [&](float time) {
              return tellAlgorithms(requestedAlgoCount, returnedAlgoCount, perfResults, kBest,
                                    MUDNN_CONVOLUTION_FWD_ALGO_COUNT, MUDNN_CONVOLUTION_FWD_ALGO_DIRECT,
                                    time);
            });
      },
      handle, xDesc, x, wDesc, w, convDesc, yDesc, y, requestedAlgoCount);
}
MUDNN_ENTRY mudnnFindConvolutionForwardAlgorithm(mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc,
                                                 const mudnnFilterDescriptor_t wDesc,
                                                 const mudnnConvolutionDescriptor_t convDesc,
                                                 const mudnnTensorDescriptor_t yDesc,
                                                 const int requestedAlgoCount, int* returnedAlgoCount,
                                                 mudnnConvolutionFwdAlgoPerf_t* perfResults) {
  return entry(
      "mudnnFindConvolutionForwardAlgorithm",
      [&] {
        const Scratch x(xDesc), w(wDesc), y(yDesc);
        return mudnnFindConvolutionForwardAlgorithmEx(handle, xDesc, x.data(), wDesc, w.data(), convDesc,
                                                      yDesc, y.data(), requestedAlgoCount, returnedAlgoCount,
                                                      perfResults, nullptr, 0);
      },
      handle, xDesc, wDesc, convDesc, yDesc, requestedAlgoCount);
}

MUDNN_ENTRY mudnnFindConvolutionBackwardDataAlgorithmEx(
    mudnnHandle_t handle, const mudnnFilterDescriptor_t wDesc, const void* w,
    const mudnnTensorDescriptor_t dyDesc, const void* dy, const mudnnConvolutionDescriptor_t convDesc,
    const mudnnTensorDescriptor_t dxDesc, void* dx, const int requestedAlgoCount, int* returnedAlgoCount,
    mudnnConvolutionBwdDataAlgoPerf_t* perfResults, void* workSpace, size_t workSpaceSizeInBytes) {
  return entry(
      "mudnnFindConvolutionBackwardDataAlgorithmEx",
      [&] {
        const auto [zero, one] = factorsFor(dxDesc);
        constexpr auto kBest = MUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
        return search(
            handle, requestedAlgoCount, returnedAlgoCount, perfResults,
            [&] {
              return mudnnConvolutionBackwardData(handle, one, wDesc, w, dyDesc, dy, convDesc, kBest,
                                                  workSpace, workSpaceSizeInBytes, zero, dxDesc, dx);
            },
            [&](float time) {
              return tellAlgorithms(requestedAlgoCount, returnedAlgoCount, perfResults, kBest,
                                    MUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT,
                                    MUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, time);
            });
      },
      handle, wDesc, w, dyDesc, dy, convDesc, dxDesc, dx, requestedAlgoCount);
}
MUDNN_ENTRY mudnnFindConvolutionBackwardDataAlgorithm(
    mudnnHandle_t handle, const mudnnFilterDescriptor_t wDesc, const mudnnTensorDescriptor_t dyDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnTensorDescriptor_t dxDesc,
    const int requestedAlgoCount, int* returnedAlgoCount, mudnnConvolutionBwdDataAlgoPerf_t* perfResults) {
  return entry(
      "mudnnFindConvolutionBackwardDataAlgorithm",
      [&] {
        const Scratch w(wDesc), dy(dyDesc), dx(dxDesc);
        return mudnnFindConvolutionBackwardDataAlgorithmEx(handle, wDesc, w.data(), dyDesc, dy.data(),
                                                           convDesc, dxDesc, dx.data(), requestedAlgoCount,
                                                           returnedAlgoCount, perfResults, nullptr, 0);
      },
      handle, wDesc, dyDesc, convDesc, dxDesc, requestedAlgoCount);
}

MUDNN_ENTRY mudnnFindConvolutionBackwardFilterAlgorithmEx(
    mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc, const void* x,
    const mudnnTensorDescriptor_t dyDesc, const void* y, const mudnnConvolutionDescriptor_t convDesc,
    const mudnnFilterDescriptor_t dwDesc, void* dw, const int requestedAlgoCount, int* returnedAlgoCount,
    mudnnConvolutionBwdFilterAlgoPerf_t* perfResults, void* workSpace, size_t workSpaceSizeInBytes) {
  return entry(
      "mudnnFindConvolutionBackwardFilterAlgorithmEx",
      [&] {
        const auto [zero, one] = factorsFor(dwDesc);
        constexpr auto kBest = MUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;
        return search(
            handle, requestedAlgoCount, returnedAlgoCount, perfResults,
            [&] {
              return mudnnConvolutionBackwardFilter(handle, one, xDesc, x, dyDesc, y, convDesc, kBest,
                                                    workSpace, workSpaceSizeInBytes, zero, dwDesc, dw);
            },
            [&](float time) {
              return tellAlgorithms(requestedAlgoCount, returnedAlgoCount, perfResults, kBest,
                                    MUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT,
                                    MUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, time);
            });
      },
      handle, xDesc, x, dyDesc, y, convDesc, dwDesc, dw, requestedAlgoCount);
}
MUDNN_ENTRY mudnnFindConvolutionBackwardFilterAlgorithm(
    mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc, const mudnnTensorDescriptor_t dyDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnFilterDescriptor_t dwDesc,
    const int requestedAlgoCount, int* returnedAlgoCount, mudnnConvolutionBwdFilterAlgoPerf_t* perfResults) {
  return entry(
      "mudnnFindConvolutionBackwardFilterAlgorithm",
      [&] {
        const Scratch x(xDesc), dy(dyDesc), dw(dwDesc);
        return mudnnFindConvolutionBackwardFilterAlgorithmEx(handle, xDesc, x.data(), dyDesc, dy.data(),
                                                             convDesc, dwDesc, dw.data(), requestedAlgoCount,
                                                             returnedAlgoCount, perfResults, nullptr, 0);
      },
      handle, xDesc, dyDesc, convDesc, dwDesc, requestedAlgoCount);
}

}  // extern "C"
