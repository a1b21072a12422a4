// links: cufft
// requires: devices>=2
// One transform on two GPUs: what each has of it, copies, orders of the result, statuses.
#include <cufftXt.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("fft.two_gpus");

static int code(cufftResult status) { return static_cast<int>(status); }

static std::string rounded(const std::vector<float2>& values) {
  double sums[3] = {0, 0, 0};
  for (size_t i = 0; i < values.size(); ++i) {
    sums[0] += values[i].x;
    sums[1] += values[i].y;
    sums[2] += values[i].x * static_cast<double>(i % 11) + values[i].y * static_cast<double>(i % 7);
  }
  std::string all;
  for (const double sum : sums) all += observedText(round(sum) + 0.0) + " ";
  return all;
}

static std::string described(const cudaLibXtDesc* data) {
  std::string all = std::to_string(data->descriptor->nGPUs) + " GPUs:";
  for (int i = 0; i < data->descriptor->nGPUs; ++i)
    all +=
        " " + std::to_string(data->descriptor->GPUs[i]) + " has " + std::to_string(data->descriptor->size[i]);
  return all + ", format " + std::to_string(data->subFormat);
}

static void transform(const std::string& name, int rank, int n, cufftXtSubFormat format) {
  int gpus[] = {0, 1};
  size_t work[2] = {77, 77}, total = rank == 1 ? n : rank == 2 ? n * n : n * n * n;
  std::vector<float2> host(total);
  for (size_t i = 0; i < total; ++i)
    host[i] = make_float2(static_cast<float>(i % 5), static_cast<float>(i % 3));
  cufftHandle plan = 0;
  OBSERVE(name + ".create", code(cufftCreate(&plan)));
  OBSERVE(name + ".gpus", code(cufftXtSetGPUs(plan, 2, gpus)));
  const cufftResult made = rank == 1   ? cufftMakePlan1d(plan, n, CUFFT_C2C, 1, work)
                           : rank == 2 ? cufftMakePlan2d(plan, n, n, CUFFT_C2C, work)
                                       : cufftMakePlan3d(plan, n, n, n, CUFFT_C2C, work);
  OBSERVE(name + ".make", code(made));
  if (made == CUFFT_SUCCESS) {
    cudaLibXtDesc *data = nullptr, *natural = nullptr;
    OBSERVE(name + ".malloc", code(cufftXtMalloc(plan, &data, format)));
    OBSERVE(name + ".described", described(data));
    OBSERVE(name + ".to_device", code(cufftXtMemcpy(plan, data, host.data(), CUFFT_COPY_HOST_TO_DEVICE)));
    OBSERVE(name + ".forward", code(cufftXtExecDescriptorC2C(plan, data, data, CUFFT_FORWARD)));
    OBSERVE(name + ".forward.described", described(data));
    OBSERVE(name + ".malloc.natural", code(cufftXtMalloc(plan, &natural, CUFFT_XT_FORMAT_INPLACE)));
    OBSERVE(name + ".to_natural", code(cufftXtMemcpy(plan, natural, data, CUFFT_COPY_DEVICE_TO_DEVICE)));
    OBSERVE(name + ".natural.described", described(natural));
    std::vector<float2> result(total);
    OBSERVE(name + ".to_host", code(cufftXtMemcpy(plan, result.data(), data, CUFFT_COPY_DEVICE_TO_HOST)));
    OBSERVE(name + ".result", rounded(result));
    OBSERVE(name + ".inverse", code(cufftXtExecDescriptorC2C(plan, data, data, CUFFT_INVERSE)));
    OBSERVE(name + ".inverse.described", described(data));
    OBSERVE(name + ".back", code(cufftXtMemcpy(plan, result.data(), data, CUFFT_COPY_DEVICE_TO_HOST)));
    for (float2& value : result) value = make_float2(value.x / total, value.y / total);
    OBSERVE(name + ".back.result", rounded(result));
    OBSERVE(name + ".free", code(cufftXtFree(data)));
    OBSERVE(name + ".free.natural", code(cufftXtFree(natural)));
  }
  OBSERVE(name + ".destroy", code(cufftDestroy(plan)));
}

int main() {
  transform("line", 1, 1024, CUFFT_XT_FORMAT_INPLACE);
  transform("plane", 2, 32, CUFFT_XT_FORMAT_INPLACE);
  transform("space", 3, 32, CUFFT_XT_FORMAT_INPLACE);
  transform("short_line", 1, 30, CUFFT_XT_FORMAT_INPLACE);
  cufftHandle plan = 0;
  size_t work[2];
  int gpus[] = {1, 0}, same[] = {0, 0}, none[] = {0, 7};
  cufftCreate(&plan);
  OBSERVE("gpus.same", code(cufftXtSetGPUs(plan, 2, same)));
  OBSERVE("gpus.none", code(cufftXtSetGPUs(plan, 2, none)));
  OBSERVE("gpus.negative", code(cufftXtSetGPUs(plan, -1, gpus)));
  OBSERVE("gpus.other_order", code(cufftXtSetGPUs(plan, 2, gpus)));
  OBSERVE("gpus.again", code(cufftXtSetGPUs(plan, 2, gpus)));
  OBSERVE("batch", code(cufftMakePlan1d(plan, 64, CUFFT_C2C, 4, work)));
  OBSERVE("gpus.late", code(cufftXtSetGPUs(plan, 2, gpus)));
  OBSERVE("destroy", code(cufftDestroy(plan)));
}
