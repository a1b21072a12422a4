// links: cudnn
// Operations on whole tensors: add, op, set, scale, transform, reduce.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.tensors");

static const float kOne = 1, kZero = 0, kTwo = 2, kHalf = 0.5f;

static void adds(cudnnHandle_t handle) {
  const Tensor c(CUDNN_DATA_FLOAT, 2, 3, 2, 2);
  DeviceValues<float> a(wholes<float>(24, 1)), to(wholes<float>(24, 2));
  const auto add = [&](const std::string& key, const Tensor& small) {
    to.set(wholes<float>(24, 2));
    STATUS(key, cudnnAddTensor(handle, &kTwo, small, a, &kHalf, c, to));
    OBSERVE(key + ".is", rounded(to, 5));
  };
  add("add.same", c);
  add("add.bias", Tensor(CUDNN_DATA_FLOAT, 1, 3, 1, 1));
  add("add.image", Tensor(CUDNN_DATA_FLOAT, 1, 1, 2, 2));
  add("add.one", Tensor(CUDNN_DATA_FLOAT, 1, 1, 1, 1));
  add("add.batch", Tensor(CUDNN_DATA_FLOAT, 2, 1, 1, 1));
  add("add.wrong", Tensor(CUDNN_DATA_FLOAT, 1, 2, 1, 1));
  add("add.type", Tensor(CUDNN_DATA_DOUBLE, 1, 3, 1, 1));
  add("add.rank", Tensor(CUDNN_DATA_FLOAT, {2, 3, 2, 2, 1}));
  const float five = 5;
  STATUS("set", cudnnSetTensor(handle, c, to, &five));
  OBSERVE("set.is", rounded(to, 5));
  STATUS("scale", cudnnScaleTensor(handle, c, to, &kHalf));
  OBSERVE("scale.is", rounded(to, 5));
}

