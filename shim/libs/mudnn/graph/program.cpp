#include "libs/mudnn/graph/program.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace musashim::mudnn::graph {

int Tensors::add(const Ref& tensor) {
  if (!tensor) return -1;
  const int64_t uid = tensor->integer(MUDNN_ATTR_TENSOR_UNIQUE_ID, 0);
  for (size_t i = 0; i < shapes_.size(); ++i)
    if (shapes_[i].uid == uid) return static_cast<int>(i);
  const auto number = static_cast<int>(shapes_.size());
  shapes_.push_back(shapeOf(*tensor));
  const int offsets = add(tensor->reference(MUDNN_ATTR_TENSOR_RAGGED_OFFSET_DESC));
  shapes_[static_cast<size_t>(number)].raggedOffsets = offsets;
  return number;
}

Step stepOf(const Descriptor& operation, Tensors& tensors) {
  switch (operation.kind) {
    case MUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return convolutionStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      return productStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
      return pointwiseStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
      return reductionStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_BN_FINALIZE_STATISTICS_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_BN_BWD_WEIGHTS_DESCRIPTOR:
      return statisticsStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
      return normStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR:
      return normBackwardStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR:
      return resampleStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_RNG_DESCRIPTOR:
      return randomStep(operation, tensors);
    case MUDNN_BACKEND_OPERATION_CONCAT_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_TRANSPOSE_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_SLICE_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_SIGNAL_DESCRIPTOR:
    case MUDNN_BACKEND_OPERATION_PAGED_CACHE_LOAD_DESCRIPTOR:
      return movementStep(operation, tensors);
    default:
      throw Failure(MUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN,
                    std::string("operations of kind ") + kindName(operation.kind) + " are not supported");
  }
}

Program::Program(const std::vector<Ref>& operations) {
  // Who reads them asks what reductions make.
  for (const bool reduces : {true, false})
    for (const Ref& operation : operations)
      if ((operation->kind == MUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR) == reduces)
        steps_->push_back(stepOf(*operation, *tensors_));
  for (const TensorShape& shape : tensors_->shapes())
    check(isComputed(shape.type), MUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE,
          "nothing computes with a tensor's type");
  const auto isWide = [&](int tensor, bool integersToo) {
    const TensorShape& shape = (*tensors_)[tensor];
    const bool isInteger = shape.type == MUDNN_DATA_INT32 || shape.type == MUDNN_DATA_INT64;
    return shape.type == MUDNN_DATA_DOUBLE || (integersToo && isInteger && !shape.isVirtual);
  };
  for (const Step& step : *steps_) {
    for (const int tensor : step.inputs) inDouble_ = inDouble_ || isWide(tensor, false);
    for (const int tensor : step.outputs) inDouble_ = inDouble_ || isWide(tensor, true);
  }
  order();
}

// What makes a tensor comes before whoever reads it.
void Program::order() {
  std::map<int, size_t> makers;
  for (size_t i = 0; i < steps_->size(); ++i)
    for (const int tensor : (*steps_)[i].outputs)
      check(makers.emplace(tensor, i).second, MUDNN_STATUS_BAD_PARAM, "two operations write one tensor");
  std::vector<Step> sorted;
  std::vector<int> state(steps_->size(), 0);
  const std::function<void(size_t)> visit = [&](size_t i) {
    check(state[i] != 1, MUDNN_STATUS_BAD_PARAM, "the operations wait for each other");
    if (state[i] == 2) return;
    state[i] = 1;
    for (const int tensor : (*steps_)[i].inputs) {
      const auto maker = makers.find(tensor);
      if (maker != makers.end() && maker->second != i) visit(maker->second);
      check(maker != makers.end() || !(*tensors_)[tensor].isVirtual, MUDNN_STATUS_BAD_PARAM,
            "a virtual tensor is read that no operation makes");
    }
    state[i] = 2;
    sorted.push_back(std::move((*steps_)[i]));
  };
  for (size_t i = 0; i < steps_->size(); ++i) visit(i);
  *steps_ = std::move(sorted);
}

std::function<void()> Program::bind(const Descriptor& pack, bool exactly) const {
  const std::vector<int64_t> ids = pack.integers(MUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const std::vector<int64_t> pointers = pack.integers(MUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  const auto& shapes = tensors_->shapes();
  std::vector<void*> memory(shapes.size(), nullptr);
  std::vector<std::shared_ptr<char[]>> values;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const TensorShape& shape = shapes[i];
    if (shape.isVirtual) continue;
    const void* data = shape.constant.empty() ? nullptr : shape.constant.data();
    for (size_t j = 0; j < ids.size() && j < pointers.size(); ++j)
      if (ids[j] == shape.uid) data = reinterpret_cast<void*>(pointers[j]);
    check(data != nullptr, MUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the variant pack lacks a tensor's memory");
    if (shape.isValue || !shape.constant.empty()) {
      const size_t bytes = static_cast<size_t>(shape.count()) * sizeOf(elementOfType(shape.type));
      values.emplace_back(new char[bytes]);
      std::memcpy(values.back().get(), data, bytes);
      data = values.back().get();
    }
    memory[i] = const_cast<void*>(data);
  }
  return [tensors = tensors_, steps = steps_, memory, values, inDouble = inDouble_ || exactly] {
    Frame frame(tensors->shapes(), memory, inDouble);
    for (size_t i = 0; i < steps->size(); ++i) {
      const Step& step = (*steps)[i];
      step.run(frame);
      for (const int tensor : step.outputs) frame.finish(tensor);
      for (const int tensor : step.inputs) {
        const bool isReadAgain = std::any_of(
            steps->begin() + static_cast<std::ptrdiff_t>(i) + 1, steps->end(), [&](const Step& later) {
              return std::find(later.inputs.begin(), later.inputs.end(), tensor) != later.inputs.end();
            });
        if (!isReadAgain) frame.forget(tensor);
      }
    }
  };
}

}  // namespace musashim::mudnn::graph
