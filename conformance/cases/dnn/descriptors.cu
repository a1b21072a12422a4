// links: cudnn
// Descriptors of tensors and filters: what they are at first, sizes and strides by format, what they refuse.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.descriptors");

static void observeTensor(const std::string& key, cudnnTensorDescriptor_t tensor) {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int rank = -1, sizes[8] = {}, strides[8] = {};
  STATUS(key + ".get", cudnnGetTensorNdDescriptor(tensor, 8, &type, &rank, sizes, strides));
  size_t bytes = 0;
  const cudnnStatus_t status = cudnnGetTensorSizeInBytes(tensor, &bytes);
  OBSERVE(key, "type " + std::to_string(type) + " sizes " + numbers(sizes, rank < 0 ? 0 : rank) +
                   " strides " + numbers(strides, rank < 0 ? 0 : rank) + " bytes " + std::to_string(bytes) +
                   " (" + std::to_string(code(status)) + ")");
}

static void tensors() {
  cudnnTensorDescriptor_t tensor = nullptr;
  STATUS("tensor.create", cudnnCreateTensorDescriptor(&tensor));
  observeTensor("tensor.first", tensor);
  const cudnnDataType_t types[] = {CUDNN_DATA_FLOAT,    CUDNN_DATA_DOUBLE, CUDNN_DATA_HALF,
                                   CUDNN_DATA_INT8,     CUDNN_DATA_INT32,  CUDNN_DATA_UINT8,
                                   CUDNN_DATA_BFLOAT16, CUDNN_DATA_INT64,  CUDNN_DATA_BOOLEAN};
  for (const cudnnDataType_t type : types) {
    const std::string key = "tensor.type" + std::to_string(type);
    STATUS(key, cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, type, 2, 3, 4, 5));
    observeTensor(key + ".is", tensor);
  }
  STATUS("tensor.nhwc", cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 2, 3, 4, 5));
  observeTensor("tensor.nhwc.is", tensor);
  STATUS("tensor.int8x4",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x4, 2, 8, 4, 5));
  observeTensor("tensor.int8x4.is", tensor);
  STATUS("tensor.int8x32",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x32, 2, 64, 4, 5));
  observeTensor("tensor.int8x32.is", tensor);
  STATUS("tensor.vector_of_float",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_FLOAT, 2, 8, 4, 5));
  STATUS("tensor.int8x4_uneven",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x4, 2, 7, 4, 5));
  STATUS("tensor.int8x4_nchw",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_INT8x4, 2, 8, 4, 5));
  SETUP_DNN(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 3, 4, 5));
  STATUS("tensor.zero", cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 0, 4, 5));
  STATUS("tensor.zero_batch",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 0, 3, 4, 5));
  STATUS("tensor.negative",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 3, -4, 5));
  STATUS("tensor.format", cudnnSetTensor4dDescriptor(tensor, static_cast<cudnnTensorFormat_t>(9),
                                                     CUDNN_DATA_FLOAT, 2, 3, 4, 5));
  STATUS("tensor.type",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, static_cast<cudnnDataType_t>(99), 2, 3, 4, 5));
  STATUS("tensor.huge",
         cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 65536, 65536, 2, 2));
  observeTensor("tensor.after_refusals", tensor);
  STATUS("tensor.strides", cudnnSetTensor4dDescriptorEx(tensor, CUDNN_DATA_HALF, 2, 3, 4, 5, 200, 50, 10, 2));
  observeTensor("tensor.strides.is", tensor);
  STATUS("tensor.stride_zero",
         cudnnSetTensor4dDescriptorEx(tensor, CUDNN_DATA_HALF, 2, 3, 4, 5, 60, 20, 5, 0));
  STATUS("tensor.stride_negative",
         cudnnSetTensor4dDescriptorEx(tensor, CUDNN_DATA_HALF, 2, 3, 4, 5, 60, 20, 5, -1));
  STATUS("tensor.strides_overlap",
         cudnnSetTensor4dDescriptorEx(tensor, CUDNN_DATA_HALF, 2, 3, 4, 5, 1, 1, 1, 1));
  const int sizes[8] = {2, 3, 4, 5, 6, 2, 2, 2}, strides[8] = {2880, 960, 240, 48, 8, 4, 2, 1};
  for (int rank = 0; rank <= 9; ++rank) {
    std::vector<int> some(9, 2), by(9, 1);
    for (int i = rank - 1; i > 0; --i) by[static_cast<size_t>(i) - 1] = by[static_cast<size_t>(i)] * 2;
    STATUS("tensor.rank" + std::to_string(rank),
           cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, rank, some.data(), by.data()));
  }
  STATUS("tensor.nd", cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 5, sizes, strides));
  observeTensor("tensor.nd.is", tensor);
  int few[8] = {}, fewStrides[8] = {}, rank = 0;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  STATUS("tensor.nd.some", cudnnGetTensorNdDescriptor(tensor, 2, &type, &rank, few, fewStrides));
  OBSERVE("tensor.nd.some.is",
          std::to_string(rank) + ": " + numbers(few, 3) + " / " + numbers(fewStrides, 3));
  STATUS("tensor.nd.too_many", cudnnGetTensorNdDescriptor(tensor, 9, &type, &rank, few, fewStrides));
  STATUS("tensor.nd_as_4d", cudnnGetTensor4dDescriptor(tensor, &type, few, few + 1, few + 2, few + 3, few + 4,
                                                       few + 5, few + 6, few + 7));
  for (const int format : {0, 1, 2}) {
    const std::string key = "tensor.nd_format" + std::to_string(format);
    STATUS(key, cudnnSetTensorNdDescriptorEx(tensor, static_cast<cudnnTensorFormat_t>(format),
                                             CUDNN_DATA_FLOAT, 5, sizes));
    observeTensor(key + ".is", tensor);
  }
  STATUS("tensor.nd_format_rank3",
         cudnnSetTensorNdDescriptorEx(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 3, sizes));
  STATUS("tensor.destroy", cudnnDestroyTensorDescriptor(tensor));
  STATUS("tensor.destroy_null", cudnnDestroyTensorDescriptor(nullptr));
  STATUS("tensor.create_no_place", cudnnCreateTensorDescriptor(nullptr));
}

