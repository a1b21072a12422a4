// links: driver
// Modules and libraries through the driver: images that are none, and handles that are null.
#include "../../framework/buffers.h"
#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("library.driver_modules");

namespace {

__global__ void addTwo(int* place, long long by, char) { *place += static_cast<int>(by); }

}  // namespace

int main() {
  useFirstDevice();
  DeviceArray<int> number(1);
  addTwo<<<1, 1>>>(number.data(), 2, 'x');
  SETUP(cuCtxSynchronize());
  const char nonsense[64] = "this is no image of device code";
  CUmodule module = nullptr;
  OBSERVE("load_missing_file", cuModuleLoad(&module, "/no/such/file"));
  OBSERVE("load_null", cuModuleLoad(nullptr, "/no/such/file"));
  OBSERVE("load_null_name", cuModuleLoad(&module, nullptr));
  OBSERVE("load_nonsense", cuModuleLoadData(&module, nonsense));
  OBSERVE("load_nonsense_ex", cuModuleLoadDataEx(&module, nonsense, 0, nullptr, nullptr));
  OBSERVE("load_data_null", cuModuleLoadData(nullptr, nonsense));
  OBSERVE("load_null_data", cuModuleLoadData(&module, nullptr));
  OBSERVE("unload_null", cuModuleUnload(nullptr));
  CUfunction function = nullptr;
  OBSERVE("function_null_module", cuModuleGetFunction(&function, nullptr, "addTwo"));
  CUmoduleLoadingMode mode;
  OBSERVE("loading_mode", cuModuleGetLoadingMode(&mode));

  CUlibrary library = nullptr;
  OBSERVE("library_nonsense",
          cuLibraryLoadData(&library, nonsense, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OBSERVE("library_null_data",
          cuLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OBSERVE("library_null", cuLibraryLoadData(nullptr, nonsense, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OBSERVE("library_missing_file",
          cuLibraryLoadFromFile(&library, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
  OBSERVE("library_null_file",
          cuLibraryLoadFromFile(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OBSERVE("library_unload_null", cuLibraryUnload(nullptr));

  // A function of this program.
  function = driverFunction(addTwo);
  size_t offset = 77, size = 77;
  for (size_t i = 0; i < 4; ++i) {
    offset = size = 77;
    const std::string key = "param_" + std::to_string(i);
    OBSERVE(key.c_str(), cuFuncGetParamInfo(function, i, &offset, &size));
    OBSERVE((key + "_offset").c_str(), offset);
    OBSERVE((key + "_size").c_str(), size);
  }
  OBSERVE("param_no_size", cuFuncGetParamInfo(function, 1, &offset, nullptr));
  OBSERVE("param_no_offset", cuFuncGetParamInfo(function, 1, nullptr, &size));
  OBSERVE("param_null_function", cuFuncGetParamInfo(nullptr, 0, &offset, &size));
  const char* name = nullptr;
  OBSERVE("name", cuFuncGetName(&name, function));
  OBSERVE("name_null", cuFuncGetName(nullptr, function));
  OBSERVE("name_null_function", cuFuncGetName(&name, nullptr));
  CUmodule owner = nullptr;
  OBSERVE("module", cuFuncGetModule(&owner, function));
  OBSERVE("module_there", owner != nullptr);
  OBSERVE("module_null", cuFuncGetModule(nullptr, function));
  OBSERVE("module_null_function", cuFuncGetModule(&owner, nullptr));
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  OBSERVE("loaded", cuFuncIsLoaded(&state, function));
  OBSERVE("loaded_value", static_cast<int>(state));
  OBSERVE("loaded_null", cuFuncIsLoaded(nullptr, function));
  OBSERVE("load", cuFuncLoad(function));
  OBSERVE("load_null_function", cuFuncLoad(nullptr));
  CUfunction same = nullptr;
  OBSERVE("lookup_missing", cuModuleGetFunction(&same, owner, "noSuchKernel"));
  OBSERVE("lookup_null_name", cuModuleGetFunction(&same, owner, nullptr));
  OBSERVE("lookup_null", cuModuleGetFunction(nullptr, owner, "noSuchKernel"));
  OBSERVE("lookup_empty", cuModuleGetFunction(&same, owner, ""));
  CUdeviceptr variable = 0;
  size_t bytes = 0;
  OBSERVE("global_missing", cuModuleGetGlobal(&variable, &bytes, owner, "noSuchVariable"));
  OBSERVE("global_null_name", cuModuleGetGlobal(&variable, &bytes, owner, nullptr));
  unsigned functions = 0;
  OBSERVE("function_count", cuModuleGetFunctionCount(&functions, owner));
  OBSERVE("function_count_value", functions);
  OBSERVE("function_count_null", cuModuleGetFunctionCount(nullptr, owner));
  CUfunction all[4] = {};
  OBSERVE("enumerate", cuModuleEnumerateFunctions(all, functions, owner));
  OBSERVE("enumerate_null", cuModuleEnumerateFunctions(nullptr, functions, owner));
  OBSERVE("enumerate_none", cuModuleEnumerateFunctions(all, 0, owner));

  // Kernels of libraries, by null handles.
  CUkernel kernel = nullptr;
  OBSERVE("kernel_null_library", cuLibraryGetKernel(&kernel, nullptr, "addTwo"));
  OBSERVE("kernel_count_null_library", cuLibraryGetKernelCount(&functions, nullptr));
  OBSERVE("library_module_null", cuLibraryGetModule(&owner, nullptr));
  OBSERVE("library_global_null", cuLibraryGetGlobal(&variable, &bytes, nullptr, "x"));
  OBSERVE("kernel_function_null", cuKernelGetFunction(&function, nullptr));
  OBSERVE("kernel_name_null", cuKernelGetName(&name, nullptr));
  OBSERVE("kernel_library_null", cuKernelGetLibrary(&library, nullptr));
  OBSERVE("kernel_param_null", cuKernelGetParamInfo(nullptr, 0, &offset, &size));
  int value = 0;
  OBSERVE("kernel_attribute_null", cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr, 0));
  OBSERVE("last", cuCtxSynchronize());
}
