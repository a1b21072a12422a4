// links: cufft
// cuFFT's extended interface on one GPU: descriptors of memory, plans of types, half precision, properties,
// statuses.
#include <cuda_fp16.h>
#include <cufftXt.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("fft.descriptors");

static int code(cufftResult status) { return static_cast<int>(status); }

static std::string rounded(const std::vector<float2>& values) {
  std::string all;
  for (const float2 value : values)
    all += observedText(roundf(value.x)) + "," + observedText(roundf(value.y)) + " ";
  return all;
}

static const int kSize = 8;

static void observeDescriptors() {
  cufftHandle plan = 0;
  size_t work = 77;
  int gpus[] = {0, 1};
  cudaLibXtDesc *data = nullptr, *more = nullptr;
  std::vector<float2> host(kSize * kSize);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = make_float2(static_cast<float>(i % 5), static_cast<float>(i % 3));
  OBSERVE("create", code(cufftCreate(&plan)));
  OBSERVE("gpus.none", code(cufftXtSetGPUs(plan, 0, gpus)));
  OBSERVE("destroy.first", code(cufftDestroy(plan)));
  cufftCreate(&plan);
  OBSERVE("gpus.one", code(cufftXtSetGPUs(plan, 1, gpus)));
  OBSERVE("make", code(cufftMakePlan2d(plan, kSize, kSize, CUFFT_C2C, &work)));
  OBSERVE("malloc", code(cufftXtMalloc(plan, &data, CUFFT_XT_FORMAT_INPLACE)));
  if (data) {
    OBSERVE("descriptor.gpus", data->descriptor->nGPUs);
    OBSERVE("descriptor.gpu", data->descriptor->GPUs[0]);
    OBSERVE("descriptor.size", data->descriptor->size[0]);
    OBSERVE("descriptor.format", static_cast<int>(data->subFormat));
    OBSERVE("to_device", code(cufftXtMemcpy(plan, data, host.data(), CUFFT_COPY_HOST_TO_DEVICE)));
    OBSERVE("exec", code(cufftXtExecDescriptorC2C(plan, data, data, CUFFT_FORWARD)));
    OBSERVE("to_host", code(cufftXtMemcpy(plan, host.data(), data, CUFFT_COPY_DEVICE_TO_HOST)));
    OBSERVE("result", rounded(host));
    OBSERVE("exec.general", code(cufftXtExecDescriptor(plan, data, data, CUFFT_INVERSE)));
    OBSERVE("malloc.more", code(cufftXtMalloc(plan, &more, CUFFT_XT_FORMAT_INPLACE)));
    OBSERVE("to_other", code(cufftXtMemcpy(plan, more, data, CUFFT_COPY_DEVICE_TO_DEVICE)));
    OBSERVE("to_host.again", code(cufftXtMemcpy(plan, host.data(), more, CUFFT_COPY_DEVICE_TO_HOST)));
    OBSERVE("result.again", rounded(host));
    OBSERVE("free", code(cufftXtFree(data)));
    OBSERVE("free.more", code(cufftXtFree(more)));
  }
  OBSERVE("destroy", code(cufftDestroy(plan)));
}

struct Types {
  const char* name;
  cudaDataType in, out, execution;
};
static const Types kTypes[] = {
    {"C2C", CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},      {"Z2Z", CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {"R2C", CUDA_R_32F, CUDA_C_32F, CUDA_C_32F},      {"C2R", CUDA_C_32F, CUDA_R_32F, CUDA_C_32F},
    {"D2Z", CUDA_R_64F, CUDA_C_64F, CUDA_C_64F},      {"Z2D", CUDA_C_64F, CUDA_R_64F, CUDA_C_64F},
    {"half", CUDA_C_16F, CUDA_C_16F, CUDA_C_16F},     {"half.R2C", CUDA_R_16F, CUDA_C_16F, CUDA_C_16F},
    {"half.C2R", CUDA_C_16F, CUDA_R_16F, CUDA_C_16F}, {"bfloat", CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF},
    {"mixed", CUDA_C_32F, CUDA_C_64F, CUDA_C_32F},    {"execution", CUDA_C_32F, CUDA_C_32F, CUDA_C_64F},
    {"real", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F}};

static void observeTypes() {
  for (const Types& t : kTypes)
    for (const long long size : {8ll, 6ll, 0ll}) {
      const std::string key = std::string("types.") + t.name + "." + std::to_string(size);
      cufftHandle plan = 0;
      cufftCreate(&plan);
      size_t work = 77;
      long long n[] = {size};
      const cufftResult status = cufftXtMakePlanMany(plan, 1, n, nullptr, 1, size, t.in, nullptr, 1, size,
                                                     t.out, 2, &work, t.execution);
      OBSERVE(key, code(status));
      DeviceValues<double> data(64);
      if (status == CUFFT_SUCCESS) OBSERVE(key + ".exec", code(cufftXtExec(plan, data, data, CUFFT_FORWARD)));
      OBSERVE(key + ".size", code(cufftXtGetSizeMany(plan, 1, n, nullptr, 1, size, t.in, nullptr, 1, size,
                                                     t.out, 2, &work, t.execution)));
      cufftDestroy(plan);
    }
  std::vector<__half2> values(16);
  for (int i = 0; i < 16; ++i)
    values[i] = __floats2half2_rn(static_cast<float>(i % 5), static_cast<float>(i % 3));
  DeviceValues<__half2> data(values);
  cufftHandle plan = 0;
  cufftCreate(&plan);
  size_t work = 0;
  long long n[] = {8};
  OBSERVE("half.make", code(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 8, CUDA_C_16F, nullptr, 1, 8,
                                                CUDA_C_16F, 2, &work, CUDA_C_16F)));
  OBSERVE("half.exec", code(cufftXtExec(plan, data, data, CUFFT_FORWARD)));
  std::string all;
  for (const __half2 value : data.get())
    all += observedText(rintf(__low2float(value) * 4) / 4) + "," +
           observedText(rintf(__high2float(value) * 4) / 4) + " ";
  OBSERVE("half.result", all);
  cufftDestroy(plan);
}

int main() {
  observeDescriptors();
  observeTypes();
  cufftHandle plan = 0;
  cufftCreate(&plan);
  long long value = 77;
  OBSERVE("property.get", code(cufftGetPlanPropertyInt64(plan, static_cast<cufftProperty>(99), &value)));
  OBSERVE("property.set", code(cufftSetPlanPropertyInt64(plan, static_cast<cufftProperty>(99), 1)));
  OBSERVE("policy", code(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_MINIMAL, nullptr)));
  OBSERVE("policy.none",
          code(cufftXtSetWorkAreaPolicy(plan, static_cast<cufftXtWorkAreaPolicy>(9), nullptr)));
  cufftDestroy(plan);
}
