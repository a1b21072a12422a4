// links: cusparse cublas
// Calls with a result in host memory while their stream captures: statuses, the graph, what its launches
// write.
#include <cublas_v2.h>

#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.captured");

static std::string launched(cudaGraph_t graph, cudaStream_t stream, const float& result) {
  cudaGraphExec_t run = nullptr;
  if (cudaGraphInstantiateWithFlags(&run, graph, 0) != cudaSuccess) return "not instantiated";
  cudaGraphLaunch(run, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(run);
  return observedText(result);
}

int main() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  DeviceValues<int> indices({0, 2, 3});
  DeviceValues<float> values({1, 2, 3}), dense({1, 2, 3, 4});
  cusparseHandle_t sparse;
  cusparseCreate(&sparse);
  cusparseSetStream(sparse, stream);
  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t y;
  cusparseCreateSpVec(&x, 4, 3, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&y, 4, dense, CUDA_R_32F);
  float result = -1;
  size_t bytes = 0;
  cusparseSpVV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &result, CUDA_R_32F, &bytes);
  DeviceValues<char> buffer(std::vector<char>(bytes + 1));
  cudaGraph_t graph = nullptr;
  OBSERVE("begin", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OBSERVE("spvv",
          code(cusparseSpVV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &result, CUDA_R_32F, buffer)));
  OBSERVE("spvv.at_once", result);
  OBSERVE("end", cudaStreamEndCapture(stream, &graph));
  OBSERVE("spvv.launched", graph == nullptr ? std::string("no graph") : launched(graph, stream, result));
  cudaGetLastError();

  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetStream(blas, stream);
  result = -1;
  graph = nullptr;
  OBSERVE("blas.begin", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OBSERVE("blas.dot", static_cast<int>(cublasSdot(blas, 4, dense, 1, dense, 1, &result)));
  OBSERVE("blas.dot.at_once", result);
  OBSERVE("blas.end", cudaStreamEndCapture(stream, &graph));
  OBSERVE("blas.dot.launched", graph == nullptr ? std::string("no graph") : launched(graph, stream, result));
}
