// What device code sees, and what the runtime, the driver, NVRTC and NVML say of it and of the devices.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nv/target>
#include <nvml.h>
#include <nvrtc.h>
#include <string.h>

#include "answers.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

template <int kArch>
struct Policy {
  static constexpr int arch = kArch;
};

__device__ int arch_500() { return 500; }
__device__ int arch_700() { return 700; }
__device__ int arch_750() { return 750; }
__device__ int arch_800() { return 800; }
__device__ int arch_860() { return 860; }
__device__ int arch_890() { return 890; }

struct Seen {
  int value, list, pasted, templated, steps, equal, target, exact, major, minor;
};

__global__ void look(Seen* seen) {
#ifdef __CUDA_ARCH__
  seen->value = __CUDA_ARCH__;
  seen->pasted = JOIN(arch_, __CUDA_ARCH__)();
  seen->templated = Policy<__CUDA_ARCH__>::arch;
#if __CUDA_ARCH__ == 800
  seen->equal = 800;
#endif
#if __CUDA_ARCH__ >= 890
  seen->steps = 890;
#elif __CUDA_ARCH__ >= 860
  seen->steps = 860;
#elif __CUDA_ARCH__ > 750
  seen->steps = 800;
#elif 700 < __CUDA_ARCH__
  seen->steps = 750;
#elif __CUDA_ARCH__ / 100 == 7
  seen->steps = 700;
#else
  seen->steps = 500;
#endif
#endif
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_86, (seen->target = 86;), (seen->target = 80;))
  NV_IF_ELSE_TARGET(NV_IS_EXACTLY_SM_80, (seen->exact = 80;), (seen->exact = 86;))
  seen->list = __CUDA_ARCH_LIST__;
  cudaDeviceGetAttribute(&seen->major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&seen->minor, cudaDevAttrComputeCapabilityMinor, 0);
}

__global__ void store(int* out) { *out = 1; }

static void askDeviceCode() {
  Seen* seen;
  require("cudaMallocManaged", cudaMallocManaged(&seen, sizeof *seen));
  memset(seen, 0, sizeof *seen);
  look<<<1, 1>>>(seen);
  require("look", cudaDeviceSynchronize());
  expect("__CUDA_ARCH__", seen->value / 10);
  expect("__CUDA_ARCH_LIST__ in device code", seen->list / 10);
  expect("__CUDA_ARCH_LIST__ in host code", __CUDA_ARCH_LIST__ / 10);
  expect("__CUDA_ARCH__ pasted", seen->pasted / 10);
  expect("__CUDA_ARCH__ as an argument of a template", seen->templated / 10);
  expect("__CUDA_ARCH__ compared", seen->steps / 10);
  if ((seen->equal == 800) != (expected == 80)) expect("__CUDA_ARCH__ == 800", seen->equal / 10);
  expect("<nv/target>", seen->target);
  expect("<nv/target>, exactly", seen->exact);
  expect("cudaDeviceGetAttribute in device code", 10 * seen->major + seen->minor);
  require("cudaFree", cudaFree(seen));
}

