// Many copies of boxes in one call.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.batches_3d");

namespace {

cudaMemcpy3DOperand at(void* pointer, size_t rowLength, size_t layerHeight) {
  cudaMemcpy3DOperand operand = {};
  operand.type = cudaMemcpyOperandTypePointer;
  operand.op.ptr.ptr = pointer;
  operand.op.ptr.rowLength = rowLength;
  operand.op.ptr.layerHeight = layerHeight;
  return operand;
}

cudaMemcpy3DBatchOp copy(cudaMemcpy3DOperand dst, cudaMemcpy3DOperand src, size_t width, size_t height,
                         size_t depth) {
  cudaMemcpy3DBatchOp operation = {};
  operation.src = src;
  operation.dst = dst;
  operation.extent = make_cudaExtent(width, height, depth);
  operation.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  return operation;
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  std::vector<unsigned char> host(256);
  for (int i = 0; i < 256; ++i) host[i] = static_cast<unsigned char>(i);
  DeviceArray<unsigned char> first(256), second(256);

  cudaMemcpy3DBatchOp both[2] = {copy(at(first.data(), 0, 0), at(host.data(), 16, 4), 5, 2, 3),
                                 copy(at(second.data(), 8, 3), at(host.data(), 0, 0), 4, 2, 2)};
  OBSERVE("batch", cudaMemcpy3DBatchAsync(2, both, 0, stream));
  SETUP(cudaStreamSynchronize(stream));
  const std::vector<unsigned char> one = first.read(), two = second.read();
  OBSERVE("first_values", joined(std::vector<int>(one.begin(), one.begin() + 32)));
  OBSERVE("second_values", joined(std::vector<int>(two.begin(), two.begin() + 40)));

  // An array on one side counts in its elements.
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  SETUP(cudaMallocArray(&array, &format, 8, 8));
  DeviceArray<int> numbers(64);
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i * 3;
  cudaMemcpy3DOperand inArray = {};
  inArray.type = cudaMemcpyOperandTypeArray;
  inArray.op.array.array = array;
  inArray.op.array.offset.x = 2;
  inArray.op.array.offset.y = 1;
  cudaMemcpy3DBatchOp in = copy(inArray, at(values.data(), 8, 8), 4, 3, 1);
  OBSERVE("to_array", cudaMemcpy3DBatchAsync(1, &in, 0, stream));
  cudaMemcpy3DBatchOp out = copy(at(numbers.data(), 0, 0), inArray, 4, 3, 1);
  OBSERVE("from_array", cudaMemcpy3DBatchAsync(1, &out, 0, stream));
  SETUP(cudaStreamSynchronize(stream));
  const std::vector<int> seen = numbers.read();
  OBSERVE("array_values", joined(std::vector<int>(seen.begin(), seen.begin() + 12)));
  cudaMemcpy3DBatchOp past = copy(inArray, at(values.data(), 0, 0), 7, 1, 1);
  OBSERVE("past_array", cudaMemcpy3DBatchAsync(1, &past, 0, stream));

  OBSERVE("null_stream", cudaMemcpy3DBatchAsync(2, both, 0, nullptr));
  OBSERVE("flags", cudaMemcpy3DBatchAsync(2, both, 1, stream));
  OBSERVE("none", cudaMemcpy3DBatchAsync(0, both, 0, stream));
  OBSERVE("null_list", cudaMemcpy3DBatchAsync(2, nullptr, 0, stream));
  OBSERVE("none_null_list", cudaMemcpy3DBatchAsync(0, nullptr, 0, stream));
  cudaMemcpy3DBatchOp wrong = both[0];
  wrong.extent.width = 0;
  OBSERVE("no_width", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  wrong = both[0];
  wrong.extent.depth = 0;
  OBSERVE("no_depth", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  wrong = both[0];
  wrong.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  OBSERVE("no_order", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  wrong = both[0];
  wrong.src.op.ptr.rowLength = 3;
  OBSERVE("short_rows", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  wrong = both[0];
  wrong.src.op.ptr.layerHeight = 1;
  OBSERVE("low_layers", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  wrong = both[0];
  wrong.dst.op.ptr.ptr = nullptr;
  OBSERVE("null_target", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  wrong = both[0];
  wrong.dst.type = static_cast<cudaMemcpy3DOperandType>(7);
  OBSERVE("unknown_type", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  wrong = both[0];
  wrong.dst.op.ptr.ptr = first.data() + 250;
  OBSERVE("past_target", cudaMemcpy3DBatchAsync(1, &wrong, 0, stream));
  OBSERVE("last", cudaStreamSynchronize(stream));
}