static void filters() {
  cudnnFilterDescriptor_t filter = nullptr;
  STATUS("filter.create", cudnnCreateFilterDescriptor(&filter));
  const auto observe = [&](const std::string& key) {
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
    int rank = -1, sizes[8] = {};
    STATUS(key + ".get", cudnnGetFilterNdDescriptor(filter, 8, &type, &format, &rank, sizes));
    size_t bytes = 0;
    const cudnnStatus_t status = cudnnGetFilterSizeInBytes(filter, &bytes);
    OBSERVE(key, "type " + std::to_string(type) + " format " + std::to_string(format) + " sizes " +
                     numbers(sizes, rank < 0 ? 0 : rank) + " bytes " + std::to_string(bytes) + " (" +
                     std::to_string(code(status)) + ")");
  };
  for (const int format : {0, 1, 2, 9}) {
    const std::string key = "filter.format" + std::to_string(format);
    STATUS(key, cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_HALF, static_cast<cudnnTensorFormat_t>(format),
                                           4, 3, 2, 5));
    observe(key + ".is");
  }
  STATUS("filter.zero", cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_HALF, CUDNN_TENSOR_NCHW, 4, 3, 0, 5));
  STATUS("filter.negative",
         cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_HALF, CUDNN_TENSOR_NCHW, -4, 3, 2, 5));
  STATUS("filter.type",
         cudnnSetFilter4dDescriptor(filter, static_cast<cudnnDataType_t>(77), CUDNN_TENSOR_NCHW, 4, 3, 2, 5));
  const int sizes[9] = {4, 3, 2, 5, 2, 2, 2, 2, 2};
  for (int rank = 0; rank <= 9; ++rank)
    STATUS("filter.rank" + std::to_string(rank),
           cudnnSetFilterNdDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, rank, sizes));
  STATUS("filter.nd", cudnnSetFilterNdDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 5, sizes));
  observe("filter.nd.is");
  int four[4];
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  STATUS("filter.nd_as_4d",
         cudnnGetFilter4dDescriptor(filter, &type, &format, four, four + 1, four + 2, four + 3));
  STATUS("filter.destroy", cudnnDestroyFilterDescriptor(filter));
}

int main() {
  tensors();
  filters();
}
