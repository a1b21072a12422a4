// Operations that move elements: shapes, parts, pages; and signals between graphs.
#include <atomic>
#include <chrono>
#include <thread>

#include "libs/mudnn/graph/steps/support.h"

namespace musashim::mudnn::graph {
namespace {

// run(place row by row, indices) for all elements.
template <class Run>
void forIndices(const TensorShape& shape, Run&& run) {
  Dims index{};
  const int64_t count = shape.count();
  for (int64_t i = 0; i < count; ++i) {
    run(i, index);
    for (auto d = static_cast<size_t>(shape.rank); d-- > 0;) {
      if (++index[d] < shape.sizes[d]) break;
      index[d] = 0;
    }
  }
}

int64_t placeOf(const Dims& index, const Dims& strides, int rank) {
  int64_t place = 0;
  for (size_t d = 0; d < static_cast<size_t>(rank); ++d) place += index[d] * strides[d];
  return place;
}

Dims rowStrides(const TensorShape& shape) {
  return contiguousArray(Element::kFloat, nullptr, shape.rank, shape.sizes.data()).strides;
}

// The output's elements are those at the same places of the input's memory, or the same ones row by row.
Step reshape(const Descriptor& operation, Tensors& tensors) {
  const int x = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_RESHAPE_XDESC)),
            y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_RESHAPE_YDESC));
  const bool isLogical =
      operation.integer(MUDNN_ATTR_OPERATION_RESHAPE_MODE, MUDNN_RESHAPE_VIEW_ONLY) == MUDNN_RESHAPE_LOGICAL;
  const TensorShape from = tensors[x], to = tensors[y];
  checkShape(from.count() == to.count(), "the shapes have other numbers of elements");
  Step step;
  step.inputs = {x};
  step.outputs = {y};
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const V* const in = frame.in<V>(x);
      V* const out = frame.out<V>(y);
      if (isLogical) {
        std::copy(in, in + from.count(), out);
        return;
      }
      int64_t size = 1;
      for (size_t d = 0; d < static_cast<size_t>(from.rank); ++d)
        size += (from.sizes[d] - 1) * from.strides[d];
      std::vector<V> memory(static_cast<size_t>(size));
      forIndices(from, [&](int64_t i, const Dims& index) {
        memory[static_cast<size_t>(placeOf(index, from.strides, from.rank))] = in[i];
      });
      forIndices(to, [&](int64_t i, const Dims& index) {
        const int64_t place = placeOf(index, to.strides, to.rank);
        out[i] = place < size ? memory[static_cast<size_t>(place)] : V(0);
      });
    });
  };
  return step;
}

Step transposition(const Descriptor& operation, Tensors& tensors) {
  const int x = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_TRANSPOSE_XDESC)),
            y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_TRANSPOSE_YDESC));
  const auto order = operation.integers(MUDNN_ATTR_OPERATION_TRANSPOSE_PERMUTATION);
  const TensorShape from = tensors[x], to = tensors[y];
  checkShape(from.rank == to.rank && static_cast<int>(order.size()) == from.rank,
             "the order has other dimensions");
  std::vector<bool> isUsed(order.size());
  for (size_t d = 0; d < order.size(); ++d) {
    checkShape(order[d] >= 0 && order[d] < from.rank && !isUsed[static_cast<size_t>(order[d])] &&
                   to.sizes[d] == from.sizes[static_cast<size_t>(order[d])],
               "the order does not go with the sizes");
    isUsed[static_cast<size_t>(order[d])] = true;
  }
  Step step;
  step.inputs = {x};
  step.outputs = {y};
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const V* const in = frame.in<V>(x);
      V* const out = frame.out<V>(y);
      const Dims rows = rowStrides(from);
      Dims strides{};
      for (size_t d = 0; d < order.size(); ++d) strides[d] = rows[static_cast<size_t>(order[d])];
      forIndices(to, [&](int64_t i, const Dims& index) { out[i] = in[placeOf(index, strides, to.rank)]; });
    });
  };
  return step;
}

