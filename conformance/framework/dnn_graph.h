// Operation graphs of cuDNN's backend interface, for cases: descriptors that are set in one line each,
// tensors with memory, and running a graph by the first plan that can be made.
#pragma once

#include <cuda_fp16.h>
#include <cudnn.h>
#include <math.h>

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "observe.h"

// "BAD_PARAM", "SUCCESS"
inline std::string code(cudnnStatus_t status) {
  const std::string name = cudnnGetErrorString(status);
  return name.size() > 13 ? name.substr(13) : name;
}

class Node {
 public:
  explicit Node(cudnnBackendDescriptorType_t kind) {
    created = cudnnBackendCreateDescriptor(kind, &descriptor);
    if (created != CUDNN_STATUS_SUCCESS) descriptor = nullptr;
  }
  ~Node() {
    if (descriptor) cudnnBackendDestroyDescriptor(descriptor);
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  cudnnStatus_t put(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
                    const void* values) {
    const cudnnStatus_t status = cudnnBackendSetAttribute(descriptor, name, type, count, values);
    if (status != CUDNN_STATUS_SUCCESS && firstFailure == CUDNN_STATUS_SUCCESS) firstFailure = status;
    return status;
  }
  Node& set(cudnnBackendAttributeName_t name, const Node& other) {
    put(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other.descriptor);
    return *this;
  }
  Node& set(cudnnBackendAttributeName_t name, int64_t value) {
    put(name, CUDNN_TYPE_INT64, 1, &value);
    return *this;
  }
  Node& set(cudnnBackendAttributeName_t name, const std::vector<int64_t>& values) {
    put(name, CUDNN_TYPE_INT64, static_cast<int64_t>(values.size()), values.data());
    return *this;
  }
  Node& set(cudnnBackendAttributeName_t name, double value) {
    put(name, CUDNN_TYPE_DOUBLE, 1, &value);
    return *this;
  }
  Node& set(cudnnBackendAttributeName_t name, float value) {
    put(name, CUDNN_TYPE_FLOAT, 1, &value);
    return *this;
  }
  Node& set(cudnnBackendAttributeName_t name, bool value) {
    put(name, CUDNN_TYPE_BOOLEAN, 1, &value);
    return *this;
  }
  Node& set(cudnnBackendAttributeName_t name, cudnnDataType_t value) {
    put(name, CUDNN_TYPE_DATA_TYPE, 1, &value);
    return *this;
  }
  template <class Enum>
  Node& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, Enum value) {
    put(name, type, 1, &value);
    return *this;
  }
  // The first attribute that could not be set, else what finalizing returns.
  cudnnStatus_t finish() {
    if (created != CUDNN_STATUS_SUCCESS) return created;
    return firstFailure != CUDNN_STATUS_SUCCESS ? firstFailure : cudnnBackendFinalize(descriptor);
  }

  cudnnBackendDescriptor_t descriptor = nullptr;
  cudnnStatus_t created, firstFailure = CUDNN_STATUS_SUCCESS;
};

inline std::vector<int64_t> packedStrides(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * sizes[i + 1];
  return strides;
}
// Channels are the fastest.
inline std::vector<int64_t> channelStrides(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  int64_t stride = sizes[1];
  for (size_t i = sizes.size(); i-- > 2;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
  strides[0] = stride;
  return strides;
}

inline cudnnStatus_t describe(Node& node, int64_t uid, cudnnDataType_t type,
                              const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                              bool isVirtual = false, bool byValue = false) {
  node.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, uid).set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
  node.set(CUDNN_ATTR_TENSOR_DIMENSIONS, sizes).set(CUDNN_ATTR_TENSOR_STRIDES, strides);
  node.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, int64_t{16});
  if (isVirtual) node.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, true);
  if (byValue) node.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, true);
  return node.finish();
}

