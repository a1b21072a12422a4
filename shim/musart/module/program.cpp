#include "musart/module/program.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

namespace musashim::musart {
namespace {

// A thread's recent look-ups, so that a launch needs neither lock nor hash table.
struct CacheLine {
  const void* hostFunction = nullptr;
  const Kernel* kernel = nullptr;
  uint64_t generation = 0;
};
constexpr size_t kCacheLines = 64;
thread_local CacheLine cache[kCacheLines];

CacheLine& cacheLine(const void* hostFunction) {
  auto bits = reinterpret_cast<uintptr_t>(hostFunction);
  return cache[(bits >> 3 ^ bits >> 9) % kCacheLines];
}

// That no kernel of a program runs: those that look at no error would go on with wrong results. `why`: the
// driver's words. Said once in a process of each image and architecture. Under Program's loadMutex_.
void tellOnce(const char* why) {
  static auto* const told = new std::set<std::string>;
  std::string text = why;
  if (const std::string prefix = "error: "; text.starts_with(prefix)) text.erase(0, prefix.size());
  while (text.ends_with('\n')) text.pop_back();
  if (!told->insert(text).second) return;
  std::fprintf(stderr,
               "musashim: the kernels of this program cannot run: %s. Compile it for the device with "
               "--offload-arch, or for "
               "all without, or choose another device with MUSASHIM_ARCH. Launches return "
               "ErrorNoKernelImageForDevice.\n",
               text.c_str());
}

// A copy that has nothing to do with the program's streams, which may be capturing.
musaError_t copyAside(MUdeviceptr dst, const void* src, size_t bytes) {
  MUstreamCaptureMode mode = MU_STREAM_CAPTURE_MODE_RELAXED;
  MUSART_TRY(muThreadExchangeStreamCaptureMode(&mode));
  MUstream stream = nullptr;
  MUresult result = muStreamCreate(&stream, MU_STREAM_NON_BLOCKING);
  if (result == MUSA_SUCCESS) {
    result = muMemcpyHtoDAsync(dst, src, bytes, stream);
    if (result == MUSA_SUCCESS) result = muStreamSynchronize(stream);
    (void)muStreamDestroy(stream);
  }
  MUSART_TRY(muThreadExchangeStreamCaptureMode(&mode));
  return fromDriver(result);
}

}  // namespace

// Never destroyed: unregistration runs at exit, in no certain order.
Program& Program::get() {
  static auto* program = new Program;
  return *program;
}

Binary* Program::addBinary(const void* bundle) {
  auto binary = std::make_unique<Binary>();
  binary->bundle = bundle;
  std::unique_lock lock(mutex_);
  return binaries_.emplace_back(std::move(binary)).get();
}

void Program::removeBinary(Binary* binary) {
  // Modules go with their contexts: kernels of them may still run, and at exit the
  // driver may not be called any more.
  std::unique_lock lock(mutex_);
  generation_.fetch_add(1);
  std::erase_if(kernels_, [&](auto& entry) { return entry.second->binary == binary; });
  std::erase_if(symbols_, [&](auto& entry) { return entry.second.binary == binary; });
  std::erase_if(managed_, [&](auto& entry) { return entry.binary == binary; });
  std::erase_if(binaries_, [&](auto& entry) { return entry.get() == binary; });
}

void Program::addKernel(Binary* binary, const void* hostFunction, const char* name) {
  auto kernel = std::make_unique<Kernel>();
  kernel->binary = binary;
  kernel->name = name;
  std::unique_lock lock(mutex_);
  generation_.fetch_add(1);
  kernels_[hostFunction] = std::move(kernel);
}

void Program::addSymbol(Binary* binary, const void* hostVariable, const char* name, size_t size) {
  std::unique_lock lock(mutex_);
  symbols_[hostVariable] = {binary, name, size};
}

void Program::addManaged(Binary* binary, void** pointer, const void* initial, const char* name, size_t size) {
  ManagedSymbol symbol{binary, name, pointer, initial, size};
  createManagedStorage(symbol);
  std::unique_lock lock(mutex_);
  managed_.push_back(std::move(symbol));
}

// Host code may use the variable before its first API call, so it needs storage at
// once. Where there is no device, ordinary memory keeps such a program alive.
void Program::createManagedStorage(ManagedSymbol& symbol) {
  MUdeviceptr address = 0;
  if (bindContext() == musaSuccess &&
      muMemAllocManaged(&address, symbol.size, MU_MEM_ATTACH_GLOBAL) == MUSA_SUCCESS) {
    muCtxGetDevice(&symbol.owner);
    *symbol.pointer = toPointer(address);
  } else {
    *symbol.pointer = std::calloc(1, symbol.size);
  }
  if (symbol.initial && *symbol.pointer) std::memcpy(*symbol.pointer, symbol.initial, symbol.size);
}

const Kernel* Program::findKernel(const void* hostFunction) {
  CacheLine& line = cacheLine(hostFunction);
  uint64_t generation = generation_.load(std::memory_order_acquire);
  if (line.hostFunction == hostFunction && line.generation == generation) [[likely]]
    return line.kernel;
  std::shared_lock lock(mutex_);
  auto found = kernels_.find(hostFunction);
  if (found == kernels_.end()) return nullptr;
  line = {hostFunction, found->second.get(), generation};
  return line.kernel;
}

musaError_t Program::function(const void* hostFunction, MUfunction& function) {
  const Kernel* kernel = findKernel(hostFunction);
  MUSART_REQUIRE(kernel, musaErrorInvalidResourceHandle);
  unsigned long long context = 0;
  MUSART_TRY(currentContextId(context));
  auto& functions = const_cast<Kernel*>(kernel)->functions;
  function = functions.of(context);
  if (function) [[likely]]
    return musaSuccess;

  std::lock_guard lock(loadMutex_);
  function = functions.of(context);
  if (function) return musaSuccess;
  MUmodule module = nullptr;
  MUSART_TRY(loadModule(*kernel->binary, context, module));
  MUresult result = muModuleGetFunction(&function, module, kernel->name.c_str());
  MUSART_REQUIRE(result != MUSA_ERROR_NOT_FOUND, musaErrorInvalidDeviceFunction);
  MUSART_TRY(result);
  functions.set(context, function);
  return musaSuccess;
}

const void* Program::hostFunction(MUfunction function) {
  std::shared_lock lock(mutex_);
  for (auto& [host, kernel] : kernels_) {
    if (kernel->functions.contains(function)) return host;
  }
  return nullptr;
}

musaError_t Program::loadModule(Binary& binary, unsigned long long context, MUmodule& module) {
  module = binary.modules.of(context);
  if (module) return musaSuccess;
  std::array<char, 512> why{};
  MUjit_option options[] = {MU_JIT_ERROR_LOG_BUFFER, MU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {why.data(), reinterpret_cast<void*>(why.size())};
  const MUresult result = muModuleLoadDataEx(&module, binary.bundle, 2, options, values);
  if (result == MUSA_ERROR_NO_BINARY_FOR_GPU) tellOnce(why.data());
  MUSART_TRY(result);
  MUSART_TRY(linkManaged(binary, module));
  binary.modules.set(context, module);
  return musaSuccess;
}

// The image's own copy of a managed variable is a pointer to the shared storage.
musaError_t Program::linkManaged(Binary& binary, MUmodule module) {
  std::shared_lock lock(mutex_);
  for (const ManagedSymbol& symbol : managed_) {
    if (symbol.binary != &binary) continue;
    MUdeviceptr address = 0;
    MUresult result = muModuleGetGlobal(&address, nullptr, module, symbol.name.c_str());
    if (result == MUSA_ERROR_NOT_FOUND) continue;  // not used by device code
    MUSART_TRY(result);
    MUSART_TRY(copyAside(address, symbol.pointer, sizeof(void*)));
  }
  return musaSuccess;
}

musaError_t Program::symbol(const void* hostVariable, MUdeviceptr& address, size_t& size) {
  Symbol symbol;
  {
    std::shared_lock lock(mutex_);
    for (const ManagedSymbol& managed : managed_) {
      if (hostVariable != managed.pointer && hostVariable != *managed.pointer) continue;
      address = toDevicePtr(*managed.pointer);
      size = managed.size;
      return musaSuccess;
    }
    auto found = symbols_.find(hostVariable);
    MUSART_REQUIRE(found != symbols_.end(), musaErrorInvalidSymbol);
    symbol = found->second;
  }
  unsigned long long context = 0;
  MUSART_TRY(currentContextId(context));
  std::lock_guard lock(loadMutex_);
  MUmodule module = nullptr;
  MUSART_TRY(loadModule(*symbol.binary, context, module));
  MUresult result = muModuleGetGlobal(&address, &size, module, symbol.name.c_str());
  return result == MUSA_ERROR_NOT_FOUND ? musaErrorInvalidSymbol : fromDriver(result);
}

void Program::forgetDevice(int device) {
  std::lock_guard loadLock(loadMutex_);
  std::unique_lock lock(mutex_);
  for (ManagedSymbol& symbol : managed_) {
    if (symbol.owner != device) continue;
    createManagedStorage(symbol);
    symbol.binary->modules.forget();
    for (auto& [host, kernel] : kernels_) {
      if (kernel->binary == symbol.binary) kernel->functions.forget();
    }
  }
}

}  // namespace musashim::musart
