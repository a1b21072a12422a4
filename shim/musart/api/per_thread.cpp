// Entries for programs whose default stream is per thread, where the stream is not a parameter
// of its own. The others are generated (shim/codegen/per_thread.py).
#include "musa_runtime_api.h"

namespace {

musaStream_t perThread(musaStream_t stream) { return stream ? stream : musaStreamPerThread; }

/// Who asks for no form of an entry gets that of the program.
unsigned long long formOfProgram(unsigned long long flags) {
  return flags == musaEnableDefault ? musaEnablePerThreadDefaultStream : flags;
}

}  // namespace

#define MUSART_EXPORT extern "C" __attribute__((visibility("default")))

MUSART_EXPORT musaError_t musaLaunchKernelExC_ptsz(const musaLaunchConfig_t* config, const void* func,
                                                   void** args) {
  if (!config) return musaLaunchKernelExC(config, func, args);
  musaLaunchConfig_t changed = *config;
  changed.stream = perThread(config->stream);
  return musaLaunchKernelExC(&changed, func, args);
}

MUSART_EXPORT musaError_t musaGraphInstantiateWithParams_ptsz(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                                              musaGraphInstantiateParams* instantiateParams) {
  if (instantiateParams) instantiateParams->uploadStream = perThread(instantiateParams->uploadStream);
  return musaGraphInstantiateWithParams(pGraphExec, graph, instantiateParams);
}

MUSART_EXPORT musaError_t musaStreamCopyAttributes_ptsz(musaStream_t dst, musaStream_t src) {
  return musaStreamCopyAttributes(perThread(dst), perThread(src));
}

MUSART_EXPORT musaError_t musaGetDriverEntryPoint_ptsz(const char* symbol, void** funcPtr,
                                                       unsigned long long flags,
                                                       enum musaDriverEntryPointQueryResult* driverStatus) {
  return musaGetDriverEntryPoint(symbol, funcPtr, formOfProgram(flags), driverStatus);
}

MUSART_EXPORT musaError_t musaGetDriverEntryPointByVersion_ptsz(
    const char* symbol, void** funcPtr, unsigned int musaVersion, unsigned long long flags,
    enum musaDriverEntryPointQueryResult* driverStatus) {
  return musaGetDriverEntryPointByVersion(symbol, funcPtr, musaVersion, formOfProgram(flags), driverStatus);
}
