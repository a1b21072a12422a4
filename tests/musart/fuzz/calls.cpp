// The table of the API's entries, each with the code that makes its arguments: from the records.
#include <musa.h>
#include <musa_runtime_api.h>

#include <tuple>
#include <utility>

#include "values.h"

namespace musashim::fuzz {

// ---- Structures whose tag says what their union holds ----

static void fillValue(Values& values, dim3& v) {
  values.fill(v.x, "gridDim");
  values.fill(v.y, "gridDim");
  values.fill(v.z, "gridDim");
}

#include "values.inc"

// Both APIs' structures name their members alike.
template <class Params>
static void fillNode(Values& values, Params& v) {
  values.fill(v.type, "type");
  values.fill(v.reserved0, "reserved0");
  values.fill(v.reserved2, "reserved2");
  switch (static_cast<int>(v.type)) {
    case MU_GRAPH_NODE_TYPE_KERNEL:
      return values.fill(v.kernel, "kernel");
    case MU_GRAPH_NODE_TYPE_MEMCPY:
      return values.fill(v.memcpy, "memcpy");
    case MU_GRAPH_NODE_TYPE_MEMSET:
      return values.fill(v.memset, "memset");
    case MU_GRAPH_NODE_TYPE_HOST:
      return values.fill(v.host, "host");
    case MU_GRAPH_NODE_TYPE_GRAPH:
      return values.fill(v.graph, "graph");
    case MU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return values.fill(v.eventWait, "eventWait");
    case MU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return values.fill(v.eventRecord, "eventRecord");
    case MU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return values.fill(v.alloc, "alloc");
    case MU_GRAPH_NODE_TYPE_MEM_FREE:
      return values.fill(v.free, "free");
    case MU_GRAPH_NODE_TYPE_CONDITIONAL:
      return values.fill(v.conditional, "conditional");
    case MU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      if constexpr (requires { v.memOp; }) values.fill(v.memOp, "memOp");
      return;
    default:
      return;
  }
}

void fillValue(Values& values, MUgraphNodeParams_st& v) { fillNode(values, v); }
void fillValue(Values& values, musaGraphNodeParams& v) { fillNode(values, v); }

template <class Desc>
static void fillMemory(Values& values, Desc& v) {
  if (static_cast<int>(v.resType) == MU_RESOURCE_TYPE_LINEAR) {
    values.fill(v.res.linear.devPtr, "devPtr");
    values.fill(v.res.linear.sizeInBytes, "sizeInBytes");
  } else if (static_cast<int>(v.resType) == MU_RESOURCE_TYPE_PITCH2D) {
    values.fill(v.res.pitch2D.devPtr, "devPtr");
    values.fill(v.res.pitch2D.width, "width");
    values.fill(v.res.pitch2D.height, "height");
    values.fill(v.res.pitch2D.pitchInBytes, "pitchInBytes");
  }
}

void fillValue(Values& values, MUSA_RESOURCE_DESC_st& v) {
  values.fill(v.resType, "resType");
  fillMemory(values, v);
  if (v.resType == MU_RESOURCE_TYPE_LINEAR) {
    values.fill(v.res.linear.format, "format");
    values.fill(v.res.linear.numChannels, "numChannels");
  } else if (v.resType == MU_RESOURCE_TYPE_PITCH2D) {
    values.fill(v.res.pitch2D.format, "format");
    values.fill(v.res.pitch2D.numChannels, "numChannels");
  } else if (v.resType == MU_RESOURCE_TYPE_ARRAY) {
    values.fill(v.res.array.hArray, "hArray");
  } else {
    values.fill(v.res.mipmap.hMipmappedArray, "hMipmappedArray");
  }
  values.fill(v.flags, "flags");
}

void fillValue(Values& values, musaResourceDesc& v) {
  values.fill(v.resType, "resType");
  fillMemory(values, v);
  if (v.resType == musaResourceTypeLinear) {
    values.fill(v.res.linear.desc, "desc");
  } else if (v.resType == musaResourceTypePitch2D) {
    values.fill(v.res.pitch2D.desc, "desc");
  } else if (v.resType == musaResourceTypeArray) {
    values.fill(v.res.array.array, "array");
  } else {
    values.fill(v.res.mipmap.mipmap, "mipmap");
  }
}

template <class T>
void Values::fillStructure(T& value, std::string_view /*name*/) {
  fillValue(*this, value);
}

// ---- Calls ----

template <class Result, class... Arguments, size_t... I>
static int callWith(Result (*entry)(Arguments...), Values& values, std::initializer_list<const char*> names,
                    std::index_sequence<I...>) {
  std::tuple<std::remove_cv_t<Arguments>...> arguments{
      values.template make<std::remove_cv_t<Arguments>>(std::data(names)[I])...};
  return static_cast<int>(std::apply(entry, arguments));
}

template <class Result, class... Arguments>
static int call(Result (*entry)(Arguments...), const char* function, Values& values,
                std::initializer_list<const char*> names) {
  values.beginCall(function);
  return callWith(entry, values, names, std::index_sequence_for<Arguments...>());
}

// Whether the first argument takes a new handle: such entries are called more often.
template <class Result>
constexpr bool givesHandle(Result (*)()) {
  return false;
}
template <class Result, class First, class... Rest>
constexpr bool givesHandle(Result (*)(First, Rest...)) {
  return std::is_pointer_v<First> && IsHandle<std::remove_pointer_t<First>>;
}

#define FUZZ_CALL(name, ...) \
  {#name, givesHandle(name), [](Values& values) { return call(name, #name, values, {__VA_ARGS__}); }},

const Call kCalls[] = {
#include "calls.inc"
};
const size_t kCallCount = std::size(kCalls);

}  // namespace musashim::fuzz
