// A program of NVRTC and the driver API, as CUDA's documentation has them, linked by g++.
#define NVRTC_GET_TYPE_NAME 1
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

#define CHECK(call) \
  if ((call) != 0) return std::printf("%s failed\n", #call), 1

static const char* const kSource =
    "#include \"scale.cuh\"\n"
    "template <class T> __global__ void scaled(T* values, int count) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < count) values[i] = scale(values[i]);\n"
    "}\n";
static const char* const kHeader =
    "#include <cuda_fp16.h>\n"
    "template <class T> __device__ T scale(T value) { return value * T(2); }\n";

int main() {
  CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));

  nvrtcProgram program;
  const char* const name = "scale.cuh";
  CHECK(nvrtcCreateProgram(&program, kSource, "scaled.cu", 1, &kHeader, &name));
  std::string type;
  CHECK(nvrtcGetTypeName<float>(&type));
  const std::string kernel = "scaled<" + type + ">";
  CHECK(nvrtcAddNameExpression(program, kernel.c_str()));
  const char* const options[] = {"--gpu-architecture=compute_75", "--std=c++17", "-lineinfo"};
  if (nvrtcCompileProgram(program, 3, options) != NVRTC_SUCCESS) {
    size_t size = 0;
    CHECK(nvrtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    CHECK(nvrtcGetProgramLog(program, &log[0]));
    return std::printf("%s\n", log.c_str()), 1;
  }
  const char* lowered = nullptr;
  CHECK(nvrtcGetLoweredName(program, kernel.c_str(), &lowered));
  size_t size = 0;
  CHECK(nvrtcGetPTXSize(program, &size));
  std::vector<char> ptx(size);
  CHECK(nvrtcGetPTX(program, ptx.data()));

  CUlinkState linker;
  void* cubin = nullptr;
  size_t cubinSize = 0;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &linker));
  CHECK(cuLinkAddData(linker, CU_JIT_INPUT_PTX, ptx.data(), size, "scaled.ptx", 0, nullptr, nullptr));
  CHECK(cuLinkComplete(linker, &cubin, &cubinSize));
  CUmodule module;
  CUfunction function;
  CHECK(cuModuleLoadDataEx(&module, cubin, 0, nullptr, nullptr));
  CHECK(cuLinkDestroy(linker));
  CHECK(cuModuleGetFunction(&function, module, lowered));
  CHECK(nvrtcDestroyProgram(&program));

  int count = 1000;
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = float(i);
  CUdeviceptr memory;
  CHECK(cuMemAlloc(&memory, count * sizeof(float)));
  CHECK(cuMemcpyHtoD(memory, values.data(), count * sizeof(float)));
  void* arguments[] = {&memory, &count};
  CHECK(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(values.data(), memory, count * sizeof(float)));
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += values[i] != 2.0f * float(i);
  std::printf("%d wrong\n", wrong);
}
