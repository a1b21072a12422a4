// The functions of the graph interface.
#include <algorithm>
#include <cstring>

#include "libs/core/graph_work.h"
#include "libs/core/handles.h"
#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/graph/descriptor.h"
#include "libs/mudnn/graph/program.h"

namespace musashim::mudnn::graph {
namespace {

using Handles = libs::Handles<Handle>;

// What the thread's last call that failed had to say.
thread_local char lastError[512];

void keep(const char* name, const char* text) {
  std::snprintf(lastError, sizeof lastError, "%s: %s", name, text);
}

template <class Body, class... Args>
mudnnStatus_t graphEntry(const char* name, Body&& body, const Args&... args) {
  return entry(
      name,
      [&] {
        try {
          body();
          return MUDNN_STATUS_SUCCESS;
        } catch (const Failure& failure) {
          keep(name, failure.what());
          if (core::traceEnabled()) [[unlikely]]
            libs::tellIfPossible([&] { core::traceLine("mudnn", "refused", failure.what(), ""); });
          return failure.status();
        } catch (const Refusal& refusal) {
          keep(name, refusal.what());
          throw;
        }
      },
      args...);
}

const Attribute& attributeOf(const Descriptor& descriptor, mudnnBackendAttributeName_t name) {
  const auto& attributes = attributesOf(descriptor.kind);
  const auto found = attributes.find(name);
  check(found != attributes.end(), MUDNN_STATUS_BAD_PARAM, "descriptors of this kind have no such attribute");
  return found->second;
}

void checkType(const Attribute& attribute, mudnnBackendAttributeType_t type) {
  const int number = type;
  check(number >= 0 && number < 64 && (attribute.types >> number & 1) != 0,
        MUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, std::string(attribute.name) + " is of another type");
}

// Enumerations and numbers that no descriptor takes.
void checkValue(const Attribute& attribute, mudnnBackendAttributeName_t name,
                mudnnBackendAttributeType_t type, const void* elements) {
  const auto in = [&](int low, int high) {
    int value;
    std::memcpy(&value, elements, sizeof value);
    check(value >= low && value <= high, MUDNN_STATUS_BAD_PARAM,
          std::string(attribute.name) + " has no such value");
  };
  if (type == MUDNN_TYPE_DATA_TYPE) in(MUDNN_DATA_FLOAT, MUDNN_DATA_COMPLEX_FP64);
  if (type == MUDNN_TYPE_NORM_MODE) in(MUDNN_LAYER_NORM, MUDNN_ADA_LAYER_NORM);
  if (type == MUDNN_TYPE_REDUCTION_OPERATOR_TYPE)
    in(MUDNN_REDUCE_TENSOR_ADD, MUDNN_REDUCE_TENSOR_MUL_NO_ZEROS);
  if (type != MUDNN_TYPE_INT64) return;
  int64_t number;
  std::memcpy(&number, elements, sizeof number);
  if (name == MUDNN_ATTR_TENSOR_BYTE_ALIGNMENT)
    check(number > 0 && (number & (number - 1)) == 0, MUDNN_STATUS_BAD_PARAM,
          "an alignment is a power of two");
}

void set(Descriptor& descriptor, mudnnBackendAttributeName_t name, mudnnBackendAttributeType_t type,
         int64_t count, const void* elements) {
  check(!descriptor.isFinalized, MUDNN_STATUS_NOT_INITIALIZED, "the descriptor is finalized already");
  const Attribute& attribute = attributeOf(descriptor, name);
  check(attribute.need != Need::kRead, MUDNN_STATUS_NOT_SUPPORTED,
        std::string(attribute.name) + " can be asked for alone");
  checkType(attribute, type);
  check(elements != nullptr, MUDNN_STATUS_BAD_PARAM_NULL_POINTER, "the elements are null");
  check(count >= 0 && (attribute.hasMany || count == 1), MUDNN_STATUS_BAD_PARAM,
        std::string(attribute.name) + " has another number of elements");
  const bool isShape = name == MUDNN_ATTR_TENSOR_DIMENSIONS || name == MUDNN_ATTR_TENSOR_STRIDES;
  check(!isShape || (count > 0 && count <= MUDNN_DIM_MAX), MUDNN_STATUS_BAD_PARAM,
        "a tensor has 1 to 8 dimensions");
  if (type == MUDNN_TYPE_BACKEND_DESCRIPTOR) {
    std::vector<Ref> references;
    for (int64_t i = 0; i < count; ++i) {
      Ref one = find(static_cast<const mudnnBackendDescriptor_t*>(elements)[i]);
      const bool fits = attribute.of == kAnyKind ||
                        (attribute.of == kOperation ? isOperation(one->kind) : one->kind == attribute.of);
      check(fits, attribute.of == kOperation ? MUDNN_STATUS_NOT_SUPPORTED : MUDNN_STATUS_BAD_PARAM,
            std::string(attribute.name) + " is a descriptor of another kind");
      check(one->isFinalized, MUDNN_STATUS_BAD_PARAM_NOT_FINALIZED,
            std::string(attribute.name) + " is a descriptor that is not finalized");
      references.push_back(std::move(one));
    }
    return descriptor.put(name, std::move(references));
  }
  if (count > 0) checkValue(attribute, name, type, elements);
  descriptor.put(name, type, count, elements);
  if (name == MUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION)
    readText(descriptor, std::string(static_cast<const char*>(elements), static_cast<size_t>(count)));
}

void copyOut(const Value& value, int64_t wanted, int64_t* count, void* elements) {
  if (count) *count = value.count;
  if (!elements || wanted <= 0) return;
  const auto number = static_cast<size_t>(std::min(wanted, value.count));
  if (value.type == MUDNN_TYPE_BACKEND_DESCRIPTOR) {
    // They take the places of descriptors that the caller has made.
    auto* const handles = static_cast<mudnnBackendDescriptor_t*>(elements);
    for (size_t i = 0; i < number; ++i) {
      check(find(handles[i])->kind == value.references[i]->kind, MUDNN_STATUS_BAD_PARAM,
            "the place for a descriptor is of another kind");
      replace(handles[i], value.references[i]);
    }
    if (count) *count = static_cast<int64_t>(number);
    return;
  }
  std::memcpy(elements, value.bytes.data(), number * sizeOf(value.type));
}

template <class T>
Value one(mudnnBackendAttributeType_t type, T value) {
  Value result{type, 1, {}, {}};
  result.bytes.resize(sizeof value);
  std::memcpy(result.bytes.data(), &value, sizeof value);
  return result;
}

// What an attribute that was not set is, as far as there is such a thing.
Value valueOf(const Descriptor& descriptor, mudnnBackendAttributeName_t name,
              mudnnBackendAttributeType_t type) {
  if (name == MUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION) {
    const std::string text = textOf(descriptor);
    Value value{MUDNN_TYPE_CHAR, static_cast<int64_t>(text.size() + 1), {}, {}};
    value.bytes.assign(text.c_str(), text.c_str() + text.size() + 1);
    return value;
  }
  const auto found = descriptor.values.find(name);
  if (found != descriptor.values.end()) return found->second;
  if (name == MUDNN_ATTR_TENSOR_VECTOR_COUNT) return one(type, int64_t{1});
  if (name == MUDNN_ATTR_TENSOR_IS_VIRTUAL || name == MUDNN_ATTR_TENSOR_IS_BY_VALUE) return one(type, false);
  return Value{type, 0, {}, {}};
}

const Program& programOf(const Descriptor& plan) {
  const Ref configuration = plan.reference(MUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  check(configuration != nullptr, MUDNN_STATUS_BAD_PARAM, "the plan has no configuration of an engine");
  const Ref engine = configuration->reference(MUDNN_ATTR_ENGINECFG_ENGINE);
  return *engine->reference(MUDNN_ATTR_ENGINE_OPERATION_GRAPH)->program;
}

// The work that a plan is with the memory of a variant pack.
Work workOf(mudnnHandle_t handle, mudnnBackendDescriptor_t executionPlan,
            mudnnBackendDescriptor_t variantPack) {
  check(isHandle(handle), MUDNN_STATUS_BAD_PARAM, "there is no such handle");
  const Ref plan = find(executionPlan), pack = find(variantPack);
  check(plan->kind == MUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR &&
            pack->kind == MUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
        MUDNN_STATUS_BAD_PARAM, "a descriptor is of another kind");
  check(plan->isFinalized && pack->isFinalized, MUDNN_STATUS_BAD_PARAM_NOT_FINALIZED,
        "the plan or the variant pack is not finalized");
  const Ref engine =
      plan->reference(MUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)->reference(MUDNN_ATTR_ENGINECFG_ENGINE);
  return programOf(*plan).bind(*pack, engine->integer(MUDNN_ATTR_ENGINE_GLOBAL_INDEX, 0) == kExactEngine);
}

}  // namespace

void tell(const char* text) { keep("a graph was finalized", text); }

}  // namespace musashim::mudnn::graph

using namespace musashim::mudnn::graph;

extern "C" {

__attribute__((visibility("default"))) void mudnnGetLastErrorString(char* message, size_t max_size) {
  if (!message || max_size == 0) return;
  const size_t length = std::min(std::strlen(lastError), max_size - 1);
  std::memcpy(message, lastError, length);
  message[length] = '\0';
  lastError[0] = '\0';
}

MUDNN_ENTRY mudnnBackendCreateDescriptor(mudnnBackendDescriptorType_t descriptorType,
                                         mudnnBackendDescriptor_t* descriptor) {
  return graphEntry(
      "mudnnBackendCreateDescriptor",
      [&] {
        check(descriptor != nullptr, MUDNN_STATUS_BAD_PARAM_NULL_POINTER,
              "there is no place for the descriptor");
        check(isKind(descriptorType), MUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED,
              "there is no such kind of descriptors");
        auto made = std::make_shared<Descriptor>(descriptorType);
        Handle* const handle = Handles::instance().make();
        handle->descriptor = std::move(made);
        *descriptor = handle;
      },
      descriptorType, descriptor);
}

MUDNN_ENTRY mudnnBackendDestroyDescriptor(mudnnBackendDescriptor_t descriptor) {
  return graphEntry(
      "mudnnBackendDestroyDescriptor",
      [&] {
        if (descriptor)
          check(Handles::instance().drop(static_cast<Handle*>(descriptor)), MUDNN_STATUS_BAD_PARAM,
                "there is no such descriptor");
      },
      descriptor);
}

MUDNN_ENTRY mudnnBackendInitialize(mudnnBackendDescriptor_t descriptor) {
  return graphEntry(
      "mudnnBackendInitialize",
      [&] {
        const Ref found = find(descriptor);
        replace(descriptor, std::make_shared<Descriptor>(found->kind));
      },
      descriptor);
}

MUDNN_ENTRY mudnnBackendFinalize(mudnnBackendDescriptor_t descriptor) {
  return graphEntry(
      "mudnnBackendFinalize",
      [&] {
        const Ref found = find(descriptor);
        if (!found->isFinalized) finalize(*found);
        found->isFinalized = true;
      },
      descriptor);
}

MUDNN_ENTRY mudnnBackendSetAttribute(mudnnBackendDescriptor_t descriptor,
                                     mudnnBackendAttributeName_t attributeName,
                                     mudnnBackendAttributeType_t attributeType, int64_t elementCount,
                                     const void* arrayOfElements) {
  return graphEntry(
      "mudnnBackendSetAttribute",
      [&] { set(*find(descriptor), attributeName, attributeType, elementCount, arrayOfElements); },
      descriptor, attributeName, attributeType, elementCount, arrayOfElements);
}

MUDNN_ENTRY mudnnBackendGetAttribute(mudnnBackendDescriptor_t descriptor,
                                     mudnnBackendAttributeName_t attributeName,
                                     mudnnBackendAttributeType_t attributeType, int64_t requestedElementCount,
                                     int64_t* elementCount, void* arrayOfElements) {
  return graphEntry(
      "mudnnBackendGetAttribute",
      [&] {
        const Ref found = find(descriptor);
        const Attribute& attribute = attributeOf(*found, attributeName);
        check(found->isFinalized, MUDNN_STATUS_NOT_INITIALIZED, "the descriptor is not finalized");
        checkType(attribute, attributeType);
        if (attributeName == MUDNN_ATTR_KERNEL_CACHE_IS_ENGINECFG_KERNEL_CACHED) {
          // Nothing is compiled, so that there is nothing to keep.
          if (elementCount) *elementCount = 0;
          return;
        }
        copyOut(valueOf(*found, attributeName, attributeType), requestedElementCount, elementCount,
                arrayOfElements);
      },
      descriptor, attributeName, attributeType, requestedElementCount, elementCount, arrayOfElements);
}

MUDNN_ENTRY mudnnBackendExecute(mudnnHandle_t handle, mudnnBackendDescriptor_t executionPlan,
                                mudnnBackendDescriptor_t variantPack) {
  return graphEntry(
      "mudnnBackendExecute",
      [&] {
        const mudnnStatus_t status =
            musashim::mudnn::queue(handle, workOf(handle, executionPlan, variantPack));
        check(status == MUDNN_STATUS_SUCCESS, status, "the work could not be queued on the handle's stream");
      },
      handle, executionPlan, variantPack);
}

MUDNN_ENTRY mudnnGetExecutionPlanWorkspaceSize(mudnnHandle_t handle, mudnnBackendDescriptor_t executionPlan,
                                               mudnnBackendDescriptor_t variantPack,
                                               size_t* workspaceSizeInBytes) {
  return graphEntry(
      "mudnnGetExecutionPlanWorkspaceSize",
      [&] {
        check(workspaceSizeInBytes != nullptr, MUDNN_STATUS_BAD_PARAM_NULL_POINTER,
              "there is no place for the size");
        check(musashim::mudnn::isHandle(handle) && find(executionPlan)->isFinalized &&
                  find(variantPack)->isFinalized,
              MUDNN_STATUS_BAD_PARAM, "the handle or a descriptor cannot be used");
        *workspaceSizeInBytes = 0;
      },
      handle, executionPlan, variantPack, workspaceSizeInBytes);
}

MUDNN_ENTRY mudnnBackendPopulateMusaGraph(mudnnHandle_t handle, mudnnBackendDescriptor_t executionPlan,
                                          mudnnBackendDescriptor_t variantPack, musaGraph_t graph) {
  return graphEntry(
      "mudnnBackendPopulateMusaGraph",
      [&] {
        size_t count = 0;
        check(musaGraphGetNodes(graph, nullptr, &count) == musaSuccess && count == 0, MUDNN_STATUS_BAD_PARAM,
              "the graph has nodes already, or there is no such graph");
        check(musashim::libs::addToGraph(graph, workOf(handle, executionPlan, variantPack)) == musaSuccess,
              MUDNN_STATUS_EXECUTION_FAILED, "the node could not be added");
      },
      handle, executionPlan, variantPack, graph);
}

MUDNN_ENTRY mudnnBackendUpdateMusaGraph(mudnnHandle_t handle, mudnnBackendDescriptor_t executionPlan,
                                        mudnnBackendDescriptor_t variantPack, musaGraph_t graph) {
  return graphEntry(
      "mudnnBackendUpdateMusaGraph",
      [&] {
        musaGraphNode_t node = nullptr;
        size_t count = 1;
        const bool isOurs = musaGraphGetNodes(graph, nullptr, &count) == musaSuccess && count == 1 &&
                            musaGraphGetNodes(graph, &node, &count) == musaSuccess;
        check(isOurs, MUDNN_STATUS_BAD_PARAM_MUSA_GRAPH_MISMATCH, "the graph is not one that was populated");
        check(musashim::libs::replaceInGraph(graph, node, workOf(handle, executionPlan, variantPack)) ==
                  musaSuccess,
              MUDNN_STATUS_BAD_PARAM_MUSA_GRAPH_MISMATCH, "the graph's node is another");
      },
      handle, executionPlan, variantPack, graph);
}

}  // extern "C"
