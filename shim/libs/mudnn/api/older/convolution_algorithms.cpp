// Algorithms of convolutions by a preference, as before cuDNN 8: what the later calls name first, none of
// which needs memory.
#include "libs/mudnn/api/entry.h"

namespace {

// tell(count, results): a call that lists algorithms.
template <class Performance, class Preference, class Algorithm, class Tell>
mudnnStatus_t choose(const char* name, Preference preference, Preference last, Algorithm* algo, Tell&& tell) {
  return musashim::mudnn::entry(
      name,
      [&] {
        if (!algo || preference < 0 || preference > last) return MUDNN_STATUS_BAD_PARAM;
        Performance first{};
        int count = 0;
        const mudnnStatus_t status = tell(&count, &first);
        if (status != MUDNN_STATUS_SUCCESS) return status;
        if (count == 0) return MUDNN_STATUS_NOT_SUPPORTED;
        *algo = first.algo;
        return first.status;
      },
      preference);
}

}  // namespace

extern "C" {

MUDNN_ENTRY mudnnGetConvolutionForwardAlgorithm(mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc,
                                                const mudnnFilterDescriptor_t wDesc,
                                                const mudnnConvolutionDescriptor_t convDesc,
                                                const mudnnTensorDescriptor_t yDesc,
                                                mudnnConvolutionFwdPreference_t preference,
                                                size_t /*memoryLimitInBytes*/,
                                                mudnnConvolutionFwdAlgo_t* algo) {
  return choose<mudnnConvolutionFwdAlgoPerf_t>(
      "mudnnGetConvolutionForwardAlgorithm", preference, MUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, algo,
      [&](int* count, auto* first) {
        return mudnnGetConvolutionForwardAlgorithm_v7(handle, xDesc, wDesc, convDesc, yDesc, 1, count, first);
      });
}

MUDNN_ENTRY mudnnGetConvolutionBackwardDataAlgorithm(
    mudnnHandle_t handle, const mudnnFilterDescriptor_t wDesc, const mudnnTensorDescriptor_t dyDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnTensorDescriptor_t dxDesc,
    mudnnConvolutionBwdDataPreference_t preference, size_t /*memoryLimitInBytes*/,
    mudnnConvolutionBwdDataAlgo_t* algo) {
  return choose<mudnnConvolutionBwdDataAlgoPerf_t>(
      "mudnnGetConvolutionBackwardDataAlgorithm", preference,
      MUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT, algo, [&](int* count, auto* first) {
        return mudnnGetConvolutionBackwardDataAlgorithm_v7(handle, wDesc, dyDesc, convDesc, dxDesc, 1, count,
                                                           first);
      });
}

MUDNN_ENTRY mudnnGetConvolutionBackwardFilterAlgorithm(
    mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc, const mudnnTensorDescriptor_t dyDesc,
    const mudnnConvolutionDescriptor_t convDesc, const mudnnFilterDescriptor_t dwDesc,
    mudnnConvolutionBwdFilterPreference_t preference, size_t /*memoryLimitInBytes*/,
    mudnnConvolutionBwdFilterAlgo_t* algo) {
  return choose<mudnnConvolutionBwdFilterAlgoPerf_t>(
      "mudnnGetConvolutionBackwardFilterAlgorithm", preference,
      MUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT, algo, [&](int* count, auto* first) {
        return mudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, xDesc, dyDesc, convDesc, dwDesc, 1,
                                                             count, first);
      });
}

}  // extern "C"
