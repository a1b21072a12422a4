// links: cudnn
// The lists of algorithms: how many, in which order, whether what a list recommends runs.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.algorithms");

template <typename Performance>
static void observeList(const std::string& key, cudnnStatus_t status, int count,
                        const std::vector<Performance>& list, bool measured) {
  OBSERVE(key, code(status));
  if (status != CUDNN_STATUS_SUCCESS) return;
  OBSERVE(key + ".some", count > 0);
  bool inOrder = true, failuresLast = true, timed = true;
  for (int i = 0; i < count; ++i) {
    const Performance& here = list[static_cast<size_t>(i)];
    if (here.status == CUDNN_STATUS_SUCCESS && measured) timed = timed && here.time > 0;
    if (i == 0) continue;
    const Performance& before = list[static_cast<size_t>(i) - 1];
    if (before.status != CUDNN_STATUS_SUCCESS && here.status == CUDNN_STATUS_SUCCESS) failuresLast = false;
    if (before.status == CUDNN_STATUS_SUCCESS && here.status == CUDNN_STATUS_SUCCESS &&
        before.time > here.time)
      inOrder = false;
  }
  OBSERVE(key + ".first", code(list[0].status));
  if (measured) OBSERVE(key + ".in_order", inOrder);
  if (measured) OBSERVE(key + ".timed", timed);
  OBSERVE(key + ".failures_last", failuresLast);
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  const Tensor x(CUDNN_DATA_FLOAT, 4, 8, 16, 16), y(CUDNN_DATA_FLOAT, 4, 8, 16, 16);
  const Filter w(CUDNN_DATA_FLOAT, 8, 8, 3, 3);
  const ConvolutionOf convolution(1, 1, 1);
  DeviceValues<float> dataX(std::vector<float>(8192, 1)), dataY(std::vector<float>(8192, 1)),
      dataW(std::vector<float>(576, 1));
  int count = -1;
  STATUS("forward.max", cudnnGetConvolutionForwardAlgorithmMaxCount(handle, &count));
  OBSERVE("forward.max.is", count);
  STATUS("data.max", cudnnGetConvolutionBackwardDataAlgorithmMaxCount(handle, &count));
  OBSERVE("data.max.is", count);
  STATUS("filter.max", cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(handle, &count));
  OBSERVE("filter.max.is", count);
  const Space space(64 << 20);
  {
    std::vector<cudnnConvolutionFwdAlgoPerf_t> list(16);
    cudnnStatus_t status =
        cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y, 16, &count, list.data());
    observeList("forward.get", status, count, list, false);
    OBSERVE("forward.get.count", count);
    status = cudnnFindConvolutionForwardAlgorithm(handle, x, w, convolution, y, 16, &count, list.data());
    observeList("forward.find", status, count, list, true);
    status = cudnnFindConvolutionForwardAlgorithmEx(handle, x, dataX, w, dataW, convolution, y, dataY, 16,
                                                    &count, list.data(), space.data(), space.bytes());
    observeList("forward.find_ex", status, count, list, true);
    STATUS("forward.get_one",
           cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y, 1, &count, list.data()));
    OBSERVE("forward.get_one.count", count);
    STATUS("forward.get_none",
           cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y, 0, &count, list.data()));
    STATUS("forward.find_none",
           cudnnFindConvolutionForwardAlgorithm(handle, x, w, convolution, y, 0, &count, list.data()));
    STATUS("forward.get_mismatch",
           cudnnGetConvolutionForwardAlgorithm_v7(
               handle, x, w, convolution, Tensor(CUDNN_DATA_FLOAT, 4, 8, 15, 16), 16, &count, list.data()));
    STATUS("forward.get_no_count",
           cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y, 16, nullptr, list.data()));
  }
  {
    std::vector<cudnnConvolutionBwdDataAlgoPerf_t> list(16);
    cudnnStatus_t status =
        cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, w, y, convolution, x, 16, &count, list.data());
    observeList("data.get", status, count, list, false);
    OBSERVE("data.get.count", count);
    status = cudnnFindConvolutionBackwardDataAlgorithm(handle, w, y, convolution, x, 16, &count, list.data());
    observeList("data.find", status, count, list, true);
    status =
        cudnnFindConvolutionBackwardDataAlgorithmEx(handle, w, dataW, y, dataY, convolution, x, dataX, 16,
                                                    &count, list.data(), space.data(), space.bytes());
    observeList("data.find_ex", status, count, list, true);
    STATUS("data.get_none",
           cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, w, y, convolution, x, 0, &count, list.data()));
  }
  {
    std::vector<cudnnConvolutionBwdFilterAlgoPerf_t> list(16);
    cudnnStatus_t status =
        cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, x, y, convolution, w, 16, &count, list.data());
    observeList("filter.get", status, count, list, false);
    OBSERVE("filter.get.count", count);
    status =
        cudnnFindConvolutionBackwardFilterAlgorithm(handle, x, y, convolution, w, 16, &count, list.data());
    observeList("filter.find", status, count, list, true);
    status =
        cudnnFindConvolutionBackwardFilterAlgorithmEx(handle, x, dataX, y, dataY, convolution, w, dataW, 16,
                                                      &count, list.data(), space.data(), space.bytes());
    observeList("filter.find_ex", status, count, list, true);
    STATUS("filter.get_none", cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, x, y, convolution, w, 0,
                                                                            &count, list.data()));
  }
}
