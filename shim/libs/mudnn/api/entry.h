// What every entry of the C interface does around its work.
#pragma once

#include <mudnn.h>

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/mudnn/core/array.h"
#include "libs/mudnn/operations/convolution.h"

struct mudnnTensorStruct {
  bool isSet = false;
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  musashim::mudnn::Array shape;  // without memory
};
struct mudnnFilterStruct {
  bool isSet = false;
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  mudnnTensorFormat_t format = MUDNN_TENSOR_NCHW;
  musashim::mudnn::Array shape;
};
struct mudnnActivationStruct {
  mudnnActivationMode_t mode = MUDNN_ACTIVATION_IDENTITY;
  mudnnNanPropagation_t nan = MUDNN_NOT_PROPAGATE_NAN;
  double coefficient = 0, swishBeta = 1;
};

namespace musashim::mudnn {

template <class Body>
mudnnStatus_t guarded(Body&& body) {
  try {
    return body();
  } catch (const Refusal& refusal) {
    if (core::traceEnabled()) [[unlikely]]
      libs::tellIfPossible([&] { core::traceLine("mudnn", "refused", refusal.what(), ""); });
    return refusal.kind() == Refusal::Kind::kInvalid ? MUDNN_STATUS_BAD_PARAM : MUDNN_STATUS_NOT_SUPPORTED;
  }
}

// Tells the function that mudnnSetCallback() set, if there is one, of a call that returns.
mudnnStatus_t told(std::string_view name, mudnnStatus_t status);

template <class Body, class... Args>
mudnnStatus_t entry(std::string_view name, Body&& body, const Args&... args) {
  constexpr libs::Failures<mudnnStatus_t> kFailures{MUDNN_STATUS_ALLOC_FAILED, MUDNN_STATUS_INTERNAL_ERROR};
  return told(name, libs::apiCall("mudnn", name, kFailures, [&] { return guarded(body); }, args...));
}

// Queues what `make` returns on the handle's stream.
mudnnStatus_t queue(mudnnHandle_t handle, Work work);
bool isHandle(mudnnHandle_t handle);

template <class Make, class... Args>
mudnnStatus_t work(std::string_view name, mudnnHandle_t handle, Make&& make, const Args&... args) {
  return entry(
      name, [&] { return isHandle(handle) ? queue(handle, make()) : MUDNN_STATUS_BAD_PARAM; }, handle,
      args...);
}

Element elementOf(mudnnDataType_t type);  // throws for types that nothing computes with
bool isType(mudnnDataType_t type);

// A tensor that a call is given: descriptor and memory, neither null. Throws.
Array tensor(mudnnTensorDescriptor_t descriptor, const void* data);
Array filter(mudnnFilterDescriptor_t descriptor, const void* data);
Array shapeOf(mudnnTensorDescriptor_t descriptor);
Array shapeOf(mudnnFilterDescriptor_t descriptor);

// alpha or beta, which is a double where the tensor is of doubles.
double factor(const void* at, const Array& tensor);

// out = alpha * result + beta * out, where make(array) returns the work that writes the result.
Work blended(double alpha, double beta, const Array& out, const std::function<Work(const Array&)>& make);

Activation activationOf(const mudnnActivationStruct& descriptor);

}  // namespace musashim::mudnn

#define MUDNN_ENTRY __attribute__((visibility("default"))) mudnnStatus_t

#define MUDNN_DESCRIPTOR(Kind)                                                       \
  MUDNN_ENTRY mudnnCreate##Kind##Descriptor(mudnn##Kind##Descriptor_t* descriptor) { \
    return musashim::mudnn::entry(                                                   \
        "mudnnCreate" #Kind "Descriptor",                                            \
        [&] {                                                                        \
          if (!descriptor) return MUDNN_STATUS_BAD_PARAM;                            \
          *descriptor = new mudnn##Kind##Struct();                                   \
          return MUDNN_STATUS_SUCCESS;                                               \
        },                                                                           \
        descriptor);                                                                 \
  }                                                                                  \
  MUDNN_ENTRY mudnnDestroy##Kind##Descriptor(mudnn##Kind##Descriptor_t descriptor) { \
    return musashim::mudnn::entry(                                                   \
        "mudnnDestroy" #Kind "Descriptor",                                           \
        [&] {                                                                        \
          delete descriptor;                                                         \
          return MUDNN_STATUS_SUCCESS;                                               \
        },                                                                           \
        descriptor);                                                                 \
  }
