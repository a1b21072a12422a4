// Handles, versions, texts, and what all entries share.
#include <musa_runtime_api.h>

#include "libs/core/handles.h"
#include "libs/core/stream_work.h"
#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/operations/elementwise/elementwise.h"

struct mudnnContext {
  int device = 0;
  musaStream_t stream = nullptr;
};

namespace musashim::mudnn {
namespace {

using Handles = libs::Handles<mudnnContext>;

}  // namespace

bool isHandle(mudnnHandle_t handle) { return Handles::instance().find(handle) != nullptr; }

mudnnStatus_t queue(mudnnHandle_t handle, Work work) {
  int device = -1;
  if (musaGetDevice(&device) != musaSuccess) return MUDNN_STATUS_NOT_INITIALIZED;
  if (handle->device != device && musaSetDevice(handle->device) != musaSuccess)
    return MUDNN_STATUS_NOT_INITIALIZED;
  return libs::runOnStream(handle->stream, std::move(work)) == musaSuccess ? MUDNN_STATUS_SUCCESS
                                                                           : MUDNN_STATUS_EXECUTION_FAILED;
}

Element elementOf(mudnnDataType_t type) {
  switch (type) {
    case MUDNN_DATA_FLOAT:
      return Element::kFloat;
    case MUDNN_DATA_DOUBLE:
      return Element::kDouble;
    case MUDNN_DATA_HALF:
      return Element::kHalf;
    case MUDNN_DATA_INT8:
      return Element::kInt8;
    case MUDNN_DATA_INT32:
      return Element::kInt32;
    case MUDNN_DATA_UINT8:
      return Element::kUint8;
    case MUDNN_DATA_BFLOAT16:
      return Element::kBfloat16;
    case MUDNN_DATA_INT64:
      return Element::kInt64;
    case MUDNN_DATA_UINT32:
      return Element::kUint32;
    case MUDNN_DATA_BOOLEAN:
      return Element::kBool;
    case MUDNN_DATA_FP8_E4M3:
      return Element::kE4m3;
    case MUDNN_DATA_FP8_E5M2:
      return Element::kE5m2;
    default:
      throw Refusal(Refusal::Kind::kNotSupported, "nothing computes with vectors of 8-bit integers");
  }
}

bool isType(mudnnDataType_t type) { return type >= MUDNN_DATA_FLOAT && type <= MUDNN_DATA_FP8_E5M2; }

Array shapeOf(mudnnTensorDescriptor_t descriptor) {
  require(descriptor && descriptor->isSet, "a tensor's descriptor is missing or was never set");
  Array array = descriptor->shape;
  array.element = elementOf(descriptor->type);
  return array;
}
Array shapeOf(mudnnFilterDescriptor_t descriptor) {
  require(descriptor && descriptor->isSet, "a filter's descriptor is missing or was never set");
  Array array = descriptor->shape;
  array.element = elementOf(descriptor->type);
  return array;
}
Array tensor(mudnnTensorDescriptor_t descriptor, const void* data) {
  Array array = shapeOf(descriptor);
  require(data, "a tensor has no memory");
  array.data = const_cast<void*>(data);
  return array;
}
Array filter(mudnnFilterDescriptor_t descriptor, const void* data) {
  Array array = shapeOf(descriptor);
  require(data, "a filter has no memory");
  array.data = const_cast<void*>(data);
  return array;
}

double factor(const void* at, const Array& tensor) {
  require(at, "alpha or beta is missing");
  return tensor.element == Element::kDouble ? *static_cast<const double*>(at)
                                            : static_cast<double>(*static_cast<const float*>(at));
}

Work blended(double alpha, double beta, const Array& out, const std::function<Work(const Array&)>& make) {
  if (alpha == 1 && beta == 0) return make(out);
  const bool inDouble = kindOf(out.element) != Kind::kFloat;
  const auto count = static_cast<size_t>(out.count());
  // Kept by the work, which may run again and again.
  const std::shared_ptr<char[]> memory(new char[count * (inDouble ? sizeof(double) : sizeof(float))]);
  const Array result = contiguousArray(inDouble ? Element::kDouble : Element::kFloat, memory.get(), out.rank,
                                       out.sizes.data());
  return [=, inner = make(result), keeps = memory] {
    inner();
    const auto blend = [&]<class V>(V) {
      const V a = static_cast<V>(alpha), b = static_cast<V>(beta);
      if (b == 0)
        return forElements<V>(out, {result}, [&](const V* const* in, V* to, int64_t n) {
          for (int64_t i = 0; i < n; ++i) to[i] = a * in[0][i];
        });
      forElements<V>(out, {result, out}, [&](const V* const* in, V* to, int64_t n) {
        for (int64_t i = 0; i < n; ++i) to[i] = a * in[0][i] + b * in[1][i];
      });
    };
    inDouble ? blend(double()) : blend(float());
  };
}

}  // namespace musashim::mudnn

using musashim::mudnn::entry;
using musashim::mudnn::Handles;

