// Streams.
#include <fmt/format.h>

#include <algorithm>

#include "musa/api/api_call.h"
#include "musa/graph/capture/capture.h"
#include "musa/stream/host_work.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

MUstream handleOf(Stream* stream) { return reinterpret_cast<MUstream>(stream); }

Result createStream(MUstream* phStream, unsigned flags, int priority) {
  MUSA_REQUIRE(phStream, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_REQUIRE((flags & ~unsigned{MU_STREAM_NON_BLOCKING}) == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("unknown flags {:#x}", flags));
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  auto kind = flags & MU_STREAM_NON_BLOCKING ? StreamKind::kNonBlocking : StreamKind::kBlocking;
  *phStream = handleOf(context->createStream(kind, std::clamp(priority, kGreatestPriority, kLeastPriority)));
  return {};
}

void submitHostWork(Stream& stream, QueuedHostWork work) {
  auto kept = std::make_shared<QueuedHostWork>(work);
  stream.submitKeeping(backend::HostCall{runQueuedHostWork, kept.get(), true}, kept);
}

}  // namespace

extern "C" {

MUresult muStreamCreate(MUstream* phStream, unsigned int Flags) {
  return apiCall("muStreamCreate", [&] { return createStream(phStream, Flags, 0); }, phStream, Flags);
}

MUresult muStreamCreateWithPriority(MUstream* phStream, unsigned int flags, int priority) {
  return apiCall(
      "muStreamCreateWithPriority", [&] { return createStream(phStream, flags, priority); }, phStream, flags,
      priority);
}

MUresult muStreamGetPriority(MUstream hStream, int* priority) {
  return withStream(
      "muStreamGetPriority", hStream,
      [&](Stream& stream) -> Result {
        MUSA_REQUIRE(priority, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *priority = stream.priority();
        return {};
      },
      priority);
}

MUresult muStreamGetFlags(MUstream hStream, unsigned int* flags) {
  return withStream(
      "muStreamGetFlags", hStream,
      [&](Stream& stream) -> Result {
        MUSA_REQUIRE(flags, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *flags = stream.kind() == StreamKind::kNonBlocking ? MU_STREAM_NON_BLOCKING : MU_STREAM_DEFAULT;
        return {};
      },
      flags);
}

MUresult muStreamGetId(MUstream hStream, unsigned long long* streamId) {
  return withStream(
      "muStreamGetId", hStream,
      [&](Stream& stream) -> Result {
        MUSA_REQUIRE(streamId, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *streamId = stream.id();
        return {};
      },
      streamId);
}

MUresult muStreamGetCtx(MUstream hStream, MUcontext* pctx) {
  return withStream(
      "muStreamGetCtx", hStream,
      [&](Stream& stream) -> Result {
        MUSA_REQUIRE(pctx, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *pctx = stream.context().handle();
        return {};
      },
      pctx);
}

MUresult muStreamGetCtx_v2(MUstream hStream, MUcontext* pCtx, MUgreenCtx* pGreenCtx) {
  return withStream(
      "muStreamGetCtx_v2", hStream,
      [&](Stream& stream) -> Result {
        MUSA_REQUIRE(pCtx && pGreenCtx, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *pCtx = stream.context().handle();
        *pGreenCtx = nullptr;  // there are none
        return {};
      },
      pCtx, pGreenCtx);
}

MUresult muStreamGetDevice(MUstream hStream, MUdevice* device) {
  return withStream(
      "muStreamGetDevice", hStream,
      [&](Stream& stream) -> Result {
        MUSA_REQUIRE(device, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *device = stream.context().device().ordinal();
        return {};
      },
      device);
}

MUresult muStreamWaitEvent(MUstream hStream, MUevent hEvent, unsigned int Flags) {
  return apiCall(
      "muStreamWaitEvent",
      [&]() -> Result {
        MUSA_REQUIRE(Flags <= MU_EVENT_WAIT_EXTERNAL, MUSA_ERROR_INVALID_VALUE, "unknown flags");
        Stream* stream = nullptr;
        Event* event = nullptr;
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
        MUSA_TRY(findEvent(hEvent, event));
        MUSA_REQUIRE(stream->isCapturing() || Flags == MU_EVENT_WAIT_DEFAULT, MUSA_ERROR_ILLEGAL_STATE,
                     "only captures have external waits");
        if (stream->isCapturing() && Flags == MU_EVENT_WAIT_EXTERNAL) {
          return captureWork(*stream, EventWaitWork{event});
        }
        if (stream->isCapturing() || event->captured()) return captureWait(*stream, *event);
        event->makeWait(*stream);
        return {};
      },
      hStream, hEvent, Flags);
}

MUresult muStreamAddCallback(MUstream hStream, MUstreamCallback callback, void* userData,
                             unsigned int flags) {
  return apiCall(
      "muStreamAddCallback",
      [&]() -> Result {
        MUSA_REQUIRE(callback && flags == 0, MUSA_ERROR_INVALID_VALUE, "no callback, or flags not 0");
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream));
        submitHostWork(*stream, {.callback = callback, .stream = hStream, .userData = userData});
        return {};
      },
      hStream, callback, userData, flags);
}

MUresult muLaunchHostFunc(MUstream hStream, MUhostFn fn, void* userData) {
  return apiCall(
      "muLaunchHostFunc",
      [&]() -> Result {
        MUSA_REQUIRE(fn, MUSA_ERROR_INVALID_VALUE, "no function");
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
        if (stream->isCapturing()) return captureWork(*stream, HostWork{{fn, userData}});
        submitHostWork(*stream, {.function = fn, .userData = userData});
        return {};
      },
      hStream, fn, userData);
}

MUresult muStreamAttachMemAsync(MUstream hStream, MUdeviceptr dptr, size_t length, unsigned int flags) {
  return apiCall(
      "muStreamAttachMemAsync",
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream));
        auto allocation = driver().allocations().find(dptr);
        MUSA_REQUIRE(allocation && allocation->kind == MemoryKind::kManaged, MUSA_ERROR_INVALID_VALUE,
                     "not managed memory");
        MUSA_REQUIRE(
            flags == MU_MEM_ATTACH_GLOBAL || flags == MU_MEM_ATTACH_HOST || flags == MU_MEM_ATTACH_SINGLE,
            MUSA_ERROR_INVALID_VALUE, "unknown flags");
        stream->submit(backend::Marker{});  // managed memory is visible everywhere at all times
        return {};
      },
      hStream, dptr, length, flags);
}

MUresult muStreamQuery(MUstream hStream) {
  return apiCall(
      "muStreamQuery",
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream));
        MUSA_TRY(checkUnsafe("muStreamQuery"));
        MUSA_REQUIRE(stream->isIdle(), MUSA_ERROR_NOT_READY, "");
        return stream->context().fault();
      },
      hStream);
}

MUresult muStreamSynchronize(MUstream hStream) {
  return apiCall(
      "muStreamSynchronize",
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream));
        MUSA_TRY(checkUnsafe("muStreamSynchronize"));
        stream->synchronize();
        return finishSynchronization(stream->context());
      },
      hStream);
}

MUresult muStreamDestroy(MUstream hStream) {
  return apiCall(
      "muStreamDestroy",
      [&]() -> Result {
        Stream* stream = driver().streams.get(hStream);
        MUSA_REQUIRE(
            stream && stream->kind() != StreamKind::kLegacy && stream->kind() != StreamKind::kPerThread,
            MUSA_ERROR_INVALID_HANDLE, fmt::format("no stream of the user's: {}", fmt::ptr(hStream)));
        Context& context = stream->context();
        context.destroyStream(stream);
        return context.fault();
      },
      hStream);
}

}  // extern "C"