// A tensor of floats or halves in device memory, or a virtual one; packed, or with channels as the fastest.
class TensorNode : public Node {
 public:
  enum Kind { kMemory, kVirtual, kValue };
  TensorNode(int64_t id, cudnnDataType_t elements, const std::vector<int64_t>& dims, Kind what = kMemory,
             const std::vector<int64_t>& steps = {})
      : Node(CUDNN_BACKEND_TENSOR_DESCRIPTOR), uid(id), type(elements), sizes(dims), kind(what) {
    strides = steps.empty() ? packedStrides(dims) : steps;
    status = describe(*this, uid, type, sizes, strides, kind == kVirtual, kind == kValue);
    count = 1;
    for (const int64_t size : dims) count *= static_cast<size_t>(size);
    if (kind == kMemory) SETUP(cudaMalloc(&memory, count * 8));
    if (kind == kMemory) SETUP(cudaMemset(memory, 0, count * 8));
  }
  ~TensorNode() {
    if (kind == kMemory) cudaFree(memory);
  }
  // As they lie in memory.
  void fill(const std::vector<float>& values) {
    if (kind == kValue) {
      value = values[0];
      return;
    }
    if (type == CUDNN_DATA_HALF) {
      std::vector<__half> halves;
      for (const float v : values) halves.push_back(__float2half(v));
      SETUP(cudaMemcpy(memory, halves.data(), halves.size() * 2, cudaMemcpyHostToDevice));
    } else if (type == CUDNN_DATA_INT32) {
      std::vector<int> numbers(values.begin(), values.end());
      SETUP(cudaMemcpy(memory, numbers.data(), numbers.size() * 4, cudaMemcpyHostToDevice));
    } else {
      SETUP(cudaMemcpy(memory, values.data(), values.size() * 4, cudaMemcpyHostToDevice));
    }
  }
  std::vector<float> fetch() const {
    std::vector<float> values(count);
    SETUP(cudaDeviceSynchronize());
    if (type == CUDNN_DATA_HALF) {
      std::vector<__half> halves(count);
      SETUP(cudaMemcpy(halves.data(), memory, count * 2, cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < count; ++i) values[i] = __half2float(halves[i]);
    } else {
      SETUP(cudaMemcpy(values.data(), memory, count * 4, cudaMemcpyDeviceToHost));
    }
    return values;
  }

  int64_t uid;
  cudnnDataType_t type;
  std::vector<int64_t> sizes, strides;
  Kind kind;
  cudnnStatus_t status;
  size_t count;
  void* memory = nullptr;
  float value = 0;
};

// Numbers in quarters between -2 and 2, which all types hold and whose products are exact.
inline std::vector<float> quarters(size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>((seed >> 16) % 17) - 8) / 4;
  }
  return values;
}

// Two decimals each, so that the order of sums does not show.
inline std::string rounded(const std::vector<float>& values, int decimals = 2) {
  std::string text;
  for (const float value : values) {
    char number[64];
    snprintf(number, sizeof number, "%.*f", decimals, static_cast<double>(value));
    std::string one = number;
    if (one.find_first_not_of("-0.") == std::string::npos) one = "0";
    text += text.empty() ? one : " " + one;
  }
  return text;
}

// Makes the graph of `operations` and runs it by the first plan that there is, of the modes A and fallback.
// Observes what finalizing the graph returned, whether there are engines, and the status of the run.
inline bool runGraph(const char* observedCase, const std::string& key, cudnnHandle_t handle,
                     std::initializer_list<const Node*> operations,
                     std::initializer_list<const TensorNode*> tensors) {
  Node graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  std::vector<cudnnBackendDescriptor_t> list;
  for (const Node* operation : operations) list.push_back(operation->descriptor);
  graph.put(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<int64_t>(list.size()),
            list.data());
  graph.put(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  const cudnnStatus_t built = graph.finish();
  OBSERVE(key + ".graph", code(built));
  if (built != CUDNN_STATUS_SUCCESS) return false;
  for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    Node heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristic.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    if (heuristic.finish() != CUDNN_STATUS_SUCCESS) continue;
    int64_t count = 0;
    cudnnBackendGetAttribute(heuristic.descriptor, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                             CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr);
    for (int64_t i = 0; i < count; ++i) {
      std::vector<cudnnBackendDescriptor_t> configurations(static_cast<size_t>(count));
      for (auto& one : configurations) cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, &one);
      int64_t got = 0;
      cudnnBackendGetAttribute(heuristic.descriptor, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                               CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &got, configurations.data());
      cudnnStatus_t status = CUDNN_STATUS_NOT_SUPPORTED;
      {
        Node plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
        plan.put(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
        plan.put(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                 &configurations[static_cast<size_t>(i)]);
        status = plan.finish();
        if (status == CUDNN_STATUS_SUCCESS) {
          int64_t bytes = 0, one = 0;
          cudnnBackendGetAttribute(plan.descriptor, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                   CUDNN_TYPE_INT64, 1, &one, &bytes);
          void* workspace = nullptr;
          if (bytes > 0) SETUP(cudaMalloc(&workspace, static_cast<size_t>(bytes)));
          Node pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
          std::vector<int64_t> ids;
          std::vector<void*> pointers;
          for (const TensorNode* tensor : tensors) {
            ids.push_back(tensor->uid);
            pointers.push_back(tensor->kind == TensorNode::kValue ? const_cast<float*>(&tensor->value)
                                                                  : tensor->memory);
          }
          pack.put(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                   static_cast<int64_t>(pointers.size()), pointers.data());
          pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
          pack.put(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
          status = pack.finish();
          if (status == CUDNN_STATUS_SUCCESS)
            status = cudnnBackendExecute(handle, plan.descriptor, pack.descriptor);
          SETUP(cudaDeviceSynchronize());
          if (workspace) cudaFree(workspace);
        }
      }
      for (auto& one : configurations) cudnnBackendDestroyDescriptor(one);
      if (status != CUDNN_STATUS_SUCCESS) continue;
      OBSERVE(key + ".engines", true);
      return true;
    }
  }
  OBSERVE(key + ".engines", false);
  return false;
}
