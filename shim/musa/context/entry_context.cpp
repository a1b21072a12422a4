// Contexts: made ones, the current one of each thread, limits, peers.
#include <fmt/core.h>

#include "musa/api/api_call.h"
#include "musa/graph/capture/capture.h"

using namespace musashim::musa;

Result musashim::musa::checkContextFlags(unsigned flags) {
  MUSA_REQUIRE((flags & ~unsigned{MU_CTX_FLAGS_MASK}) == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("unknown flags {:#x}", flags));
  return {};
}

namespace {

// Runs `body` with the thread's current context, after its checks.
template <class Body, class... Args>
MUresult withCurrent(const char* name, Body&& body, const Args&... args) {
  return apiCall(
      name,
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        return body(*context);
      },
      args...);
}

// Null stands for the current context, also of a faulted device.
Result contextOrCurrent(MUcontext handle, Context*& context) {
  if (handle) return findContext(handle, context);
  context = currentContextOrNull();
  MUSA_REQUIRE(context, MUSA_ERROR_INVALID_CONTEXT, "the thread has no current context");
  return {};
}

Result synchronize(Context& context) {
  if (anyCapture()) MUSA_TRY(refuseWhileCapturing(context));
  MUSA_TRY(checkUnsafe("muCtxSynchronize"));
  context.synchronize();
  return finishSynchronization(context);
}

}  // namespace

