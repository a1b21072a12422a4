// Kernels: launches and attributes.
#include <vector>

#include "crt/cuda_driver_answers.h"
#include "crt/cuda_runtime_answers.h"
#include "musart/module/program.h"

using namespace musashim::musart;

namespace {

musaError_t kernelOf(const void* func, MUfunction& function) {
  MUSART_REQUIRE(func, musaErrorInvalidDeviceFunction);
  musaError_t error = Program::get().function(func, function);
  if (error != musaErrorInvalidResourceHandle) [[likely]]
    return error;
  // A kernel of a library stands for itself.
  auto kernel = reinterpret_cast<MUkernel>(const_cast<void*>(func));
  return muKernelGetFunction(&function, kernel) == MUSA_SUCCESS ? musaSuccess : error;
}

// Runs `body` with the kernel's function; in the stream's context when that is another
// than the current one, as a stream of any device can be launched to.
template <class Body>
musaError_t withFunction(const void* func, musaStream_t stream, size_t sharedMem, Body&& body) {
  MUSART_REQUIRE(sharedMem <= UINT32_MAX, musaErrorInvalidValue);
  MUfunction function = nullptr;
  MUSART_TRY(kernelOf(func, function));
  MUresult result = body(function);
  MUcontext context = nullptr;
  if (result != MUSA_ERROR_INVALID_HANDLE || muStreamGetCtx(stream, &context) != MUSA_SUCCESS) [[likely]] {
    return fromDriver(result);
  }
  MUSART_TRY(muCtxPushCurrent(context));
  musaError_t error = kernelOf(func, function);
  if (error == musaSuccess) error = fromDriver(body(function));
  MUSART_TRY(muCtxPopCurrent(nullptr));
  return error;
}

using FunctionAttributeCall = MUresult(int* value, MUfunction_attribute attribute, MUfunction function);

// `ask`: muFuncGetAttribute, or cuFuncGetAttribute for who asked by CUDA's name.
musaError_t functionAttributes(MUfunction function, struct musaFuncAttributes& attr,
                               FunctionAttributeCall* ask) {
  attr = {};
  auto get = [&](MUfunction_attribute id, auto& member) -> MUresult {
    int value = 0;
    MUresult result = ask(&value, id, function);
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
    return result;
  };
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, attr.sharedSizeBytes));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, attr.constSizeBytes));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, attr.localSizeBytes));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, attr.maxThreadsPerBlock));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_NUM_REGS, attr.numRegs));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_PTX_VERSION, attr.ptxVersion));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_BINARY_VERSION, attr.binaryVersion));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_CACHE_MODE_CA, attr.cacheModeCA));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, attr.maxDynamicSharedSizeBytes));
  MUSART_TRY(get(MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, attr.preferredShmemCarveout));
  return musaSuccess;
}

musaError_t getAttributes(struct musaFuncAttributes* attr, const void* func, FunctionAttributeCall* ask) {
  return apiCall(
      "musaFuncGetAttributes",
      [&]() -> musaError_t {
        MUSART_REQUIRE(attr, musaErrorInvalidValue);
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return functionAttributes(function, *attr, ask);
      },
      attr, func);
}

// Launch attributes have one layout in both APIs up to their types.
std::vector<MUlaunchAttribute> driverAttributes(const musaLaunchConfig_t& config) {
  std::vector<MUlaunchAttribute> attributes(config.numAttrs);
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    attributes[i].id = static_cast<MUlaunchAttributeID>(config.attrs[i].id);
    static_assert(sizeof(MUlaunchAttributeValue) == sizeof(musaLaunchAttributeValue));
    __builtin_memcpy(&attributes[i].value, &config.attrs[i].val, sizeof(MUlaunchAttributeValue));
  }
  return attributes;
}

}  // namespace

extern "C" {

musaError_t musaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                             musaStream_t stream) {
  return apiCall(
      "musaLaunchKernel",
      [&] {
        return withFunction(func, stream, sharedMem, [&](MUfunction function) {
          return muLaunchKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z,
                                static_cast<unsigned>(sharedMem), stream, args, nullptr);
        });
      },
      func, gridDim, blockDim, args, sharedMem, stream);
}

