// Graphs as tests make them: tensors with memory, operations, and a run by either engine.
#pragma once

#include <gtest/gtest.h>
#include <mudnn.h>
#include <musa_fp16.h>
#include <musa_runtime_api.h>

#include <cmath>
#include <deque>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace musashim::test {

using Sizes = std::vector<int64_t>;
using Numbers = std::vector<double>;

#define ASSERT_C(call) ASSERT_EQ(MUDNN_STATUS_SUCCESS, (call))

inline int64_t countOf(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}
inline Sizes rowStrides(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t i = sizes.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * sizes[i + 1];
  return strides;
}
inline Numbers randoms(size_t count, unsigned seed, double low = -1, double high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> distribution(low, high);
  Numbers values(count);
  for (double& value : values) value = distribution(engine);
  return values;
}

class Node {
 public:
  explicit Node(mudnnBackendDescriptorType_t kind) {
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, mudnnBackendCreateDescriptor(kind, &descriptor));
  }
  Node(const Node&) = delete;
  ~Node() { (void)mudnnBackendDestroyDescriptor(descriptor); }

  mudnnStatus_t put(mudnnBackendAttributeName_t name, mudnnBackendAttributeType_t type, int64_t count,
                    const void* values) {
    return mudnnBackendSetAttribute(descriptor, name, type, count, values);
  }
  Node& set(mudnnBackendAttributeName_t name, const Node& other) {
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, put(name, MUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other.descriptor)) << name;
    return *this;
  }
  Node& set(mudnnBackendAttributeName_t name, const Sizes& values) {
    EXPECT_EQ(MUDNN_STATUS_SUCCESS,
              put(name, MUDNN_TYPE_INT64, static_cast<int64_t>(values.size()), values.data()))
        << name;
    return *this;
  }
  template <class T>
  Node& set(mudnnBackendAttributeName_t name, mudnnBackendAttributeType_t type, T value) {
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, put(name, type, 1, &value)) << name;
    return *this;
  }
  mudnnStatus_t finish() { return mudnnBackendFinalize(descriptor); }

  mudnnBackendDescriptor_t descriptor = nullptr;
};

// What a tensor is besides its sizes.
struct Options {
  mudnnDataType_t type = MUDNN_DATA_DOUBLE;
  bool isVirtual = false, isValue = false;
  Sizes strides;
  const Node* ragged = nullptr;
};

