#include "musa/api/api_call.h"

#include <fmt/format.h>

#include "musa/graph/capture/capture.h"
#include "support/per_thread.h"

namespace musashim::musa {
namespace {

// Contexts by id as well, as a slot may hold another one by now.
struct Current {
  Context* context;
  uint64_t id;
};
struct ContextStack {
  std::vector<Current> entries;
};

std::vector<Current>& contextStack() { return support::PerThread<ContextStack>::get().entries; }

Context* alive(const Current& entry) {
  Context* context = driver().contexts.get(entry.context);
  return context && context->id() == entry.id ? context : nullptr;
}

}  // namespace

constinit thread_local bool insideHostFunction = false;

void traceCall(const std::string& call, const Result& result) {
  const char* name = errorName(result.code());
  core::traceLine("musa", call, name ? name : "?", result.message());
}

Context* currentContextOrNull() {
  const auto& stack = contextStack();
  return stack.empty() ? nullptr : alive(stack.back());
}

void setCurrentContext(Context* context) {
  auto& stack = contextStack();
  if (!stack.empty()) stack.pop_back();
  if (context) stack.push_back({context, context->id()});
}

void pushCurrentContext(Context* context) { contextStack().push_back({context, context->id()}); }

Context* popCurrentContext() {
  auto& stack = contextStack();
  if (stack.empty()) return nullptr;
  Context* context = alive(stack.back());
  stack.pop_back();
  return context;
}

Result currentContext(Context*& context) {
  const auto& stack = contextStack();
  MUSA_REQUIRE(!stack.empty(), MUSA_ERROR_INVALID_CONTEXT, "the thread has no current context");
  context = alive(stack.back());
  MUSA_REQUIRE(context, MUSA_ERROR_CONTEXT_IS_DESTROYED, "the current context was destroyed");
  return context->fault();
}

Result findContext(MUcontext handle, Context*& context) {
  context = driver().contexts.get(handle);
  MUSA_REQUIRE(context, MUSA_ERROR_INVALID_CONTEXT, fmt::format("no context {}", fmt::ptr(handle)));
  return {};
}

Result findDevice(MUdevice ordinal, DeviceState*& device) {
  device = driver().device(ordinal);
  MUSA_REQUIRE(device, MUSA_ERROR_INVALID_DEVICE,
               fmt::format("device {} of {}", ordinal, driver().deviceCount()));
  return {};
}

namespace {

Result checkCapture(Stream& stream, WhenCapturing capturing) {
  if (capturing == WhenCapturing::kIgnore) return {};
  if (stream.isCapturing()) {
    if (capturing == WhenCapturing::kRefuse) return refuseCapturing(stream, "the call cannot be captured");
    return checkCaptureAlive(stream);
  }
  if (stream.kind() != StreamKind::kLegacy || stream.context().capturingStreams.load() == 0) return {};
  return refuseImplicit(stream.context());
}

}  // namespace

Result findStream(MUstream handle, Stream*& stream, WhenCapturing capturing) {
  if (handle == nullptr || handle == MU_STREAM_LEGACY || handle == MU_STREAM_PER_THREAD) {
    Context* context = nullptr;
    MUSA_TRY(currentContext(context));
    stream = handle == MU_STREAM_PER_THREAD ? &context->perThreadStream() : &context->legacyStream();
    return anyCapture() ? checkCapture(*stream, capturing) : Result();
  }
  stream = driver().streams.get(handle);
  MUSA_REQUIRE(stream, MUSA_ERROR_INVALID_HANDLE, fmt::format("no stream {}", fmt::ptr(handle)));
  MUSA_TRY(stream->context().fault());
  return anyCapture() ? checkCapture(*stream, capturing) : Result();
}

Result findStreamOfBatch(MUstream handle, Stream*& stream) {
  MUSA_REQUIRE(handle && handle != MU_STREAM_LEGACY, MUSA_ERROR_INVALID_VALUE,
               "not in the legacy default stream");
  return findStream(handle, stream);
}

Result findEvent(MUevent handle, Event*& event) {
  event = driver().events.get(handle);
  MUSA_REQUIRE(event, MUSA_ERROR_INVALID_HANDLE, fmt::format("no event {}", fmt::ptr(handle)));
  return event->context().fault();
}

Result findFunction(MUfunction handle, Function*& function) {
  function = driver().functions.get(handle);
  MUSA_REQUIRE(function, MUSA_ERROR_INVALID_HANDLE, fmt::format("no function {}", fmt::ptr(handle)));
  return {};
}

Result findModule(MUmodule handle, Module*& module) {
  module = driver().modules.get(handle);
  MUSA_REQUIRE(module, MUSA_ERROR_INVALID_HANDLE, fmt::format("no module {}", fmt::ptr(handle)));
  return {};
}

Result finishSynchronization(Context& context) {
  context.device().backend().flushPrintf();
  return context.fault();
}

}  // namespace musashim::musa
