// What descriptors are checked for when they are finalized, and what is made then.
#include <algorithm>

#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/graph/program.h"

namespace musashim::mudnn::graph {
namespace {

void checkRequired(const Descriptor& descriptor) {
  for (const auto& [number, attribute] : attributesOf(descriptor.kind))
    check(attribute.need != Need::kRequired || descriptor.has(number),
          attribute.of == MUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR ? MUDNN_STATUS_BAD_PARAM_NULL_POINTER
                                                                  : MUDNN_STATUS_BAD_PARAM,
          std::string(attribute.name) + " is missing");
}

void checkTensor(const Descriptor& tensor) {
  const TensorShape shape = shapeOf(tensor);
  const auto strides = tensor.integers(MUDNN_ATTR_TENSOR_STRIDES);
  check(strides.size() == static_cast<size_t>(shape.rank), MUDNN_STATUS_BAD_PARAM,
        "there is one stride for each dimension");
  for (int d = 0; d < shape.rank; ++d)
    check(shape.sizes[static_cast<size_t>(d)] >= 0 && shape.strides[static_cast<size_t>(d)] >= 0,
          MUDNN_STATUS_BAD_PARAM, "a size or a stride is negative");
  check(
      shape.type != MUDNN_DATA_INT8x4 && shape.type != MUDNN_DATA_UINT8x4 && shape.type != MUDNN_DATA_INT8x32,
      MUDNN_STATUS_NOT_SUPPORTED, "vectors are told by their count, not by the type");
  const int64_t alignment = tensor.integer(MUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 1);
  check(alignment % static_cast<int64_t>(sizeOf(elementOfType(shape.type))) == 0 || !isPlain(shape.type),
        MUDNN_STATUS_BAD_PARAM, "the alignment is no multiple of the element's size");
  const int64_t vector = tensor.integer(MUDNN_ATTR_TENSOR_VECTOR_COUNT, 1);
  check(vector == 1 || vector == 4 || vector == 32, MUDNN_STATUS_NOT_SUPPORTED,
        "there are vectors of 4 and 32 elements");
  check(vector == 1, MUDNN_STATUS_NOT_SUPPORTED_LAYOUT, "tensors of vectors are not supported");
  check(tensor.integer(MUDNN_ATTR_TENSOR_REORDERING_MODE, 0) == MUDNN_TENSOR_REORDERING_NONE ||
            !isComputed(shape.type) || shape.isVirtual,
        MUDNN_STATUS_NOT_SUPPORTED_LAYOUT, "reordered tensors are not supported");
}

void checkConvolution(const Descriptor& how) {
  const auto places = static_cast<size_t>(how.integer(MUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0));
  for (const int attribute : {MUDNN_ATTR_CONVOLUTION_DILATIONS, MUDNN_ATTR_CONVOLUTION_FILTER_STRIDES,
                              MUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, MUDNN_ATTR_CONVOLUTION_POST_PADDINGS}) {
    const auto numbers = how.integers(attribute);
    const bool isPad =
        attribute == MUDNN_ATTR_CONVOLUTION_PRE_PADDINGS || attribute == MUDNN_ATTR_CONVOLUTION_POST_PADDINGS;
    check(numbers.size() == places, MUDNN_STATUS_BAD_PARAM, "there is one number for each spatial dimension");
    for (const int64_t number : numbers)
      check(number >= (isPad ? 0 : 1), MUDNN_STATUS_BAD_PARAM,
            "a pad is negative, or a stride or dilation is less than 1");
  }
}

void checkPointwise(const Descriptor& operation) {
  int rank = -1;
  for (const int attribute : {MUDNN_ATTR_OPERATION_POINTWISE_XDESC, MUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                              MUDNN_ATTR_OPERATION_POINTWISE_YDESC, MUDNN_ATTR_OPERATION_POINTWISE_TDESC,
                              MUDNN_ATTR_OPERATION_POINTWISE_DXDESC, MUDNN_ATTR_OPERATION_POINTWISE_DYDESC}) {
    const Ref tensor = operation.reference(attribute);
    if (!tensor) continue;
    const int own = shapeOf(*tensor).rank;
    check(rank < 0 || own == rank, MUDNN_STATUS_BAD_PARAM, "the tensors have other dimensions");
    rank = own;
  }
  checkPointwiseInputs(operation);
}

void checkResampling(const Descriptor& how) {
  const auto places = static_cast<size_t>(how.integer(MUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, 0));
  for (const int attribute : {MUDNN_ATTR_RESAMPLE_WINDOW_DIMS, MUDNN_ATTR_RESAMPLE_STRIDES,
                              MUDNN_ATTR_RESAMPLE_PRE_PADDINGS, MUDNN_ATTR_RESAMPLE_POST_PADDINGS})
    check(how.fractions(attribute).size() == places, MUDNN_STATUS_NOT_SUPPORTED,
          "there is one number for each spatial dimension");
  for (const double stride : how.fractions(MUDNN_ATTR_RESAMPLE_STRIDES))
    check(stride > 0, MUDNN_STATUS_BAD_PARAM, "a stride is not positive");
  if (how.integer(MUDNN_ATTR_RESAMPLE_MODE, 0) == MUDNN_RESAMPLE_BILINEAR)
    for (const double size : how.fractions(MUDNN_ATTR_RESAMPLE_WINDOW_DIMS))
      check(size == 2, MUDNN_STATUS_NOT_SUPPORTED, "between two elements the window is of 2");
}

void checkRandom(const Descriptor& how) {
  const auto kind = how.integer(MUDNN_ATTR_RNG_DISTRIBUTION, MUDNN_RNG_DISTRIBUTION_BERNOULLI);
  if (kind == MUDNN_RNG_DISTRIBUTION_NORMAL)
    check(how.real(MUDNN_ATTR_RNG_NORMAL_DIST_STANDARD_DEVIATION, -1) >= 0, MUDNN_STATUS_BAD_PARAM,
          "the deviation is negative");
  else if (kind == MUDNN_RNG_DISTRIBUTION_UNIFORM)
    check(how.real(MUDNN_ATTR_RNG_UNIFORM_DIST_MAXIMUM, -1) >=
              how.real(MUDNN_ATTR_RNG_UNIFORM_DIST_MINIMUM, -1),
          MUDNN_STATUS_BAD_PARAM, "the largest number is less than the smallest");
  else
    check(how.real(MUDNN_ATTR_RNG_BERNOULLI_DIST_PROBABILITY, -1) >= 0, MUDNN_STATUS_BAD_PARAM,
          "the probability is negative");
}

bool isLibraryHandle(const Descriptor& descriptor, int attribute) {
  return isHandle(reinterpret_cast<mudnnHandle_t>(descriptor.integer(attribute, 0)));
}

void finishGraph(Descriptor& graph) {
  check(!graph.has(MUDNN_ATTR_OPERATIONGRAPH_HANDLE) ||
            isLibraryHandle(graph, MUDNN_ATTR_OPERATIONGRAPH_HANDLE),
        MUDNN_STATUS_BAD_PARAM, "there is no such handle");
  const auto operations = graph.references(MUDNN_ATTR_OPERATIONGRAPH_OPS);
  check(!operations.empty(), MUDNN_STATUS_BAD_PARAM, "a graph has operations");
  int64_t engines = kEngines;
  try {
    graph.program = std::make_shared<const Program>(operations);
  } catch (const Failure& failure) {
    // A graph that no engine takes is one all the same.
    if (failure.status() / 1000 * 1000 != MUDNN_STATUS_NOT_SUPPORTED) throw;
    engines = 0;
    tell(failure.what());
  }
  graph.put(MUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, MUDNN_TYPE_INT64, 1, &engines);
}

void finishEngine(Descriptor& engine) {
  const int64_t index = engine.integer(MUDNN_ATTR_ENGINE_GLOBAL_INDEX, -1);
  check(engine.reference(MUDNN_ATTR_ENGINE_OPERATION_GRAPH)->program != nullptr, MUDNN_STATUS_NOT_SUPPORTED,
        "no engine takes the graph");
  check(index >= 0 && index < kEngines, MUDNN_STATUS_NOT_SUPPORTED, "there is no engine of this number");
  // Streams that capture take the work of either; nothing rounds more than the types ask for.
  const mudnnBackendBehaviorNote_t behavior = MUDNN_BEHAVIOR_NOTE_SUPPORTS_MUSA_GRAPH_NATIVE_API;
  const mudnnBackendNumericalNote_t numerical = MUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP;
  engine.put(MUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, MUDNN_TYPE_BEHAVIOR_NOTE, 1, &behavior);
  engine.put(MUDNN_ATTR_ENGINE_NUMERICAL_NOTE, MUDNN_TYPE_NUMERICAL_NOTE, 1, &numerical);
  engine.put(MUDNN_ATTR_ENGINE_KNOB_INFO, {});
  engine.put(MUDNN_ATTR_ENGINE_LAYOUT_INFO, {});
}

void finishConfiguration(Descriptor& configuration) {
  check(configuration.references(MUDNN_ATTR_ENGINECFG_KNOB_CHOICES).empty(), MUDNN_STATUS_NOT_SUPPORTED,
        "the engines have no knobs");
  const int64_t none = 0;
  configuration.put(MUDNN_ATTR_ENGINECFG_WORKSPACE_SIZE, MUDNN_TYPE_INT64, 1, &none);
  const int32_t shared = 0;
  configuration.put(MUDNN_ATTR_ENGINECFG_SHARED_MEMORY_USED, MUDNN_TYPE_INT32, 1, &shared);
}

Ref configurationOf(const Ref& graph, int64_t index) {
  auto engine = std::make_shared<Descriptor>(MUDNN_BACKEND_ENGINE_DESCRIPTOR);
  engine->put(MUDNN_ATTR_ENGINE_OPERATION_GRAPH, {graph});
  engine->put(MUDNN_ATTR_ENGINE_GLOBAL_INDEX, MUDNN_TYPE_INT64, 1, &index);
  finalize(*engine);
  auto configuration = std::make_shared<Descriptor>(MUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  configuration->put(MUDNN_ATTR_ENGINECFG_ENGINE, {engine});
  finalize(*configuration);
  return configuration;
}

void finishHeuristic(Descriptor& heuristic) {
  const Ref graph = heuristic.reference(MUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
  const int64_t mode = heuristic.integer(MUDNN_ATTR_ENGINEHEUR_MODE, 0);
  // Other modes give none, as graphs that no engine takes.
  const bool isMode = graph->program && mode >= MUDNN_HEUR_MODE_INSTANT && mode <= MUDNN_HEUR_MODE_A;
  std::vector<Ref> results;
  if (isMode && mode != MUDNN_HEUR_MODE_FALLBACK) results.push_back(configurationOf(graph, kFastEngine));
  if (isMode) results.push_back(configurationOf(graph, kExactEngine));
  heuristic.put(MUDNN_ATTR_ENGINEHEUR_RESULTS, std::move(results));
}

void finishPlan(Descriptor& plan) {
  check(plan.reference(MUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG) != nullptr, MUDNN_STATUS_BAD_PARAM,
        "the plan has no configuration of an engine");
  check(
      !plan.has(MUDNN_ATTR_EXECUTION_PLAN_HANDLE) || isLibraryHandle(plan, MUDNN_ATTR_EXECUTION_PLAN_HANDLE),
      MUDNN_STATUS_BAD_PARAM, "there is no such handle");
  const int64_t none = 0;
  plan.put(MUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, MUDNN_TYPE_INT64, 1, &none);
}

void checkPack(const Descriptor& pack) {
  const auto ids = pack.integers(MUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  check(ids.size() == pack.integers(MUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).size(), MUDNN_STATUS_BAD_PARAM,
        "there is one pointer for each tensor");
  check(pack.integers(MUDNN_ATTR_VARIANT_PACK_OVERRIDE_UNIQUE_IDS).empty(), MUDNN_STATUS_NOT_SUPPORTED,
        "tensors keep the shapes that the graph has");
}

}  // namespace

void finalize(Descriptor& descriptor) {
  switch (descriptor.kind) {
    case MUDNN_BACKEND_INTERMEDIATE_INFO_DESCRIPTOR:
    case MUDNN_BACKEND_KNOB_INFO_DESCRIPTOR:
    case MUDNN_BACKEND_LAYOUT_INFO_DESCRIPTOR:
      throw Failure(MUDNN_STATUS_NOT_SUPPORTED, "the library alone finalizes descriptors of this kind");
    default:
      checkRequired(descriptor);
  }
  switch (descriptor.kind) {
    case MUDNN_BACKEND_TENSOR_DESCRIPTOR:
      checkTensor(descriptor);
      break;
    case MUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
      checkConvolution(descriptor);
      break;
    case MUDNN_BACKEND_REDUCTION_DESCRIPTOR:
      // It can be used all the same, as in cuDNN; no engine takes the graph.
      descriptor.isFinalized = true;
      check(descriptor.integer(MUDNN_ATTR_REDUCTION_OPERATOR, 0) <= MUDNN_REDUCE_TENSOR_AMAX,
            MUDNN_STATUS_NOT_SUPPORTED,
            "a graph's reductions add, multiply, or take the least or the largest");
      break;
    case MUDNN_BACKEND_RESAMPLE_DESCRIPTOR:
      checkResampling(descriptor);
      break;
    case MUDNN_BACKEND_RNG_DESCRIPTOR:
      checkRandom(descriptor);
      break;
    case MUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
      finishGraph(descriptor);
      break;
    case MUDNN_BACKEND_ENGINE_DESCRIPTOR:
      finishEngine(descriptor);
      break;
    case MUDNN_BACKEND_ENGINECFG_DESCRIPTOR:
      finishConfiguration(descriptor);
      break;
    case MUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
      finishHeuristic(descriptor);
      break;
    case MUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
      finishPlan(descriptor);
      break;
    case MUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
      checkPack(descriptor);
      break;
    default:
      // As in cuDNN, pointwise operations are checked with the graph.
      if (descriptor.kind == MUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR)
        return checkPointwise(descriptor), void(descriptor.isFinalized = true);
      if (isOperation(descriptor.kind)) {
        Tensors tensors;  // it is checked as it is made
        try {
          (void)stepOf(descriptor, tensors);
        } catch (const Failure& failure) {
          // Engines are asked with the graph.
          if (failure.status() != MUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN) throw;
        }
      }
  }
  descriptor.isFinalized = true;
}

}  // namespace musashim::mudnn::graph
