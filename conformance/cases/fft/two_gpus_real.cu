// links: cufft
// requires: devices>=2
// One transform between real and complex numbers on two GPUs: what each has of it, orders, results, statuses.
#include <cufftXt.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("fft.two_gpus_real");

static int code(cufftResult status) { return static_cast<int>(status); }

static std::string described(const cudaLibXtDesc* data) {
  std::string all = std::to_string(data->descriptor->nGPUs) + " GPUs:";
  for (int i = 0; i < data->descriptor->nGPUs; ++i) all += " " + std::to_string(data->descriptor->size[i]);
  return all + ", format " + std::to_string(data->subFormat);
}

static std::string rounded(const std::vector<float>& values) {
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    weighted += values[i] * static_cast<double>(i % 11);
  }
  return observedText(round(sum) + 0.0) + " " + observedText(round(weighted) + 0.0);
}

static void transform(const std::string& name, int rank, int n) {
  int gpus[] = {0, 1};
  size_t work[2] = {77, 77};
  const size_t row = 2 * (n / 2 + 1), total = rank == 1 ? row : rank == 2 ? n * row : n * n * row;
  std::vector<float> host(total), result(total);
  for (size_t i = 0; i < total; ++i)
    host[i] = i % row < static_cast<size_t>(n) ? static_cast<float>(i % 5) : 0;
  cufftHandle there = 0, back = 0;
  cufftCreate(&there);
  cufftCreate(&back);
  OBSERVE(name + ".gpus", code(cufftXtSetGPUs(there, 2, gpus)));
  cufftXtSetGPUs(back, 2, gpus);
  const auto make = [&](cufftHandle plan, cufftType type) {
    return rank == 1   ? cufftMakePlan1d(plan, n, type, 1, work)
           : rank == 2 ? cufftMakePlan2d(plan, n, n, type, work)
                       : cufftMakePlan3d(plan, n, n, n, type, work);
  };
  const cufftResult made = make(there, CUFFT_R2C);
  OBSERVE(name + ".make", code(made));
  OBSERVE(name + ".make.back", code(make(back, CUFFT_C2R)));
  if (made == CUFFT_SUCCESS) {
    cudaLibXtDesc* data = nullptr;
    OBSERVE(name + ".malloc", code(cufftXtMalloc(there, &data, CUFFT_XT_FORMAT_INPLACE)));
    if (data != nullptr) {
      OBSERVE(name + ".described", described(data));
      OBSERVE(name + ".to_device", code(cufftXtMemcpy(there, data, host.data(), CUFFT_COPY_HOST_TO_DEVICE)));
      OBSERVE(name + ".forward", code(cufftXtExecDescriptor(there, data, data, CUFFT_FORWARD)));
      OBSERVE(name + ".forward.described", described(data));
      OBSERVE(name + ".to_host", code(cufftXtMemcpy(there, result.data(), data, CUFFT_COPY_DEVICE_TO_HOST)));
      OBSERVE(name + ".result", rounded(result));
      OBSERVE(name + ".inverse", code(cufftXtExecDescriptor(back, data, data, CUFFT_INVERSE)));
      OBSERVE(name + ".inverse.described", described(data));
      OBSERVE(name + ".back", code(cufftXtMemcpy(back, result.data(), data, CUFFT_COPY_DEVICE_TO_HOST)));
      for (size_t i = 0; i < total; ++i) {
        double size = 1;
        for (int axis = 0; axis < rank; ++axis) size *= n;
        result[i] = i % row < static_cast<size_t>(n) ? static_cast<float>(result[i] / size) : 0;
      }
      OBSERVE(name + ".back.result", rounded(result));
      // In the order that belongs to the other way.
      OBSERVE(name + ".inverse.natural", code(cufftXtExecDescriptor(back, data, data, CUFFT_INVERSE)));
      OBSERVE(name + ".free", code(cufftXtFree(data)));
    }
  }
  OBSERVE(name + ".destroy", code(cufftDestroy(there)));
  cufftDestroy(back);
}

int main() {
  transform("line", 1, 1024);
  transform("plane", 2, 32);
  transform("space", 3, 32);
}
