// Functions: attributes and launches.
#include <fmt/core.h>

#include "crt/cuda_driver_answers.h"
#include "musa/api/api_call.h"
#include "musa/context/access_policy.h"
#include "musa/module/launch.h"
#include "musa/module/library.h"

using namespace musashim::musa;

namespace {

Result launchHandles(MUfunction f, MUstream hStream, const LaunchRequest& request) {
  Function* function = nullptr;
  Stream* stream = nullptr;
  if (driver().libraryKernels.get(f)) [[unlikely]] {
    MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
    MUSA_TRY(findLaunchable(f, &stream->context(), function));
  } else {
    MUSA_TRY(findFunction(f, function));
    MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  }
  return launch(*function, *stream, request);
}

bool isLaunchAttribute(MUlaunchAttributeID id) {
  return (id >= MU_LAUNCH_ATTRIBUTE_IGNORE && id <= MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN) ||
         id == MU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT ||
         id == MU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE;
}

Result applyAttributes(const MUlaunchConfig& config, LaunchRequest& request) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const MUlaunchAttribute& attribute = config.attrs[i];
    switch (attribute.id) {
      case MU_LAUNCH_ATTRIBUTE_IGNORE:
        break;
      case MU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        request.cooperative = attribute.value.cooperative != 0;
        break;
      // Hints and permissions; keeping the stricter order that there is anyway is right.
      case MU_LAUNCH_ATTRIBUTE_PRIORITY:
      case MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      case MU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
      case MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      case MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        break;
      case MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        MUSA_TRY(checkWindow(attribute.value.accessPolicyWindow));
        break;
      case MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: {
        const auto& cluster = attribute.value.clusterDim;
        MUSA_REQUIRE(cluster.x == 1 && cluster.y == 1 && cluster.z == 1, MUSA_ERROR_NOT_SUPPORTED,
                     "clusters of more than one block");
        break;
      }
      default:
        MUSA_REQUIRE(isLaunchAttribute(attribute.id), MUSA_ERROR_INVALID_VALUE,
                     fmt::format("no launch attribute has the number {}", static_cast<int>(attribute.id)));
        return {MUSA_ERROR_NOT_SUPPORTED, fmt::format("launch attribute {}", static_cast<int>(attribute.id))};
    }
  }
  return {};
}

MUresult functionAttribute(int* pi, MUfunction_attribute attrib, MUfunction hfunc, Numbering numbering) {
  return apiCall(
      "muFuncGetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(pi, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Function* function = nullptr;
        MUSA_TRY(findFunction(hfunc, function));
        return function->attribute(attrib, *pi, numbering);
      },
      pi, attrib, hfunc);
}

}  // namespace

