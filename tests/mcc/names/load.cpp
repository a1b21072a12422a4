// Loads the module that it is given and runs its kernel `fill`.
#include <musa.h>

int main(int, char** arguments) {
  MUdevice device;
  MUcontext context;
  MUmodule module;
  MUfunction fill;
  MUdeviceptr memory;
  int host[4] = {};
  void* parameters[] = {&memory};
  const bool good = muInit(0) == MUSA_SUCCESS && muDeviceGet(&device, 0) == MUSA_SUCCESS &&
                    muCtxCreate(&context, 0, device) == MUSA_SUCCESS &&
                    muModuleLoad(&module, arguments[1]) == MUSA_SUCCESS &&
                    muModuleGetFunction(&fill, module, "fill") == MUSA_SUCCESS &&
                    muMemAlloc(&memory, sizeof host) == MUSA_SUCCESS &&
                    muLaunchKernel(fill, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr) == MUSA_SUCCESS &&
                    muMemcpyDtoH(host, memory, sizeof host) == MUSA_SUCCESS;
  return good && host[3] == 9 ? 0 : 1;
}