static void askRuntime() {
  cudaDeviceProp properties;
  require("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
  expect("cudaGetDeviceProperties", 10 * properties.major + properties.minor);
  int major, minor;
  auto* const ask = &cudaDeviceGetAttribute;
  require("cudaDeviceGetAttribute", ask(&major, cudaDevAttrComputeCapabilityMajor, 0));
  require("cudaDeviceGetAttribute", ask(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  expect("cudaDeviceGetAttribute", 10 * major + minor);
  cudaFuncAttributes attributes;
  require("cudaFuncGetAttributes", cudaFuncGetAttributes(&attributes, store));
  expect("ptxVersion", attributes.ptxVersion);
  expect("binaryVersion", attributes.binaryVersion);
  require("cudaFuncGetAttributes", cudaFuncGetAttributes(&attributes, (const void*)look));
  expect("ptxVersion by an address", attributes.ptxVersion);
}

static void askDriver() {
  require("cuInit", cuInit(0));
  CUdevice device;
  require("cuDeviceGet", cuDeviceGet(&device, 0));
  int major, minor;
  require("cuDeviceGetAttribute", cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  require("cuDeviceGetAttribute", cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  expect("cuDeviceGetAttribute", 10 * major + minor);
  require("cuDeviceComputeCapability", cuDeviceComputeCapability(&major, &minor, device));
  expect("cuDeviceComputeCapability", 10 * major + minor);
  cudaFunction_t function;
  require("cudaGetFuncBySymbol", cudaGetFuncBySymbol(&function, (const void*)store));
  int version;
  require("cuFuncGetAttribute", cuFuncGetAttribute(&version, CU_FUNC_ATTRIBUTE_PTX_VERSION, function));
  expect("cuFuncGetAttribute", version);

  using Ask = CUresult (*)(int*, CUdevice_attribute, CUdevice);
  void* entry = nullptr;
  require("cuGetProcAddress", cuGetProcAddress("cuDeviceGetAttribute", &entry, 12000, 0, nullptr));
  require("the driver's entry", ((Ask)entry)(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  require("cudaGetDriverEntryPoint", cudaGetDriverEntryPoint("cuDeviceGetAttribute", &entry, cudaEnableDefault, nullptr));
  require("the driver's entry", ((Ask)entry)(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  expect("cuGetProcAddress and cudaGetDriverEntryPoint", 10 * major + minor);
  entry = dlsym(RTLD_DEFAULT, "cudaDeviceGetAttribute");
  if (!entry) require("dlsym", 1);
  using AskRuntime = cudaError_t (*)(int*, cudaDeviceAttr, int);
  require("the runtime's entry", ((AskRuntime)entry)(&major, cudaDevAttrComputeCapabilityMajor, 0));
  expect("dlsym", 10 * major + minor);
}

static void askCompiler() {
  int count;
  require("nvrtcGetNumSupportedArchs", nvrtcGetNumSupportedArchs(&count));
  int* archs = (int*)malloc(count * sizeof *archs);
  require("nvrtcGetSupportedArchs", nvrtcGetSupportedArchs(archs));
  expect("nvrtcGetSupportedArchs", archs[count - 1]);

  nvrtcProgram program;
  require("nvrtcCreateProgram",
          nvrtcCreateProgram(&program, "extern \"C\" __global__ void k(int* out) { *out = __CUDA_ARCH__ / 10; }", "k.cu", 0,
                             nullptr, nullptr));
  char option[40];
  snprintf(option, sizeof option, "--gpu-architecture=compute_%d", archs[count - 1]);
  const char* options[] = {option};
  require("nvrtcCompileProgram", nvrtcCompileProgram(program, 1, options));
  size_t size;
  require("nvrtcGetPTXSize", nvrtcGetPTXSize(program, &size));
  char* code = (char*)malloc(size);
  require("nvrtcGetPTX", nvrtcGetPTX(program, code));
  CUmodule module;
  CUfunction function;
  require("cuModuleLoadData", cuModuleLoadData(&module, code));
  require("cuModuleGetFunction", cuModuleGetFunction(&function, module, "k"));
  int version;
  require("cuFuncGetAttribute", cuFuncGetAttribute(&version, CU_FUNC_ATTRIBUTE_BINARY_VERSION, function));
  expect("cuFuncGetAttribute of NVRTC's code", version);
  int* out;
  require("cudaMallocManaged", cudaMallocManaged(&out, sizeof *out));
  void* arguments[] = {&out};
  require("cuLaunchKernel", cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  require("k", cudaDeviceSynchronize());
  expect("__CUDA_ARCH__ of NVRTC", *out);
  CUlibrary library;
  CUkernel kernel;
  require("cuLibraryLoadData", cuLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  require("cuLibraryGetKernel", cuLibraryGetKernel(&kernel, library, "k"));
  require("cuKernelGetAttribute", cuKernelGetAttribute(&version, CU_FUNC_ATTRIBUTE_PTX_VERSION, kernel, 0));
  expect("cuKernelGetAttribute", version);
}

static void askManagement() {
  require("nvmlInit", nvmlInit_v2());
  nvmlDevice_t device;
  require("nvmlDeviceGetHandleByIndex", nvmlDeviceGetHandleByIndex_v2(0, &device));
  int major, minor;
  require("nvmlDeviceGetCudaComputeCapability", nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
  expect("nvmlDeviceGetCudaComputeCapability", 10 * major + minor);
  require("nvmlShutdown", nvmlShutdown());
}

int main(int, char** arguments) {
  expected = atoi(arguments[1]);
  askDeviceCode();
  askRuntime();
  askDriver();
  askCompiler();
  askManagement();
  printf("%d wrong\n", wrong);
  return wrong;
}