extern "C" {

__attribute__((visibility("default"))) size_t mudnnGetVersion(void) { return MUDNN_VERSION; }

__attribute__((visibility("default"))) size_t mudnnGetMusartVersion(void) {
  int version = 0;
  return musaRuntimeGetVersion(&version) == musaSuccess ? static_cast<size_t>(version) : 0;
}

__attribute__((visibility("default"))) const char* mudnnGetErrorString(mudnnStatus_t status) {
  switch (status) {
#define MUDNN_TEXT(name) \
  case name:             \
    return #name
    MUDNN_TEXT(MUDNN_STATUS_SUCCESS);
    MUDNN_TEXT(MUDNN_STATUS_NOT_INITIALIZED);
    MUDNN_TEXT(MUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH);
    MUDNN_TEXT(MUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH);
    MUDNN_TEXT(MUDNN_STATUS_DEPRECATED);
    MUDNN_TEXT(MUDNN_STATUS_LICENSE_ERROR);
    MUDNN_TEXT(MUDNN_STATUS_RUNTIME_IN_PROGRESS);
    MUDNN_TEXT(MUDNN_STATUS_RUNTIME_FP_OVERFLOW);
    MUDNN_TEXT(MUDNN_STATUS_SUBLIBRARY_LOADING_FAILED);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_NULL_POINTER);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_MUSA_GRAPH_MISMATCH);
    MUDNN_TEXT(MUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_SHAPE);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_LAYOUT);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_MUSA_DRIVER);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_MUSART);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_PADDING);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_BAD_LAUNCH_PARAM);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_MUSA_GRAPH_NATIVE_API);
    MUDNN_TEXT(MUDNN_STATUS_NOT_SUPPORTED_INVALID_DYNAMIC_SHAPE);
    MUDNN_TEXT(MUDNN_STATUS_INTERNAL_ERROR);
    MUDNN_TEXT(MUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED);
    MUDNN_TEXT(MUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE);
    MUDNN_TEXT(MUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED);
    MUDNN_TEXT(MUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED);
    MUDNN_TEXT(MUDNN_STATUS_INTERNAL_ERROR_BAD_LAUNCH_PARAM);
    MUDNN_TEXT(MUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED);
    MUDNN_TEXT(MUDNN_STATUS_EXECUTION_FAILED);
    MUDNN_TEXT(MUDNN_STATUS_EXECUTION_FAILED_MUSA_DRIVER);
    MUDNN_TEXT(MUDNN_STATUS_EXECUTION_FAILED_MUBLAS);
    MUDNN_TEXT(MUDNN_STATUS_EXECUTION_FAILED_MUSART);
    MUDNN_TEXT(MUDNN_STATUS_EXECUTION_FAILED_MURAND);
    MUDNN_TEXT(MUDNN_STATUS_INVALID_VALUE);
#undef MUDNN_TEXT
  }
  return "MUDNN_UNKNOWN_STATUS";
}

MUDNN_ENTRY mudnnGetProperty(libraryPropertyType type, int* value) {
  return entry(
      "mudnnGetProperty",
      [&] {
        if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return MUDNN_STATUS_BAD_PARAM;
        constexpr int kNumbers[] = {MUDNN_MAJOR, MUDNN_MINOR, MUDNN_PATCHLEVEL};
        *value = kNumbers[type];
        return MUDNN_STATUS_SUCCESS;
      },
      type, value);
}

MUDNN_ENTRY mudnnCreate(mudnnHandle_t* handle) {
  return entry(
      "mudnnCreate",
      [&] {
        if (!handle) return MUDNN_STATUS_BAD_PARAM;
        int device = 0;
        if (musaGetDevice(&device) != musaSuccess || musaFree(nullptr) != musaSuccess)
          return MUDNN_STATUS_NOT_INITIALIZED;
        *handle = Handles::instance().make();
        (*handle)->device = device;
        return MUDNN_STATUS_SUCCESS;
      },
      handle);
}

MUDNN_ENTRY mudnnDestroy(mudnnHandle_t handle) {
  return entry(
      "mudnnDestroy",
      [&] {
        if (!handle) return MUDNN_STATUS_SUCCESS;
        mudnnContext* const context = Handles::instance().find(handle);
        if (!context) return MUDNN_STATUS_BAD_PARAM;
        const bool drained = musaStreamSynchronize(context->stream) == musaSuccess;
        Handles::instance().drop(handle);
        return drained ? MUDNN_STATUS_SUCCESS : MUDNN_STATUS_EXECUTION_FAILED;
      },
      handle);
}

MUDNN_ENTRY mudnnSetStream(mudnnHandle_t handle, musaStream_t streamId) {
  return entry(
      "mudnnSetStream",
      [&] {
        mudnnContext* const context = Handles::instance().find(handle);
        if (!context) return MUDNN_STATUS_BAD_PARAM;
        context->stream = streamId;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, streamId);
}

MUDNN_ENTRY mudnnGetStream(mudnnHandle_t handle, musaStream_t* streamId) {
  return entry(
      "mudnnGetStream",
      [&] {
        mudnnContext* const context = Handles::instance().find(handle);
        if (!context || !streamId) return MUDNN_STATUS_BAD_PARAM;
        *streamId = context->stream;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, streamId);
}

}  // extern "C"
