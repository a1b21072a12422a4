// Functions by their symbols: parameters, names, handles.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.function_parameters");

struct Three {
  char bytes[3];
};

__global__ void mixed(char a, double b, Three c, int* d) { *d = a + static_cast<int>(b) + c.bytes[2]; }
__global__ void none() {}
static void ordinary() {}

int main() {
  size_t offset = 99;
  size_t size = 99;
  const void* kernel = reinterpret_cast<const void*>(mixed);
  for (size_t i = 0; i < 4; ++i) {
    const std::string name = "parameter_" + std::to_string(i);
    OBSERVE(name, cudaFuncGetParamInfo(kernel, i, &offset, &size));
    OBSERVE(name + "_offset", offset);
    OBSERVE(name + "_size", size);
  }
  OBSERVE("parameter_4", cudaFuncGetParamInfo(kernel, 4, &offset, &size));
  OBSERVE("no_parameters", cudaFuncGetParamInfo(reinterpret_cast<const void*>(none), 0, &offset, &size));
  OBSERVE("null_offset", cudaFuncGetParamInfo(kernel, 0, nullptr, &size));
  OBSERVE("null_size", cudaFuncGetParamInfo(kernel, 0, &offset, nullptr));
  OBSERVE("null_function", cudaFuncGetParamInfo(nullptr, 0, &offset, &size));
  OBSERVE("no_kernel", cudaFuncGetParamInfo(reinterpret_cast<const void*>(ordinary), 0, &offset, &size));
  cudaGetLastError();
  const char* name = nullptr;
  OBSERVE("name", cudaFuncGetName(&name, kernel));
  OBSERVE("name_text", name);
  OBSERVE("name_null", cudaFuncGetName(nullptr, kernel));
  OBSERVE("name_of_no_kernel", cudaFuncGetName(&name, reinterpret_cast<const void*>(ordinary)));
  cudaFunction_t function = nullptr;
  OBSERVE("by_symbol", cudaGetFuncBySymbol(&function, kernel));
  OBSERVE("by_symbol_null", cudaGetFuncBySymbol(nullptr, kernel));
  OBSERVE("by_symbol_of_no_kernel", cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(ordinary)));
  OBSERVE("by_symbol_of_null", cudaGetFuncBySymbol(&function, nullptr));
  cudaGetLastError();
}
