// Programs compiled while the case runs.
#pragma once

#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <string>
#include <vector>

#include "observe.h"

static std::string code(nvrtcResult result) {
  const std::string name = nvrtcGetErrorString(result);
  const size_t place = name.find('_');
  return place == std::string::npos ? name : name.substr(place + 1);  // without the vendor's name
}

// The getters of images, by CUDA's names on both sides: MTRTC's own give another format, in the same way.
static nvrtcResult imageSize(nvrtcProgram program, size_t* size, const std::string& getter = "GetPTXSize") {
  using Function = nvrtcResult (*)(nvrtcProgram, size_t*);
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, (std::string("nv") + "rtc" + getter).c_str()))(
      program, size);
}
static nvrtcResult image(nvrtcProgram program, char* data) {
  using Function = nvrtcResult (*)(nvrtcProgram, char*);
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, (std::string("nv") + "rtcGetPTX").c_str()))(program,
                                                                                                    data);
}

// Keys have no spaces or signs.
static std::string keyOf(const std::string& text) {
  std::string key;
  for (const char c : text) {
    const bool isWord =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    key += isWord ? c : '_';
  }
  return key;
}

struct Compiled {
  nvrtcProgram program = nullptr;
  nvrtcResult result = NVRTC_SUCCESS;

  explicit Compiled(const char* source, std::vector<const char*> options = {},
                    std::vector<const char*> names = {}) {
    result = nvrtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr);
    for (const char* name : names) nvrtcAddNameExpression(program, name);
    if (result == NVRTC_SUCCESS)
      result = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  }
  ~Compiled() { nvrtcDestroyProgram(&program); }

  std::string lowered(const char* name) const {
    const char* found = nullptr;
    const nvrtcResult looked = nvrtcGetLoweredName(program, name, &found);
    return looked == NVRTC_SUCCESS ? found : code(looked);
  }
  bool hasLog() const {
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    return size > 1;
  }

  // What a kernel without name mangling, `extern "C" __global__ void f(int* out)`, has left in out[0]; or
  // what went wrong.
  std::string run() const {
    if (result != NVRTC_SUCCESS) return code(result);
    size_t size = 0;
    imageSize(program, &size);
    std::string text(size, '\0');
    image(program, text.data());
    int* out = nullptr;
    SETUP(cudaMalloc(&out, sizeof(int)));
    SETUP(cudaMemset(out, 0, sizeof(int)));
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    if (cuModuleLoadData(&module, text.c_str()) != CUDA_SUCCESS) return "not loaded";
    if (cuModuleGetFunction(&function, module, "f") != CUDA_SUCCESS) return "no function";
    void* arguments[] = {&out};
    if (cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS)
      return "not launched";
    int value = 0;
    SETUP(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
    cuModuleUnload(module);
    cudaFree(out);
    return std::to_string(value);
  }
};
