// The device code of the process: what mcc's start-up code registers, and the driver's
// objects made from it in each context, mostly a device's primary one, when they are first used there.
//
//   __musaRegisterFatBinary -> Binary -> (per context, lazily) MUmodule
//   __musaRegisterFunction  -> Kernel -> (per context, lazily) MUfunction
//   __musaRegisterVar       -> Symbol -> (per context, lazily) address and size
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "musart/api/per_context.h"
#include "musart/api/runtime.h"

namespace musashim::musart {

// A fat binary of one translation unit (or shared object).
struct Binary {
  const void* bundle = nullptr;
  PerContext<MUmodule> modules;
};

struct Kernel {
  Binary* binary = nullptr;
  std::string name;  // mangled
  PerContext<MUfunction> functions;
};

struct Symbol {
  Binary* binary = nullptr;
  std::string name;  // mangled
  size_t size = 0;
};

// A __managed__ variable: one storage for the host and all devices.
struct ManagedSymbol {
  Binary* binary = nullptr;
  std::string name;
  void** pointer = nullptr;  // the host's, which user code reads through
  const void* initial = nullptr;
  size_t size = 0;
  int owner = -1;  // the device whose reset ends the storage; -1: storage of the host
};

class Program {
 public:
  static Program& get();

  Binary* addBinary(const void* bundle);
  void removeBinary(Binary* binary);
  void addKernel(Binary* binary, const void* hostFunction, const char* name);
  void addSymbol(Binary* binary, const void* hostVariable, const char* name, size_t size);
  void addManaged(Binary* binary, void** pointer, const void* initial, const char* name, size_t size);

  // The function of `hostFunction` in the current context. The usual case takes no lock.
  musaError_t function(const void* hostFunction, MUfunction& function);

  // The host's stand-in for a function of any context; null when it is of no program's.
  const void* hostFunction(MUfunction function);

  // Where a variable of the program lies in the current context.
  musaError_t symbol(const void* hostVariable, MUdeviceptr& address, size_t& size);

  // The device's primary context is gone, and with it managed variables that lay there: they get their first
  // values anew.
  void forgetDevice(int device);

 private:
  const Kernel* findKernel(const void* hostFunction);
  musaError_t loadModule(Binary& binary, unsigned long long context, MUmodule& module);
  musaError_t linkManaged(Binary& binary, MUmodule module);
  void createManagedStorage(ManagedSymbol& symbol);

  std::shared_mutex mutex_;  // of the tables below
  std::vector<std::unique_ptr<Binary>> binaries_;
  std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels_;
  std::unordered_map<const void*, Symbol> symbols_;
  std::vector<ManagedSymbol> managed_;
  std::atomic<uint64_t> generation_{1};  // rises when an entry goes away
  std::mutex loadMutex_;
};

}  // namespace musashim::musart
