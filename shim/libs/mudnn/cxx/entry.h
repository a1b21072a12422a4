// What every entry of the C++ interface does around its work.
#pragma once

#include <mudnncxx/mudnn_base.h>

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {
struct FusedAttention;
struct Product;
}  // namespace musashim::mudnn

namespace musa::dnn {

class MatMulLtParam;
class ScaledDotProductAttention;

// The way into the public classes.
struct Internals {
  static bool isEmpty(const Tensor& tensor) { return tensor.address_ == nullptr; }
  static musashim::mudnn::Array arrayOf(const Tensor& tensor);
  // For results whose size the work finds: contiguous from now on.
  static void resize(Tensor& tensor, std::initializer_list<int64_t> sizes);
  static void apply(const MatMulLtParam& param, musashim::mudnn::Product& product);
  // Throw where the settings do not go with the tensors.
  static musashim::mudnn::FusedAttention attentionOf(const ScaledDotProductAttention& op,
                                                     const musashim::mudnn::Array& q,
                                                     const musashim::mudnn::Array& v, bool flash);
  static void checkVaried(const ScaledDotProductAttention& op, const musashim::mudnn::Array& beginsQ,
                          const musashim::mudnn::Array& logSum);
};

}  // namespace musa::dnn

namespace musashim::mudnn {

using musa::dnn::Handle;
using musa::dnn::Internals;
using musa::dnn::Status;
using musa::dnn::Tensor;

// Status of what `body` throws.
template <class Body>
Status guarded(Body&& body) {
  try {
    return body();
  } catch (const Refusal& refusal) {
    if (core::traceEnabled()) [[unlikely]]
      libs::tellIfPossible([&] { core::traceLine("mudnncxx", "refused", refusal.what(), ""); });
    return refusal.kind() == Refusal::Kind::kInvalid ? Status::INVALID_PARAMETER : Status::NOT_SUPPORTED;
  }
}

// Traces a call of `name` and returns body()'s status; no exception leaves it.
template <class Body>
Status cxxCall(std::string_view name, Body&& body) {
  constexpr libs::Failures<Status> kFailures{Status::ALLOC_FAILED, Status::INTERNAL_ERROR};
  return libs::apiCall("mudnncxx", name, kFailures, [&] { return guarded(body); });
}

// Queues work on the handle's stream, on its device.
Status queue(const Handle& handle, Work work);

// The same for the work that `make` returns.
template <class Make>
Status run(std::string_view name, const Handle& handle, Make&& make) {
  return cxxCall(name, [&] { return queue(handle, make()); });
}

// A tensor's array, which needs memory unless it has no elements. Throws.
Array given(const Tensor& tensor);
// The same of one that may be left out: without memory none.
Array optional(const Tensor& tensor);

}  // namespace musashim::mudnn