extern "C" {

MUresult muFuncGetAttribute(int* pi, MUfunction_attribute attrib, MUfunction hfunc) {
  return functionAttribute(pi, attrib, hfunc, Numbering::kMusa);
}

MUresult cuFuncGetAttribute(int* pi, MUfunction_attribute attrib, MUfunction hfunc) {
  return functionAttribute(pi, attrib, hfunc, Numbering::kCuda);
}

MUresult muFuncSetAttribute(MUfunction hfunc, MUfunction_attribute attrib, int value) {
  return apiCall(
      "muFuncSetAttribute",
      [&]() -> Result {
        Function* function = nullptr;
        MUSA_TRY(findFunction(hfunc, function));
        return function->setAttribute(attrib, value);
      },
      hfunc, attrib, value);
}

MUresult muFuncSetCacheConfig(MUfunction hfunc, MUfunc_cache config) {
  return apiCall(
      "muFuncSetCacheConfig",
      [&]() -> Result {
        MUSA_REQUIRE(config >= MU_FUNC_CACHE_PREFER_NONE && config <= MU_FUNC_CACHE_PREFER_EQUAL,
                     MUSA_ERROR_INVALID_VALUE, "unknown preference");
        Function* function = nullptr;
        return findFunction(hfunc, function);
      },
      hfunc, config);
}

MUresult muFuncSetSharedMemConfig(MUfunction hfunc, MUsharedconfig config) {
  return apiCall(
      "muFuncSetSharedMemConfig",
      [&]() -> Result {
        MUSA_REQUIRE(config >= MU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE &&
                         config <= MU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
                     MUSA_ERROR_INVALID_VALUE, "unknown configuration");
        Function* function = nullptr;
        return findFunction(hfunc, function);
      },
      hfunc, config);
}

MUresult muFuncGetModule(MUmodule* hmod, MUfunction hfunc) {
  return apiCall(
      "muFuncGetModule",
      [&]() -> Result {
        MUSA_REQUIRE(hmod && hfunc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Function* function = nullptr;
        MUSA_TRY(findFunction(hfunc, function));
        *hmod = reinterpret_cast<MUmodule>(&function->module());
        return {};
      },
      hmod, hfunc);
}

MUresult muFuncGetName(const char** name, MUfunction hfunc) {
  return apiCall(
      "muFuncGetName",
      [&]() -> Result {
        MUSA_REQUIRE(name && hfunc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Function* function = nullptr;
        MUSA_TRY(findFunction(hfunc, function));
        *name = function->info().name;
        return {};
      },
      static_cast<const void*>(name), hfunc);
}

MUresult muFuncGetParamInfo(MUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  return apiCall(
      "muFuncGetParamInfo",
      [&]() -> Result {
        MUSA_REQUIRE(func, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Function* function = nullptr;
        MUSA_TRY(findFunction(func, function));
        return function->parameter(paramIndex, paramOffset, paramSize);
      },
      func, paramIndex, paramOffset, paramSize);
}

MUresult muFuncIsLoaded(MUfunctionLoadingState* state, MUfunction function) {
  return apiCall(
      "muFuncIsLoaded",
      [&]() -> Result {
        MUSA_REQUIRE(state, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Function* found = nullptr;
        MUSA_TRY(findFunction(function, found));
        *state = MU_FUNCTION_LOADING_STATE_LOADED;  // a module is loaded whole
        return {};
      },
      state, function);
}

MUresult muFuncLoad(MUfunction function) {
  return apiCall(
      "muFuncLoad",
      [&]() -> Result {
        Function* found = nullptr;
        return findFunction(function, found);  // a module is loaded whole
      },
      function);
}

MUresult muLaunchKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                        unsigned int sharedMemBytes, MUstream hStream, void** kernelParams, void** extra) {
  return apiCall(
      "muLaunchKernel",
      [&] {
        return launchHandles(f, hStream,
                             {.grid = {gridDimX, gridDimY, gridDimZ},
                              .block = {blockDimX, blockDimY, blockDimZ},
                              .sharedBytes = sharedMemBytes,
                              .params = kernelParams,
                              .extra = extra});
      },
      f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams,
      extra);
}

MUresult muLaunchKernelEx(const MUlaunchConfig* config, MUfunction f, void** kernelParams, void** extra) {
  return apiCall(
      "muLaunchKernelEx",
      [&]() -> Result {
        MUSA_REQUIRE(config && (config->attrs || config->numAttrs == 0), MUSA_ERROR_INVALID_VALUE,
                     "null pointer");
        LaunchRequest request{.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                              .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                              .sharedBytes = config->sharedMemBytes,
                              .params = kernelParams,
                              .extra = extra};
        MUSA_TRY(applyAttributes(*config, request));
        return launchHandles(f, config->hStream, request);
      },
      config, f, kernelParams, extra);
}

MUresult muLaunchCooperativeKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                   unsigned int blockDimZ, unsigned int sharedMemBytes, MUstream hStream,
                                   void** kernelParams) {
  return apiCall(
      "muLaunchCooperativeKernel",
      [&] {
        return launchHandles(f, hStream,
                             {.grid = {gridDimX, gridDimY, gridDimZ},
                              .block = {blockDimX, blockDimY, blockDimZ},
                              .sharedBytes = sharedMemBytes,
                              .cooperative = true,
                              .params = kernelParams});
      },
      f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
      kernelParams);
}

}  // extern "C"