musaError_t musaLaunchKernelExC(const musaLaunchConfig_t* config, const void* func, void** args) {
  return apiCall(
      "musaLaunchKernelExC",
      [&]() -> musaError_t {
        MUSART_REQUIRE(config && (config->attrs || config->numAttrs == 0), musaErrorInvalidValue);
        const dim3 &grid = config->gridDim, &block = config->blockDim;
        std::vector<MUlaunchAttribute> attributes = driverAttributes(*config);
        MUlaunchConfig launchConfig = {grid.x,
                                       grid.y,
                                       grid.z,
                                       block.x,
                                       block.y,
                                       block.z,
                                       static_cast<unsigned>(config->dynamicSmemBytes),
                                       config->stream,
                                       attributes.data(),
                                       config->numAttrs};
        return withFunction(func, config->stream, config->dynamicSmemBytes, [&](MUfunction function) {
          return muLaunchKernelEx(&launchConfig, function, args, nullptr);
        });
      },
      config, func, args);
}

musaError_t musaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                        size_t sharedMem, musaStream_t stream) {
  return apiCall(
      "musaLaunchCooperativeKernel",
      [&] {
        return withFunction(func, stream, sharedMem, [&](MUfunction function) {
          return muLaunchCooperativeKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y,
                                           blockDim.z, static_cast<unsigned>(sharedMem), stream, args);
        });
      },
      func, gridDim, blockDim, args, sharedMem, stream);
}

musaError_t musaFuncSetCacheConfig(const void* func, enum musaFuncCache cacheConfig) {
  return apiCall(
      "musaFuncSetCacheConfig",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(muFuncSetCacheConfig(function, static_cast<MUfunc_cache>(cacheConfig)));
      },
      func, cacheConfig);
}

musaError_t musaFuncSetSharedMemConfig(const void* func, enum musaSharedMemConfig config) {
  return apiCall(
      "musaFuncSetSharedMemConfig",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(muFuncSetSharedMemConfig(function, static_cast<MUsharedconfig>(config)));
      },
      func, config);
}

musaError_t musaFuncGetAttributes(struct musaFuncAttributes* attr, const void* func) {
  return getAttributes(attr, func, muFuncGetAttribute);
}

musaError_t cudaFuncGetAttributes(struct musaFuncAttributes* attr, const void* func) {
  return getAttributes(attr, func, cuFuncGetAttribute);
}

musaError_t musaFuncSetAttribute(const void* func, enum musaFuncAttribute attr, int value) {
  return apiCall(
      "musaFuncSetAttribute",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(muFuncSetAttribute(function, static_cast<MUfunction_attribute>(attr), value));
      },
      func, attr, value);
}

musaError_t musaFuncGetName(const char** name, const void* func) {
  return apiCall(
      "musaFuncGetName",
      [&]() -> musaError_t {
        MUSART_REQUIRE(name, musaErrorInvalidValue);
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(muFuncGetName(name, function));
      },
      static_cast<const void*>(name), func);
}

musaError_t musaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                 size_t* paramSize) {
  return apiCall(
      "musaFuncGetParamInfo",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(muFuncGetParamInfo(function, paramIndex, paramOffset, paramSize));
      },
      func, paramIndex, paramOffset, paramSize);
}

musaError_t musaGetFuncBySymbol(musaFunction_t* functionPtr, const void* symbolPtr) {
  return apiCall(
      "musaGetFuncBySymbol",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        musaError_t error = kernelOf(symbolPtr, function);
        // Other calls say that of a handle; this one takes none.
        if (error == musaErrorInvalidResourceHandle) return musaErrorInvalidDeviceFunction;
        MUSART_TRY(error);
        if (functionPtr) *functionPtr = function;
        return musaSuccess;
      },
      functionPtr, symbolPtr);
}

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                          size_t dynamicSMemSize) {
  return apiCall(
      "musaOccupancyMaxActiveBlocksPerMultiprocessor",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(
            muOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, function, blockSize, dynamicSMemSize));
      },
      numBlocks, func, blockSize, dynamicSMemSize);
}

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func,
                                                                   int blockSize, size_t dynamicSMemSize,
                                                                   unsigned int flags) {
  return apiCall(
      "musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, function, blockSize,
                                                                               dynamicSMemSize, flags));
      },
      numBlocks, func, blockSize, dynamicSMemSize, flags);
}

musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func,
                                                      int numBlocks, int blockSize) {
  return apiCall(
      "musaOccupancyAvailableDynamicSMemPerBlock",
      [&]() -> musaError_t {
        MUfunction function = nullptr;
        MUSART_TRY(kernelOf(func, function));
        return fromDriver(
            muOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, function, numBlocks, blockSize));
      },
      dynamicSmemSize, func, numBlocks, blockSize);
}

}  // extern "C"
