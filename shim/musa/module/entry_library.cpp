// Libraries and their kernels, which belong to no context.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "crt/cuda_driver_answers.h"
#include "musa/api/api_call.h"
#include "musa/module/library.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

Result isPreserved(MUlibraryOption* options, void** values, unsigned count, bool& preserved) {
  MUSA_REQUIRE(options || count == 0, MUSA_ERROR_INVALID_VALUE, "null pointer");
  preserved = false;
  for (unsigned i = 0; i < count; ++i) {
    MUSA_REQUIRE(options[i] >= 0 && options[i] < MU_LIBRARY_NUM_OPTIONS, MUSA_ERROR_INVALID_VALUE,
                 "unknown option");
    if (options[i] != MU_LIBRARY_BINARY_IS_PRESERVED) continue;
    preserved = !values || values[i] != nullptr;
  }
  return {};
}

// Loads it for the current context, so that unusable code is refused at once.
Result makeLibrary(MUlibrary* out, const void* code, size_t bytes, bool preserved) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  Library* library = driver().libraries.create(code, bytes, preserved);
  Module* module = nullptr;
  Result loaded = library->module(*context, module);
  if (!loaded.isOk()) {
    driver().libraries.destroy(library);
    return loaded;
  }
  *out = library->handle();
  return {};
}

Result variableOf(MUlibrary handle, const char* name, backend::Variable& variable) {
  MUSA_REQUIRE(name, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Library* library = nullptr;
  Context* context = nullptr;
  Module* module = nullptr;
  MUSA_TRY(findLibrary(handle, library));
  MUSA_TRY(currentContext(context));
  MUSA_TRY(library->module(*context, module));
  return module->variable(name, variable);
}

Result functionOn(MUkernel handle, MUdevice device, Function*& function) {
  LibraryKernel* kernel = nullptr;
  DeviceState* state = nullptr;
  MUSA_TRY(findKernel(handle, kernel));
  MUSA_TRY(findDevice(device, state));
  Context* context = currentContextOrNull();
  if (!context || &context->device() != state) {
    context = state->activePrimary();
    MUSA_REQUIRE(context, MUSA_ERROR_INVALID_CONTEXT, "nothing uses the device");
  }
  return kernel->function(*context, function);
}

MUresult kernelAttribute(int* pi, MUfunction_attribute attrib, MUkernel kernel, MUdevice dev,
                         Numbering numbering) {
  return apiCall(
      "muKernelGetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(pi, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Function* function = nullptr;
        MUSA_TRY(functionOn(kernel, dev, function));
        return function->attribute(attrib, *pi, numbering);
      },
      pi, attrib, kernel, dev);
}

}  // namespace