class TensorNode : public Node {
 public:
  TensorNode(int64_t id, const Sizes& dims, const Numbers& values, const Options& what)
      : Node(MUDNN_BACKEND_TENSOR_DESCRIPTOR), uid(id), sizes(dims), options(what) {
    if (options.strides.empty()) options.strides = rowStrides(dims);
    set(MUDNN_ATTR_TENSOR_UNIQUE_ID, MUDNN_TYPE_INT64, uid);
    set(MUDNN_ATTR_TENSOR_DATA_TYPE, MUDNN_TYPE_DATA_TYPE, options.type);
    set(MUDNN_ATTR_TENSOR_DIMENSIONS, sizes).set(MUDNN_ATTR_TENSOR_STRIDES, options.strides);
    set(MUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, MUDNN_TYPE_INT64, int64_t{16});
    set(MUDNN_ATTR_TENSOR_IS_VIRTUAL, MUDNN_TYPE_BOOLEAN, options.isVirtual);
    set(MUDNN_ATTR_TENSOR_IS_BY_VALUE, MUDNN_TYPE_BOOLEAN, options.isValue);
    if (options.ragged) set(MUDNN_ATTR_TENSOR_RAGGED_OFFSET_DESC, *options.ragged);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, finish());
    if (options.isVirtual) return;
    if (options.isValue) {
      value = static_cast<float>(values[0]);
      return;
    }
    bytes_ = static_cast<size_t>(countOf(dims)) * 8 + 64;
    EXPECT_EQ(musaSuccess, musaMalloc(&memory, bytes_));
    EXPECT_EQ(musaSuccess, musaMemset(memory, 0, bytes_));
    fill(values);
  }
  ~TensorNode() { (void)musaFree(memory); }

  // As they lie in memory.
  void fill(const Numbers& values) {
    std::vector<unsigned char> bytes(bytes_);
    for (size_t i = 0; i < values.size(); ++i) write(bytes.data(), i, values[i]);
    EXPECT_EQ(musaSuccess, musaMemcpy(memory, bytes.data(), bytes_, musaMemcpyHostToDevice));
  }
  Numbers fetch(size_t count = 0) const {
    if (count == 0) count = static_cast<size_t>(countOf(sizes));
    std::vector<unsigned char> bytes(bytes_);
    EXPECT_EQ(musaSuccess, musaDeviceSynchronize());
    EXPECT_EQ(musaSuccess, musaMemcpy(bytes.data(), memory, bytes_, musaMemcpyDeviceToHost));
    Numbers values(count);
    for (size_t i = 0; i < count; ++i) values[i] = read(bytes.data(), i);
    return values;
  }

  int64_t uid;
  Sizes sizes;
  Options options;
  void* memory = nullptr;
  float value = 0;

 private:
  void write(unsigned char* bytes, size_t i, double number) const {
    switch (options.type) {
      case MUDNN_DATA_DOUBLE:
        reinterpret_cast<double*>(bytes)[i] = number;
        break;
      case MUDNN_DATA_HALF:
        reinterpret_cast<__half*>(bytes)[i] = __half(static_cast<float>(number));
        break;
      case MUDNN_DATA_INT32:
        reinterpret_cast<int32_t*>(bytes)[i] = static_cast<int32_t>(number);
        break;
      case MUDNN_DATA_INT64:
        reinterpret_cast<int64_t*>(bytes)[i] = static_cast<int64_t>(number);
        break;
      case MUDNN_DATA_INT8:
      case MUDNN_DATA_BOOLEAN:
        bytes[i] = static_cast<unsigned char>(static_cast<int>(number));
        break;
      default:
        reinterpret_cast<float*>(bytes)[i] = static_cast<float>(number);
    }
  }
  double read(const unsigned char* bytes, size_t i) const {
    switch (options.type) {
      case MUDNN_DATA_DOUBLE:
        return reinterpret_cast<const double*>(bytes)[i];
      case MUDNN_DATA_HALF:
        return static_cast<double>(static_cast<float>(reinterpret_cast<const __half*>(bytes)[i]));
      case MUDNN_DATA_INT32:
        return reinterpret_cast<const int32_t*>(bytes)[i];
      case MUDNN_DATA_INT64:
        return static_cast<double>(reinterpret_cast<const int64_t*>(bytes)[i]);
      case MUDNN_DATA_INT8:
        return static_cast<signed char>(bytes[i]);
      case MUDNN_DATA_BOOLEAN:
        return bytes[i];
      default:
        return static_cast<double>(reinterpret_cast<const float*>(bytes)[i]);
    }
  }
  size_t bytes_ = 0;
};

class GraphTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_C(mudnnCreate(&handle)); }
  void TearDown() override { ASSERT_C(mudnnDestroy(handle)); }

  TensorNode& tensor(const Sizes& sizes, const Numbers& values = {}, const Options& options = {}) {
    return tensors.emplace_back(static_cast<int64_t>(tensors.size()) + 100, sizes, values, options);
  }
  TensorNode& between(const Sizes& sizes, mudnnDataType_t type = MUDNN_DATA_DOUBLE) {
    Options options;
    options.type = type;
    options.isVirtual = true;
    return tensor(sizes, {}, options);
  }
  Node& node(mudnnBackendDescriptorType_t kind) { return nodes.emplace_back(kind); }
  Node& operation(mudnnBackendDescriptorType_t kind) {
    Node& made = node(kind);
    operations.push_back(&made);
    return made;
  }
  void pointwise(mudnnPointwiseMode_t mode, const Node& x, const Node* b, const Node& y,
                 const Node* mask = nullptr) {
    const bool isBackward = mode >= MUDNN_POINTWISE_RELU_BWD && mode <= MUDNN_POINTWISE_GELU_APPROX_TANH_BWD;
    Node& how = node(MUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(MUDNN_ATTR_POINTWISE_MODE, MUDNN_TYPE_POINTWISE_MODE, mode);
    how.set(MUDNN_ATTR_POINTWISE_MATH_PREC, MUDNN_TYPE_DATA_TYPE, MUDNN_DATA_DOUBLE);
    if (mode == MUDNN_POINTWISE_GEN_INDEX) how.set(MUDNN_ATTR_POINTWISE_AXIS, MUDNN_TYPE_INT64, int64_t{1});
    ASSERT_C(how.finish());
    Node& made = operation(MUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    made.set(MUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how).set(MUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    if (b)
      made.set(isBackward ? MUDNN_ATTR_OPERATION_POINTWISE_DYDESC : MUDNN_ATTR_OPERATION_POINTWISE_BDESC, *b);
    if (mask) made.set(MUDNN_ATTR_OPERATION_POINTWISE_TDESC, *mask);
    made.set(isBackward ? MUDNN_ATTR_OPERATION_POINTWISE_DXDESC : MUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    ASSERT_C(made.finish());
  }
  void reduction(mudnnReduceTensorOp_t op, const Node& x, const Node& y) {
    Node& how = node(MUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    how.set(MUDNN_ATTR_REDUCTION_OPERATOR, MUDNN_TYPE_REDUCTION_OPERATOR_TYPE, op);
    how.set(MUDNN_ATTR_REDUCTION_COMP_TYPE, MUDNN_TYPE_DATA_TYPE, MUDNN_DATA_DOUBLE);
    ASSERT_C(how.finish());
    Node& made = operation(MUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
    made.set(MUDNN_ATTR_OPERATION_REDUCTION_XDESC, x).set(MUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
    made.set(MUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
    ASSERT_C(made.finish());
  }
  Node& product(const Node& a, const Node& b, const Node& c) {
    Node& how = node(MUDNN_BACKEND_MATMUL_DESCRIPTOR);
    how.set(MUDNN_ATTR_MATMUL_COMP_TYPE, MUDNN_TYPE_DATA_TYPE, MUDNN_DATA_FLOAT);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, how.finish());
    Node& made = operation(MUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
    made.set(MUDNN_ATTR_OPERATION_MATMUL_ADESC, a).set(MUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
    return made.set(MUDNN_ATTR_OPERATION_MATMUL_CDESC, c).set(MUDNN_ATTR_OPERATION_MATMUL_DESC, how);
  }

  mudnnStatus_t finishGraph(Node& graph) {
    std::vector<mudnnBackendDescriptor_t> list;
    for (const Node* one : operations) list.push_back(one->descriptor);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, graph.put(MUDNN_ATTR_OPERATIONGRAPH_OPS, MUDNN_TYPE_BACKEND_DESCRIPTOR,
                                              static_cast<int64_t>(list.size()), list.data()));
    graph.set(MUDNN_ATTR_OPERATIONGRAPH_HANDLE, MUDNN_TYPE_HANDLE, handle);
    return graph.finish();
  }
  // A plan of all operations.
  Node& plan(int64_t engineNumber = 0) {
    Node& graph = node(MUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, finishGraph(graph));
    Node& engine = node(MUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.set(MUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
    engine.set(MUDNN_ATTR_ENGINE_GLOBAL_INDEX, MUDNN_TYPE_INT64, engineNumber);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, engine.finish());
    Node& configuration = node(MUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, configuration.set(MUDNN_ATTR_ENGINECFG_ENGINE, engine).finish());
    Node& made = node(MUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    made.set(MUDNN_ATTR_EXECUTION_PLAN_HANDLE, MUDNN_TYPE_HANDLE, handle);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS,
              made.set(MUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration).finish());
    return made;
  }
  Node& pack() {
    Sizes ids;
    std::vector<void*> pointers;
    for (TensorNode& one : tensors) {
      if (one.options.isVirtual) continue;
      ids.push_back(one.uid);
      pointers.push_back(one.options.isValue ? &one.value : one.memory);
    }
    Node& made = node(MUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    made.set(MUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, made.put(MUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, MUDNN_TYPE_VOID_PTR,
                                             static_cast<int64_t>(pointers.size()), pointers.data()));
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, made.finish());
    return made;
  }
  void run(int64_t engine = 0) {
    ASSERT_C(mudnnBackendExecute(handle, plan(engine).descriptor, pack().descriptor));
  }
  // For the next graph of the same test.
  void clear() {
    operations.clear();
    nodes.clear();
    tensors.clear();
  }

  mudnnHandle_t handle = nullptr;
  std::deque<TensorNode> tensors;
  std::deque<Node> nodes;
  std::vector<Node*> operations;
};

inline void expectNear(const Numbers& right, const Numbers& found, double tolerance) {
  ASSERT_EQ(right.size(), found.size());
  for (size_t i = 0; i < right.size(); ++i)
    ASSERT_NEAR(right[i], found[i], tolerance * std::max(1.0, std::fabs(right[i]))) << "element " << i;
}

}  // namespace musashim::test