static void operations(cudnnHandle_t handle) {
  cudnnOpTensorDescriptor_t op = nullptr;
  STATUS("op.create", cudnnCreateOpTensorDescriptor(&op));
  const Tensor t(CUDNN_DATA_FLOAT, 1, 3, 1, 4), small(CUDNN_DATA_FLOAT, 1, 3, 1, 1);
  DeviceValues<float> a(wholes<float>(12, 1, 0, 9)), b(wholes<float>(12, 2, 1, 4)), c(wholes<float>(12, 3));
  for (const int kind : {0, 1, 2, 3, 4, 5, 9}) {
    const std::string key = "op" + std::to_string(kind);
    STATUS(key + ".set", cudnnSetOpTensorDescriptor(op, static_cast<cudnnOpTensorOp_t>(kind),
                                                    CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
    if (kind == 9) break;
    c.set(wholes<float>(12, 3));
    STATUS(key, cudnnOpTensor(handle, op, &kOne, t, a, &kTwo, t, b, &kHalf, t, c));
    OBSERVE(key + ".is", rounded(c));
    STATUS(key + ".broadcast", cudnnOpTensor(handle, op, &kOne, t, a, &kTwo, small, b, &kZero, t, c));
    OBSERVE(key + ".broadcast.is", rounded(c));
  }
  SETUP_DNN(cudnnSetOpTensorDescriptor(op, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
  STATUS("op.a_small", cudnnOpTensor(handle, op, &kOne, small, a, &kOne, t, b, &kZero, t, c));
  STATUS("op.c_small", cudnnOpTensor(handle, op, &kOne, t, a, &kOne, t, b, &kZero, small, c));
  STATUS("op.b_wrong", cudnnOpTensor(handle, op, &kOne, t, a, &kOne, Tensor(CUDNN_DATA_FLOAT, 1, 2, 1, 4), b,
                                     &kZero, t, c));
  STATUS("op.types",
         cudnnOpTensor(handle, op, &kOne, Tensor(CUDNN_DATA_HALF, 1, 3, 1, 4), a, &kOne, t, b, &kZero, t, c));
  STATUS("op.type",
         cudnnSetOpTensorDescriptor(op, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_INT32, CUDNN_NOT_PROPAGATE_NAN));
  STATUS("op.nan", cudnnSetOpTensorDescriptor(op, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_FLOAT,
                                              static_cast<cudnnNanPropagation_t>(5)));
  STATUS("op.destroy", cudnnDestroyOpTensorDescriptor(op));
}

static void transforms(cudnnHandle_t handle) {
  const Tensor x(CUDNN_DATA_FLOAT, 1, 3, 2, 2), y(CUDNN_DATA_FLOAT, 1, 3, 2, 2, CUDNN_TENSOR_NHWC);
  DeviceValues<float> a(wholes<float>(12, 1)), b(wholes<float>(12, 2));
  STATUS("transform", cudnnTransformTensor(handle, &kTwo, x, a, &kOne, y, b));
  OBSERVE("transform.is", rounded(b, 5));
  STATUS("transform.size",
         cudnnTransformTensor(handle, &kOne, x, a, &kZero, Tensor(CUDNN_DATA_FLOAT, 1, 3, 2, 1), b));
  STATUS("transform.type",
         cudnnTransformTensor(handle, &kOne, x, a, &kZero, Tensor(CUDNN_DATA_HALF, 1, 3, 2, 2), b));
}

static void reductions(cudnnHandle_t handle) {
  cudnnReduceTensorDescriptor_t reduce = nullptr;
  STATUS("reduce.create", cudnnCreateReduceTensorDescriptor(&reduce));
  const Tensor a(CUDNN_DATA_FLOAT, 2, 3, 1, 4), rows(CUDNN_DATA_FLOAT, 2, 1, 1, 4),
      all(CUDNN_DATA_FLOAT, 1, 1, 1, 1);
  DeviceValues<float> x(wholes<float>(24, 1, -4, 4)), y(std::vector<float>(8, 3));
  for (int kind = 0; kind <= 9; ++kind) {
    const std::string key = "reduce" + std::to_string(kind);
    const auto op = static_cast<cudnnReduceTensorOp_t>(kind);
    STATUS(key + ".set", cudnnSetReduceTensorDescriptor(reduce, op, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                                        CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
    if (kind == 9) break;
    size_t bytes = 0, indices = 7;
    STATUS(key + ".space", cudnnGetReductionWorkspaceSize(handle, reduce, a, rows, &bytes));
    STATUS(key + ".indices", cudnnGetReductionIndicesSize(handle, reduce, a, rows, &indices));
    OBSERVE(key + ".indices.is", indices);
    const Space space(bytes + 4096);
    STATUS(key, cudnnReduceTensor(handle, reduce, nullptr, 0, space.data(), space.bytes(), &kOne, a, x,
                                  &kZero, rows, y));
    OBSERVE(key + ".is", rounded(y));
    y.set(std::vector<float>(8, 3));
    STATUS(key + ".all", cudnnReduceTensor(handle, reduce, nullptr, 0, space.data(), space.bytes(), &kTwo, a,
                                           x, &kHalf, all, y));
    OBSERVE(key + ".all.is", rounded(std::vector<float>{y.get()[0]}));
    if (kind == 2 || kind == 3 || kind == 4) {
      SETUP_DNN(cudnnSetReduceTensorDescriptor(reduce, op, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                               CUDNN_REDUCE_TENSOR_FLATTENED_INDICES, CUDNN_32BIT_INDICES));
      STATUS(key + ".with_indices.size", cudnnGetReductionIndicesSize(handle, reduce, a, rows, &indices));
      OBSERVE(key + ".with_indices.size.is", indices);
      // Distinct values: no two are the same by their size, so that there is one answer.
      DeviceValues<float> distinct(std::vector<float>{5, -7,  1,  24, -2, 12,  8,  3,  11, 4,  -19, 6,
                                                      9, -10, 13, 14, 15, -16, 17, 18, 20, 21, -22, 23});
      DeviceValues<unsigned> places(std::vector<unsigned>(64, 99));
      STATUS(key + ".with_indices", cudnnReduceTensor(handle, reduce, places, 256, space.data(),
                                                      space.bytes(), &kOne, a, distinct, &kZero, rows, y));
      OBSERVE(key + ".with_indices.is", rounded(y));
      const std::vector<unsigned> found = places.get();
      OBSERVE(key + ".with_indices.places", rounded(std::vector<unsigned>(found.begin(), found.begin() + 8)));
    }
  }
  SETUP_DNN(cudnnSetReduceTensorDescriptor(reduce, CUDNN_REDUCE_TENSOR_ADD, CUDNN_DATA_FLOAT,
                                           CUDNN_NOT_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_NO_INDICES,
                                           CUDNN_32BIT_INDICES));
  const Space space(4096);
  STATUS("reduce.wrong", cudnnReduceTensor(handle, reduce, nullptr, 0, space.data(), space.bytes(), &kOne, a,
                                           x, &kZero, Tensor(CUDNN_DATA_FLOAT, 2, 2, 1, 4), y));
  STATUS("reduce.rank", cudnnReduceTensor(handle, reduce, nullptr, 0, space.data(), space.bytes(), &kOne, a,
                                          x, &kZero, Tensor(CUDNN_DATA_FLOAT, {2, 1, 1, 4, 1}), y));
  STATUS("reduce.nothing_to_reduce", cudnnReduceTensor(handle, reduce, nullptr, 0, space.data(),
                                                       space.bytes(), &kOne, rows, x, &kZero, rows, y));
  STATUS("reduce.destroy", cudnnDestroyReduceTensorDescriptor(reduce));
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  adds(handle);
  operations(handle);
  transforms(handle);
  reductions(handle);
}