Step slice(const Descriptor& operation, Tensors& tensors) {
  const int x = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_SLICE_XDESC)),
            y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_SLICE_YDESC));
  const TensorShape from = tensors[x], to = tensors[y];
  auto begins = operation.integers(MUDNN_ATTR_OPERATION_SLICE_START_INDICES),
       strides = operation.integers(MUDNN_ATTR_OPERATION_SLICE_STRIDES);
  checkShape(from.rank == to.rank, "a part has as many dimensions");
  begins.resize(static_cast<size_t>(from.rank), 0);
  strides.resize(static_cast<size_t>(from.rank), 1);
  for (size_t d = 0; d < begins.size(); ++d)
    checkShape(begins[d] >= 0 && strides[d] > 0 && begins[d] + (to.sizes[d] - 1) * strides[d] < from.sizes[d],
               "the part is not all inside");
  Step step;
  step.inputs = {x};
  step.outputs = {y};
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const V* const in = frame.in<V>(x);
      V* const out = frame.out<V>(y);
      const Dims rows = rowStrides(from);
      Dims steps{};
      int64_t first = 0;
      for (size_t d = 0; d < begins.size(); ++d) {
        first += begins[d] * rows[d];
        steps[d] = strides[d] * rows[d];
      }
      forIndices(to,
                 [&](int64_t i, const Dims& index) { out[i] = in[first + placeOf(index, steps, to.rank)]; });
    });
  };
  return step;
}

Step concatenation(const Descriptor& operation, Tensors& tensors) {
  const int64_t axis = operation.integer(MUDNN_ATTR_OPERATION_CONCAT_AXIS, 0);
  const int y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_CONCAT_OUTPUT_DESC));
  const int64_t inPlace = operation.integer(MUDNN_ATTR_OPERATION_CONCAT_INPLACE_INDEX, -1);
  Step step;
  for (const Ref& input : operation.references(MUDNN_ATTR_OPERATION_CONCAT_INPUT_DESCS))
    step.inputs.push_back(tensors.add(input));
  const TensorShape to = tensors[y];
  checkShape(axis >= 0 && axis < to.rank, "there is no such axis");
  checkShape(inPlace < static_cast<int64_t>(step.inputs.size()), "there is no such input");
  int64_t length = 0;
  for (const int input : step.inputs) {
    const TensorShape& from = tensors[input];
    checkShape(from.rank == to.rank, "the inputs have other dimensions");
    for (int d = 0; d < to.rank; ++d)
      checkShape(d == axis || from.size(d) == to.size(d), "the inputs' sizes do not go together");
    length += from.sizes[static_cast<size_t>(axis)];
  }
  checkShape(length == to.sizes[static_cast<size_t>(axis)], "the output is not as long as all inputs");
  step.outputs = {y};
  step.run = [=, inputs = step.inputs](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      std::vector<const V*> sources;
      for (const int input : inputs) sources.push_back(frame.in<V>(input));
      V* const out = frame.out<V>(y, inPlace >= 0);
      const Dims rows = rowStrides(to);
      int64_t begin = 0;
      for (size_t k = 0; k < inputs.size(); ++k) {
        const TensorShape& from = frame.shape(inputs[k]);
        if (static_cast<int64_t>(k) != inPlace)
          forIndices(from, [&](int64_t i, const Dims& index) {
            out[placeOf(index, rows, to.rank) + begin * rows[static_cast<size_t>(axis)]] = sources[k][i];
          });
        begin += from.sizes[static_cast<size_t>(axis)];
      }
    });
  };
  return step;
}

