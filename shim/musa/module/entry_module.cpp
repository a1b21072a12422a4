// Modules, their functions and variables.
#include <fmt/core.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <vector>

#include "musa/api/api_call.h"
#include "musa/module/jit_logs.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

MUmodule handleOf(Module* module) { return reinterpret_cast<MUmodule>(module); }

Result loadFromMemory(MUmodule* out, const void* image) {
  MUSA_REQUIRE(out && image, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  Module* loaded = nullptr;
  MUSA_TRY(loadModule(*context, image, SIZE_MAX, loaded));
  *out = handleOf(loaded);
  return {};
}

Result loadFromFile(MUmodule* out, const char* name) {
  MUSA_REQUIRE(out && name, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  std::ifstream file(name, std::ios::binary);
  MUSA_REQUIRE(file, MUSA_ERROR_FILE_NOT_FOUND, name);
  std::vector<char> data(std::istreambuf_iterator<char>(file), {});
  constexpr size_t kSmallest = 24;  // what telling one format from another reads
  MUSA_REQUIRE(data.size() >= kSmallest, MUSA_ERROR_INVALID_IMAGE, fmt::format("{} is too short", name));
  Module* loaded = nullptr;
  MUSA_TRY(loadModule(*context, data.data(), data.size(), loaded));
  *out = handleOf(loaded);
  return {};
}

}  // namespace

extern "C" {

MUresult muModuleLoad(MUmodule* module, const char* fname) {
  return apiCall("muModuleLoad", [&] { return loadFromFile(module, fname); }, module, fname);
}

MUresult muModuleLoadData(MUmodule* module, const void* image) {
  return apiCall("muModuleLoadData", [&] { return loadFromMemory(module, image); }, module, image);
}

MUresult muModuleLoadDataEx(MUmodule* module, const void* image, unsigned int numOptions,
                            MUjit_option* options, void** optionValues) {
  return apiCall(
      "muModuleLoadDataEx",
      [&] { return JitLogs(options, optionValues, numOptions).told(loadFromMemory(module, image)); }, module,
      image, numOptions, options, optionValues);
}

MUresult muModuleLoadFatBinary(MUmodule* module, const void* fatMubin) {
  return apiCall("muModuleLoadFatBinary", [&] { return loadFromMemory(module, fatMubin); }, module, fatMubin);
}

MUresult muModuleUnload(MUmodule hmod) {
  return apiCall(
      "muModuleUnload",
      [&]() -> Result {
        Module* module = nullptr;
        MUSA_TRY(findModule(hmod, module));
        MUSA_REQUIRE(!module->ofLibrary, MUSA_ERROR_NOT_PERMITTED, "the module belongs to a library");
        Context& context = module->context();
        context.synchronize();  // nothing may run in it any more
        context.removeModule(module);
        driver().modules.destroy(module);
        return context.fault();
      },
      hmod);
}

MUresult muModuleGetFunction(MUfunction* hfunc, MUmodule hmod, const char* name) {
  return apiCall(
      "muModuleGetFunction",
      [&]() -> Result {
        MUSA_REQUIRE(hfunc && name && *name, MUSA_ERROR_INVALID_VALUE, "null pointer, or no name");
        Module* module = nullptr;
        MUSA_TRY(findModule(hmod, module));
        Function* function = nullptr;
        MUSA_TRY(module->function(name, function));
        *hfunc = reinterpret_cast<MUfunction>(function);
        return {};
      },
      hfunc, hmod, name);
}

MUresult muModuleGetFunctionCount(unsigned int* count, MUmodule mod) {
  return apiCall(
      "muModuleGetFunctionCount",
      [&]() -> Result {
        MUSA_REQUIRE(count, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Module* module = nullptr;
        MUSA_TRY(findModule(mod, module));
        *count = static_cast<unsigned>(module->functionNames().size());
        return {};
      },
      count, mod);
}

MUresult muModuleEnumerateFunctions(MUfunction* functions, unsigned int numFunctions, MUmodule mod) {
  return apiCall(
      "muModuleEnumerateFunctions",
      [&]() -> Result {
        MUSA_REQUIRE(functions, MUSA_ERROR_INVALID_VALUE, "no place for functions");
        Module* module = nullptr;
        MUSA_TRY(findModule(mod, module));
        std::vector<std::string> names = module->functionNames();
        for (size_t i = 0; i < names.size() && i < numFunctions; ++i) {
          Function* function = nullptr;
          MUSA_TRY(module->function(names[i], function));
          functions[i] = reinterpret_cast<MUfunction>(function);
        }
        return {};
      },
      functions, numFunctions, mod);
}

MUresult muModuleGetLoadingMode(MUmoduleLoadingMode* mode) {
  return apiCall(
      "muModuleGetLoadingMode",
      [&]() -> Result {
        MUSA_REQUIRE(mode, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *mode = MU_MODULE_EAGER_LOADING;  // a module is loaded whole
        return {};
      },
      mode);
}

MUresult muModuleGetGlobal(MUdeviceptr* dptr, size_t* bytes, MUmodule hmod, const char* name) {
  return apiCall(
      "muModuleGetGlobal",
      [&]() -> Result {
        MUSA_REQUIRE(name, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Module* module = nullptr;
        MUSA_TRY(findModule(hmod, module));
        backend::Variable variable;
        MUSA_TRY(module->variable(name, variable));
        if (dptr) *dptr = toDevicePtr(variable.address);
        if (bytes) *bytes = variable.size;
        return {};
      },
      dptr, bytes, hmod, name);
}

}  // extern "C"
