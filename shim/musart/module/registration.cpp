// What code compiled by mcc calls before main and at exit, and around <<<>>>.
#include <atomic>
#include <cstdlib>
#include <vector>

#include "musart/module/program.h"
#include "musart/texture/reference.h"
#include "support/per_thread.h"

using namespace musashim::musart;

namespace {

// The layout clang gives the fat binary's wrapper.
struct FatBinaryWrapper {
  int magic;
  int version;
  const void* bundle;
  void* unused;
};

struct CallConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  musaStream_t stream;
};
struct CallConfigurations {
  std::vector<CallConfiguration> pushed;
};

std::vector<CallConfiguration>& configurations() {
  return musashim::support::PerThread<CallConfigurations>::get().pushed;
}

// Other threads go on while one exits, until the process is gone: their calls do what they ever did. So
// nothing is torn down then; a library that is unloaded takes its binary with it. Handlers of exit() run
// before the destructors of programs and libraries, which mcc makes unregister theirs.
std::atomic<bool> processExits{false};

void watchExit() {
  [[maybe_unused]] static const int registered = std::atexit([] { processExits.store(true); });
}

Binary* binaryOf(void** handle) { return reinterpret_cast<Binary*>(handle); }

}  // namespace

#define MUSART_EXPORT extern "C" __attribute__((visibility("default")))

MUSART_EXPORT void** __musaRegisterFatBinary(const void* wrapper) {
  watchExit();
  const void* bundle = static_cast<const FatBinaryWrapper*>(wrapper)->bundle;
  return reinterpret_cast<void**>(Program::get().addBinary(bundle));
}

MUSART_EXPORT void __musaRegisterFatBinaryEnd(void** /*handle*/) {}

MUSART_EXPORT void __musaUnregisterFatBinary(void** handle) {
  if (processExits.load()) return;
  References::get().forgetBinary(binaryOf(handle));
  Program::get().removeBinary(binaryOf(handle));
}

MUSART_EXPORT void __musaRegisterFunction(void** handle, const void* hostFunction, char* /*deviceName*/,
                                          const char* name, int /*threadLimit*/, void* /*tid*/, void* /*bid*/,
                                          void* /*blockDim*/, void* /*gridDim*/, int* /*wSize*/) {
  Program::get().addKernel(binaryOf(handle), hostFunction, name);
}

MUSART_EXPORT void __musaRegisterVar(void** handle, void* hostVar, char* /*deviceName*/, const char* name,
                                     int /*ext*/, size_t size, int /*constant*/, int /*global*/) {
  Program::get().addSymbol(binaryOf(handle), hostVar, name, size);
}

MUSART_EXPORT void __musaRegisterManagedVar(void** handle, void** pointer, void* initValue, const char* name,
                                            size_t size, unsigned /*align*/) {
  Program::get().addManaged(binaryOf(handle), pointer, initValue, name, size);
}

MUSART_EXPORT void __musaRegisterTexture(void** handle, void* hostVar, char* /*deviceName*/, const char* name,
                                         int /*type*/, int normalized, int ext) {
  if (ext != 0) return;
  Program::get().addSymbol(binaryOf(handle), hostVar, name, sizeof(textureReference));
  const auto mode = normalized ? musaReadModeNormalizedFloat : musaReadModeElementType;
  References::get().addTexture(binaryOf(handle), hostVar, mode);
}

MUSART_EXPORT void __musaRegisterSurface(void** handle, void* hostVar, char* /*deviceName*/, const char* name,
                                         int /*type*/, int ext) {
  if (ext != 0) return;
  Program::get().addSymbol(binaryOf(handle), hostVar, name, sizeof(surfaceReference));
  References::get().addSurface(binaryOf(handle), hostVar);
}

MUSART_EXPORT unsigned __musaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                                   musaStream_t stream) {
  configurations().push_back({gridDim, blockDim, sharedMem, stream});
  return 0;
}

MUSART_EXPORT musaError_t __musaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                                     musaStream_t* stream) {
  if (configurations().empty()) {
    remember(musaErrorMissingConfiguration);
    return musaErrorMissingConfiguration;
  }
  const CallConfiguration& top = configurations().back();
  *gridDim = top.grid;
  *blockDim = top.block;
  *sharedMem = top.sharedBytes;
  *stream = top.stream;
  configurations().pop_back();
  return musaSuccess;
}