extern "C" {

MUresult muCtxCreate(MUcontext* pctx, unsigned int flags, MUdevice dev) {
  return apiCall(
      "muCtxCreate",
      [&]() -> Result {
        MUSA_REQUIRE(pctx, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_TRY(checkContextFlags(flags));
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        Context* context = driver().createContext(*device, false, flags);
        pushCurrentContext(context);
        *pctx = context->handle();
        return {};
      },
      pctx, flags, dev);
}

MUresult muCtxDestroy(MUcontext ctx) {
  return apiCall(
      "muCtxDestroy",
      [&]() -> Result {
        MUSA_REQUIRE(ctx, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(findContext(ctx, context));
        MUSA_REQUIRE(!context->isPrimary(), MUSA_ERROR_INVALID_CONTEXT, "a primary context");
        if (currentContextOrNull() == context) popCurrentContext();
        driver().endContext(context->device(), context);
        return {};
      },
      ctx);
}

MUresult muCtxPushCurrent(MUcontext ctx) {
  return apiCall(
      "muCtxPushCurrent",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(findContext(ctx, context));
        pushCurrentContext(context);
        return {};
      },
      ctx);
}

MUresult muCtxPopCurrent(MUcontext* pctx) {
  return apiCall(
      "muCtxPopCurrent",
      [&]() -> Result {
        Context* context = popCurrentContext();
        MUSA_REQUIRE(context, MUSA_ERROR_INVALID_CONTEXT, "the thread has no current context");
        if (pctx) *pctx = context->handle();
        return {};
      },
      pctx);
}

MUresult muCtxSetCurrent(MUcontext ctx) {
  return apiCall(
      "muCtxSetCurrent",
      [&]() -> Result {
        Context* context = nullptr;
        if (ctx) MUSA_TRY(findContext(ctx, context));
        setCurrentContext(context);
        return {};
      },
      ctx);
}

MUresult muCtxGetCurrent(MUcontext* pctx) {
  return apiCall(
      "muCtxGetCurrent",
      [&]() -> Result {
        MUSA_REQUIRE(pctx, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = currentContextOrNull();
        *pctx = context ? context->handle() : nullptr;
        return {};
      },
      pctx);
}

MUresult muCtxGetDevice(MUdevice* device) {
  return apiCall(
      "muCtxGetDevice",
      [&]() -> Result {
        MUSA_REQUIRE(device, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(contextOrCurrent(nullptr, context));
        *device = context->device().ordinal();
        return {};
      },
      device);
}

MUresult muCtxGetDevice_v2(MUdevice* device, MUcontext ctx) {
  return apiCall(
      "muCtxGetDevice_v2",
      [&]() -> Result {
        MUSA_REQUIRE(device, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(contextOrCurrent(ctx, context));
        *device = context->device().ordinal();
        return {};
      },
      device, ctx);
}

MUresult muCtxGetFlags(unsigned int* flags) {
  return withCurrent(
      "muCtxGetFlags",
      [&](Context& context) -> Result {
        MUSA_REQUIRE(flags, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *flags = context.isPrimary() ? context.device().primaryFlags.load() : context.flags().load();
        return {};
      },
      flags);
}

MUresult muCtxSetFlags(unsigned int flags) {
  return withCurrent(
      "muCtxSetFlags",
      [&](Context& context) -> Result {
        MUSA_TRY(checkContextFlags(flags));
        (context.isPrimary() ? context.device().primaryFlags : context.flags()) = flags;
        return {};
      },
      flags);
}

MUresult muCtxGetId(MUcontext ctx, unsigned long long* ctxId) {
  return apiCall(
      "muCtxGetId",
      [&]() -> Result {
        MUSA_REQUIRE(ctxId, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(ctx ? findContext(ctx, context) : currentContext(context));
        *ctxId = context->id();
        return {};
      },
      ctx, ctxId);
}

MUresult muCtxGetApiVersion(MUcontext ctx, unsigned int* version) {
  return apiCall(
      "muCtxGetApiVersion",
      [&]() -> Result {
        MUSA_REQUIRE(version, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(ctx ? findContext(ctx, context) : currentContext(context));
        *version = MUSA_VERSION;
        return {};
      },
      ctx, version);
}

MUresult muCtxSynchronize(void) { return withCurrent("muCtxSynchronize", synchronize); }

MUresult muCtxSynchronize_v2(MUcontext ctx) {
  return apiCall(
      "muCtxSynchronize_v2",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(contextOrCurrent(ctx, context));
        MUSA_TRY(context->fault());
        return synchronize(*context);
      },
      ctx);
}

MUresult muCtxSetLimit(MUlimit limit, size_t value) {
  return withCurrent(
      "muCtxSetLimit", [&](Context& context) { return context.setLimit(limit, value); }, limit, value);
}

MUresult muCtxGetLimit(size_t* pvalue, MUlimit limit) {
  return withCurrent(
      "muCtxGetLimit",
      [&](Context& context) -> Result {
        MUSA_REQUIRE(pvalue, MUSA_ERROR_INVALID_VALUE, "null pointer");
        return context.getLimit(limit, *pvalue);
      },
      pvalue, limit);
}

MUresult muCtxGetCacheConfig(MUfunc_cache* pconfig) {
  return withCurrent(
      "muCtxGetCacheConfig",
      [&](Context& context) -> Result {
        MUSA_REQUIRE(pconfig, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *pconfig = static_cast<MUfunc_cache>(context.cacheConfig.load());
        return {};
      },
      pconfig);
}

MUresult muCtxSetCacheConfig(MUfunc_cache config) {
  return withCurrent(
      "muCtxSetCacheConfig",
      [&](Context& context) -> Result {
        MUSA_REQUIRE(config >= MU_FUNC_CACHE_PREFER_NONE && config <= MU_FUNC_CACHE_PREFER_EQUAL,
                     MUSA_ERROR_INVALID_VALUE, "unknown preference");
        context.cacheConfig = config;
        return {};
      },
      config);
}

MUresult muCtxGetSharedMemConfig(MUsharedconfig* pConfig) {
  return withCurrent(
      "muCtxGetSharedMemConfig",
      [&](Context& context) -> Result {
        MUSA_REQUIRE(pConfig, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *pConfig = static_cast<MUsharedconfig>(context.sharedConfig.load());
        return {};
      },
      pConfig);
}

MUresult muCtxSetSharedMemConfig(MUsharedconfig config) {
  return withCurrent(
      "muCtxSetSharedMemConfig",
      [&](Context& context) -> Result {
        MUSA_REQUIRE(config >= MU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
                         config <= MU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
                     MUSA_ERROR_INVALID_VALUE, "unknown configuration");
        context.sharedConfig = config;
        return {};
      },
      config);
}

MUresult muCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return withCurrent(
      "muCtxGetStreamPriorityRange",
      [&](Context&) -> Result {
        if (leastPriority) *leastPriority = kLeastPriority;
        if (greatestPriority) *greatestPriority = kGreatestPriority;
        return {};
      },
      leastPriority, greatestPriority);
}

// Nothing persists: the emulated devices have no cache whose lines could.
MUresult muCtxResetPersistingL2Cache() {
  return withCurrent("muCtxResetPersistingL2Cache", [](Context&) -> Result { return {}; });
}

MUresult muCtxEnablePeerAccess(MUcontext peerContext, unsigned int Flags) {
  return withCurrent(
      "muCtxEnablePeerAccess",
      [&](Context& context) -> Result {
        MUSA_REQUIRE(Flags == 0, MUSA_ERROR_INVALID_VALUE, "flags must be 0");
        Context* peer = nullptr;
        MUSA_TRY(findContext(peerContext, peer));
        MUSA_REQUIRE(&peer->device() != &context.device(), MUSA_ERROR_PEER_ACCESS_UNSUPPORTED,
                     "the contexts are on one device");
        return context.enablePeer(*peer);
      },
      peerContext, Flags);
}

MUresult muCtxDisablePeerAccess(MUcontext peerContext) {
  return withCurrent(
      "muCtxDisablePeerAccess",
      [&](Context& context) -> Result {
        Context* peer = nullptr;
        MUSA_TRY(findContext(peerContext, peer));
        return context.disablePeer(*peer);
      },
      peerContext);
}

}  // extern "C"