extern "C" {

MUresult muLibraryLoadData(MUlibrary* library, const void* code, MUjit_option* jitOptions,
                           void** jitOptionsValues, unsigned int numJitOptions,
                           MUlibraryOption* libraryOptions, void** libraryOptionValues,
                           unsigned int numLibraryOptions) {
  return apiCall(
      "muLibraryLoadData",
      [&]() -> Result {
        MUSA_REQUIRE(library && code, MUSA_ERROR_INVALID_VALUE, "null pointer");
        bool preserved = false;
        size_t bytes = 0;
        MUSA_TRY(isPreserved(libraryOptions, libraryOptionValues, numLibraryOptions, preserved));
        MUSA_TRY(codeSize(code, bytes));
        return makeLibrary(library, code, bytes, preserved);
      },
      library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
      numLibraryOptions);
}

MUresult muLibraryLoadFromFile(MUlibrary* library, const char* fileName, MUjit_option* jitOptions,
                               void** jitOptionsValues, unsigned int numJitOptions,
                               MUlibraryOption* libraryOptions, void** libraryOptionValues,
                               unsigned int numLibraryOptions) {
  return apiCall(
      "muLibraryLoadFromFile",
      [&]() -> Result {
        MUSA_REQUIRE(library && fileName, MUSA_ERROR_INVALID_VALUE, "null pointer");
        bool preserved = false;
        MUSA_TRY(isPreserved(libraryOptions, libraryOptionValues, numLibraryOptions, preserved));
        std::ifstream file(fileName, std::ios::binary);
        MUSA_REQUIRE(file, MUSA_ERROR_FILE_NOT_FOUND, fileName);
        std::vector<char> data(std::istreambuf_iterator<char>(file), {});
        constexpr size_t kSmallest = 24;  // what telling one format from another reads
        MUSA_REQUIRE(data.size() >= kSmallest, MUSA_ERROR_INVALID_IMAGE, "the file is too short");
        return makeLibrary(library, data.data(), data.size(), false);
      },
      library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
      numLibraryOptions);
}

MUresult muLibraryUnload(MUlibrary library) {
  return apiCall(
      "muLibraryUnload",
      [&]() -> Result {
        Library* found = nullptr;
        MUSA_TRY(findLibrary(library, found));
        driver().libraries.destroy(found);
        return {};
      },
      library);
}

MUresult muLibraryGetKernel(MUkernel* pKernel, MUlibrary library, const char* name) {
  return apiCall(
      "muLibraryGetKernel",
      [&]() -> Result {
        MUSA_REQUIRE(pKernel && name, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Library* found = nullptr;
        Context* context = nullptr;
        LibraryKernel* kernel = nullptr;
        MUSA_TRY(findLibrary(library, found));
        MUSA_TRY(currentContext(context));
        MUSA_TRY(found->kernel(*context, name, kernel));
        *pKernel = kernel->handle();
        return {};
      },
      pKernel, library, name);
}

MUresult muLibraryGetKernelCount(unsigned int* count, MUlibrary lib) {
  return apiCall(
      "muLibraryGetKernelCount",
      [&]() -> Result {
        MUSA_REQUIRE(count, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Library* library = nullptr;
        Context* context = nullptr;
        std::vector<std::string> names;
        MUSA_TRY(findLibrary(lib, library));
        MUSA_TRY(currentContext(context));
        MUSA_TRY(library->kernelNames(*context, names));
        *count = static_cast<unsigned>(names.size());
        return {};
      },
      count, lib);
}

MUresult muLibraryEnumerateKernels(MUkernel* kernels, unsigned int numKernels, MUlibrary lib) {
  return apiCall(
      "muLibraryEnumerateKernels",
      [&]() -> Result {
        MUSA_REQUIRE(kernels && numKernels != 0, MUSA_ERROR_INVALID_VALUE, "no place for kernels");
        Library* library = nullptr;
        Context* context = nullptr;
        std::vector<std::string> names;
        MUSA_TRY(findLibrary(lib, library));
        MUSA_TRY(currentContext(context));
        MUSA_TRY(library->kernelNames(*context, names));
        for (size_t i = 0; i < std::min<size_t>(numKernels, names.size()); ++i) {
          LibraryKernel* kernel = nullptr;
          MUSA_TRY(library->kernel(*context, names[i], kernel));
          kernels[i] = kernel->handle();
        }
        return {};
      },
      kernels, numKernels, lib);
}

MUresult muLibraryGetModule(MUmodule* pMod, MUlibrary library) {
  return apiCall(
      "muLibraryGetModule",
      [&]() -> Result {
        MUSA_REQUIRE(pMod, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Library* found = nullptr;
        Context* context = nullptr;
        Module* module = nullptr;
        MUSA_TRY(findLibrary(library, found));
        MUSA_TRY(currentContext(context));
        MUSA_TRY(found->module(*context, module));
        *pMod = reinterpret_cast<MUmodule>(module);
        return {};
      },
      pMod, library);
}

MUresult muLibraryGetGlobal(MUdeviceptr* dptr, size_t* bytes, MUlibrary library, const char* name) {
  return apiCall(
      "muLibraryGetGlobal",
      [&]() -> Result {
        MUSA_REQUIRE(dptr || bytes, MUSA_ERROR_INVALID_VALUE, "nothing asked for");
        backend::Variable variable;
        MUSA_TRY(variableOf(library, name, variable));
        if (dptr) *dptr = toDevicePtr(variable.address);
        if (bytes) *bytes = variable.size;
        return {};
      },
      dptr, bytes, library, name);
}

MUresult muKernelGetFunction(MUfunction* pFunc, MUkernel kernel) {
  return apiCall(
      "muKernelGetFunction",
      [&]() -> Result {
        MUSA_REQUIRE(pFunc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        LibraryKernel* found = nullptr;
        Context* context = nullptr;
        Function* function = nullptr;
        MUSA_TRY(findKernel(kernel, found));
        MUSA_TRY(currentContext(context));
        MUSA_TRY(found->function(*context, function));
        *pFunc = reinterpret_cast<MUfunction>(function);
        return {};
      },
      pFunc, kernel);
}

MUresult muKernelGetLibrary(MUlibrary* pLib, MUkernel kernel) {
  return apiCall(
      "muKernelGetLibrary",
      [&]() -> Result {
        MUSA_REQUIRE(pLib, MUSA_ERROR_INVALID_VALUE, "null pointer");
        LibraryKernel* found = nullptr;
        MUSA_TRY(findKernel(kernel, found));
        *pLib = found->library().handle();
        return {};
      },
      pLib, kernel);
}

MUresult muKernelGetName(const char** name, MUkernel hfunc) {
  return apiCall(
      "muKernelGetName",
      [&]() -> Result {
        MUSA_REQUIRE(name && hfunc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        LibraryKernel* found = nullptr;
        MUSA_TRY(findKernel(hfunc, found));
        *name = found->name().c_str();
        return {};
      },
      static_cast<const void*>(name), hfunc);
}

MUresult muKernelGetAttribute(int* pi, MUfunction_attribute attrib, MUkernel kernel, MUdevice dev) {
  return kernelAttribute(pi, attrib, kernel, dev, Numbering::kMusa);
}

MUresult cuKernelGetAttribute(int* pi, MUfunction_attribute attrib, MUkernel kernel, MUdevice dev) {
  return kernelAttribute(pi, attrib, kernel, dev, Numbering::kCuda);
}

MUresult muKernelSetAttribute(MUfunction_attribute attrib, int val, MUkernel kernel, MUdevice dev) {
  return apiCall(
      "muKernelSetAttribute",
      [&]() -> Result {
        Function* function = nullptr;
        MUSA_TRY(functionOn(kernel, dev, function));
        return function->setAttribute(attrib, val);
      },
      attrib, val, kernel, dev);
}

MUresult muKernelSetCacheConfig(MUkernel kernel, MUfunc_cache config, MUdevice dev) {
  return apiCall(
      "muKernelSetCacheConfig",
      [&]() -> Result {
        MUSA_REQUIRE(config >= MU_FUNC_CACHE_PREFER_NONE && config <= MU_FUNC_CACHE_PREFER_EQUAL,
                     MUSA_ERROR_INVALID_VALUE, "unknown preference");
        Function* function = nullptr;
        return functionOn(kernel, dev, function);
      },
      kernel, config, dev);
}

MUresult muKernelGetParamInfo(MUkernel kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  return apiCall(
      "muKernelGetParamInfo",
      [&]() -> Result {
        MUSA_REQUIRE(kernel, MUSA_ERROR_INVALID_VALUE, "null pointer");
        LibraryKernel* found = nullptr;
        Context* context = nullptr;
        Function* function = nullptr;
        MUSA_TRY(findKernel(kernel, found));
        MUSA_TRY(currentContext(context));
        MUSA_TRY(found->function(*context, function));
        return function->parameter(paramIndex, paramOffset, paramSize);
      },
      kernel, paramIndex, paramOffset, paramSize);
}

}  // extern "C"
