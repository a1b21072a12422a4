// links: cudnn
// Descriptors of cuDNN's backend interface: which kinds there are, attributes set and asked for in wrong ways, and what may
// be done before and after a descriptor is finalized.
#include "../../framework/dnn_graph.h"

CONFORMANCE_CASE("dnn.graph_descriptors");

static cudnnStatus_t get(const Node& node, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                         int64_t count, int64_t* got, void* values) {
  return cudnnBackendGetAttribute(node.descriptor, name, type, count, got, values);
}

int main() {
  for (int kind = -1; kind <= 33; ++kind) {
    Node node(static_cast<cudnnBackendDescriptorType_t>(kind));
    OBSERVE("create." + std::to_string(kind), code(node.created));
    if (node.created == CUDNN_STATUS_SUCCESS)
      OBSERVE("finalize_empty." + std::to_string(kind), code(cudnnBackendFinalize(node.descriptor)));
  }
  OBSERVE("create.999", code(Node(static_cast<cudnnBackendDescriptorType_t>(999)).created));
  OBSERVE("create.nowhere", code(cudnnBackendCreateDescriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR, nullptr)));
  OBSERVE("destroy.null", code(cudnnBackendDestroyDescriptor(nullptr)));
  OBSERVE("finalize.null", code(cudnnBackendFinalize(nullptr)));

  const int64_t sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 10}, one = 1;
  const float real = 1;
  const cudnnDataType_t type = CUDNN_DATA_FLOAT, wrongType = static_cast<cudnnDataType_t>(77);
  Node tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  OBSERVE("set.null_descriptor",
          code(cudnnBackendSetAttribute(nullptr, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &one)));
  OBSERVE("set.null_values", code(tensor.put(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, nullptr)));
  OBSERVE("set.none", code(tensor.put(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 0, sizes)));
  OBSERVE("set.less_than_none", code(tensor.put(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, -1, sizes)));
  OBSERVE("set.too_many", code(tensor.put(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 9, sizes)));
  OBSERVE("set.two_for_one", code(tensor.put(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 2, sizes)));
  OBSERVE("set.wrong_kind_of_value", code(tensor.put(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_FLOAT, 1, &real)));
  OBSERVE("set.of_another_kind", code(tensor.put(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &one)));
  OBSERVE("set.unknown", code(tensor.put(static_cast<cudnnBackendAttributeName_t>(99999), CUDNN_TYPE_INT64, 1, &one)));
  OBSERVE("set.bad_type", code(tensor.put(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &wrongType)));
  const int64_t zero = 0, odd = 3, minus = -1;
  OBSERVE("set.alignment_0", code(tensor.put(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &zero)));
  OBSERVE("set.alignment_3", code(tensor.put(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &odd)));
  OBSERVE("set.alignment_minus", code(tensor.put(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &minus)));
  OBSERVE("set.vector_3", code(tensor.put(CUDNN_ATTR_TENSOR_VECTOR_COUNT, CUDNN_TYPE_INT64, 1, &odd)));

  int64_t got = 77, value = 0;
  Node fresh(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  OBSERVE("get.before_finalize", code(get(fresh, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &got, &value)));
  OBSERVE("finalize.good", code(describe(fresh, 42, CUDNN_DATA_FLOAT, {2, 3, 4}, {12, 4, 1})));
  OBSERVE("finalize.again", code(cudnnBackendFinalize(fresh.descriptor)));
  OBSERVE("set.after_finalize", code(cudnnBackendSetAttribute(fresh.descriptor, CUDNN_ATTR_TENSOR_UNIQUE_ID,
                                                              CUDNN_TYPE_INT64, 1, &one)));
  OBSERVE("get.uid", code(get(fresh, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &got, &value)));
  OBSERVE("get.uid.value", value);
  OBSERVE("get.uid.count", got);
  int64_t dims[8] = {0};
  OBSERVE("get.sizes.asked", code(get(fresh, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 0, &got, nullptr)));
  OBSERVE("get.sizes.asked.count", got);
  OBSERVE("get.sizes.two", code(get(fresh, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 2, &got, dims)));
  OBSERVE("get.sizes.two.count", got);
  OBSERVE("get.sizes.two.values",
          std::to_string(dims[0]) + " " + std::to_string(dims[1]) + " " + std::to_string(dims[2]));
  OBSERVE("get.sizes.eight", code(get(fresh, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 8, &got, dims)));
  OBSERVE("get.sizes.eight.count", got);
  OBSERVE("get.no_count", code(get(fresh, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, nullptr, &value)));
  OBSERVE("get.no_place", code(get(fresh, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &got, nullptr)));
  OBSERVE("get.wrong_kind_of_value",
          code(get(fresh, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_FLOAT, 1, &got, &value)));
  OBSERVE("get.of_another_kind", code(get(fresh, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &got, &value)));
  bool isVirtual = true;
  OBSERVE("get.default", code(get(fresh, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &got, &isVirtual)));
  OBSERVE("get.default.value", isVirtual);
  OBSERVE("get.vector_count", code(get(fresh, CUDNN_ATTR_TENSOR_VECTOR_COUNT, CUDNN_TYPE_INT64, 1, &got, &value)));
  OBSERVE("get.vector_count.value", value);
  (void)type;

  // Where a descriptor is wanted.
  Node operation(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR), product(CUDNN_BACKEND_MATMUL_DESCRIPTOR),
      unfinished(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  cudnnBackendDescriptor_t nothing = nullptr;
  OBSERVE("descriptor.unfinished", code(operation.put(CUDNN_ATTR_OPERATION_MATMUL_ADESC, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                                      1, &unfinished.descriptor)));
  OBSERVE("descriptor.wrong", code(operation.put(CUDNN_ATTR_OPERATION_MATMUL_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                                 &fresh.descriptor)));
  OBSERVE("descriptor.null", code(operation.put(CUDNN_ATTR_OPERATION_MATMUL_ADESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                                &nothing)));
  product.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
  OBSERVE("descriptor.product", code(product.finish()));
  OBSERVE("descriptor.right", code(operation.put(CUDNN_ATTR_OPERATION_MATMUL_DESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                                 &product.descriptor)));
  OBSERVE("descriptor.incomplete", code(cudnnBackendFinalize(operation.descriptor)));
  return 0;
}