// A flag in the device's memory is set when all before has been written, or waited for.
Step signal(const Descriptor& operation, Tensors& tensors) {
  const int x = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_SIGNAL_XDESC)),
            y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_SIGNAL_YDESC)),
            flag = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_SIGNAL_FLAGDESC));
  check(tensors[flag].type == MUDNN_DATA_INT32, MUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE,
        "a flag is an integer of 32 bits");
  const auto value = static_cast<int32_t>(operation.integer(MUDNN_ATTR_OPERATION_SIGNAL_VALUE, 0));
  const bool sets = operation.integer(MUDNN_ATTR_OPERATION_SIGNAL_MODE, 0) == MUDNN_SIGNAL_SET;
  Step step;
  step.inputs = {x, flag};
  if (y >= 0) step.outputs = {y};
  step.run = [=](Frame& frame) {
    auto& memory = *static_cast<int32_t*>(frame.memory(flag));
    const std::atomic_ref<int32_t> shared(memory);
    if (!sets)
      while (shared.load(std::memory_order_acquire) != value)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    withNumbers(frame, [&]<class V>(V) {
      if (y < 0) return;
      const V* const in = frame.in<V>(x);
      std::copy(in, in + frame.shape(x).count(), frame.out<V>(y));
    });
    if (!sets) return;
    if (y >= 0) frame.finish(y);
    shared.store(value, std::memory_order_release);
  };
  return step;
}

Step pages(const Descriptor& operation, Tensors& tensors) {
  const int container =
                tensors.add(operation.reference(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_CONTAINER_DESC)),
            y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_YDESC)),
            lengths = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_SEQUENCE_DESC)),
            table = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_PAGED_CACHE_LOAD_PAGE_TABLE_DESC));
  const TensorShape from = tensors[container], to = tensors[y], numbers = tensors[table];
  checkShape(from.rank == 4 && to.rank == 4 && numbers.rank == 4,
             "pages and what is in them have 4 dimensions");
  check(numbers.raggedOffsets < 0, MUDNN_STATUS_NOT_SUPPORTED, "page tables without gaps are not supported");
  // Keys come as B, H, D, S, values as B, H, S, D; the former lie as the latter.
  const bool isTurned = to.strides[2] == 1 && to.sizes[3] != 1;
  const size_t row = isTurned ? 3 : 2, column = isTurned ? 2 : 3;
  checkShape(to.sizes[column] == from.sizes[3] && from.sizes[2] > 0, "the pages' rows have another width");
  Step step;
  step.inputs = {container, lengths, table};
  step.outputs = {y};
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const V* const in = frame.in<V>(container);
      const auto places = frame.integers(table), counts = frame.integers(lengths);
      V* const out = frame.out<V>(y);
      const Dims rows = rowStrides(from);
      const int64_t perBatch = numbers.sizes[2], heads = from.sizes[1];
      forIndices(to, [&](int64_t i, const Dims& index) {
        const int64_t s = index[row], page = s / from.sizes[2];
        if (s >= counts[static_cast<size_t>(index[0])] || page >= perBatch) {
          out[i] = V(0);
          return;
        }
        const int64_t block = places[static_cast<size_t>(index[0] * perBatch + page)];
        const int64_t head = index[1] / (to.sizes[1] / heads);
        out[i] = in[block * rows[0] + head * rows[1] + s % from.sizes[2] * rows[2] + index[column]];
      });
    });
  };
  return step;
}

}  // namespace

Step movementStep(const Descriptor& operation, Tensors& tensors) {
  switch (operation.kind) {
    case MUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
      return reshape(operation, tensors);
    case MUDNN_BACKEND_OPERATION_TRANSPOSE_DESCRIPTOR:
      return transposition(operation, tensors);
    case MUDNN_BACKEND_OPERATION_SLICE_DESCRIPTOR:
      return slice(operation, tensors);
    case MUDNN_BACKEND_OPERATION_CONCAT_DESCRIPTOR:
      return concatenation(operation, tensors);
    case MUDNN_BACKEND_OPERATION_SIGNAL_DESCRIPTOR:
      return signal(operation, tensors);
    default:
      return pages(operation, tensors);
  }
}

}  // namespace musashim::mudnn::graph
