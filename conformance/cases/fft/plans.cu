// links: cufft
// Status codes of plans: sizes, ranks, types and batches that there are not, embeddings, sizes of work,
// handles.
#include <cufft.h>
#include <cufftXt.h>

#include <cstdint>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("fft.plans");

static int code(cufftResult status) { return static_cast<int>(status); }

static void observePlan(const std::string& key, cufftResult status, const cufftHandle& plan) {
  OBSERVE(key, code(status));
  if (status == CUFFT_SUCCESS) OBSERVE(key + ".destroy", code(cufftDestroy(plan)));
}

static const cufftType kTypes[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};
static const char* const kNames[] = {"C2C", "R2C", "C2R", "Z2Z", "D2Z", "Z2D"};

int main() {
  cufftHandle plan = 0;
  for (int i = 0; i < 6; ++i) {
    const std::string name = std::string(".") + kNames[i];
    observePlan("plan1d.8" + name, cufftPlan1d(&plan, 8, kTypes[i], 1), plan);
    observePlan("plan1d.7" + name, cufftPlan1d(&plan, 7, kTypes[i], 3), plan);
    observePlan("plan1d.1" + name, cufftPlan1d(&plan, 1, kTypes[i], 1), plan);
    observePlan("plan1d.0" + name, cufftPlan1d(&plan, 0, kTypes[i], 1), plan);
    observePlan("plan1d.negative" + name, cufftPlan1d(&plan, -4, kTypes[i], 1), plan);
    observePlan("plan1d.no_batch" + name, cufftPlan1d(&plan, 8, kTypes[i], 0), plan);
    observePlan("plan1d.negative_batch" + name, cufftPlan1d(&plan, 8, kTypes[i], -1), plan);
    observePlan("plan2d" + name, cufftPlan2d(&plan, 4, 6, kTypes[i]), plan);
    observePlan("plan2d.none" + name, cufftPlan2d(&plan, 4, 0, kTypes[i]), plan);
    observePlan("plan3d" + name, cufftPlan3d(&plan, 4, 6, 5, kTypes[i]), plan);
    observePlan("plan3d.negative" + name, cufftPlan3d(&plan, 4, -6, 5, kTypes[i]), plan);
  }
  observePlan("plan1d.type", cufftPlan1d(&plan, 8, static_cast<cufftType>(1), 1), plan);
  observePlan("plan1d.no_place", cufftPlan1d(nullptr, 8, CUFFT_C2C, 1), 0);
  int sizes[] = {4, 6, 5, 3}, embed[] = {4, 8, 5, 3}, small[] = {4, 2, 5, 3};
  for (int rank = 0; rank <= 4; ++rank) {
    observePlan("many.rank." + std::to_string(rank),
                cufftPlanMany(&plan, rank, sizes, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 2), plan);
  }
  observePlan("many.embedded", cufftPlanMany(&plan, 2, sizes, embed, 1, 32, embed, 1, 32, CUFFT_C2C, 2),
              plan);
  observePlan("many.small_embedding",
              cufftPlanMany(&plan, 2, sizes, small, 1, 32, small, 1, 32, CUFFT_C2C, 2), plan);
  observePlan("many.step_zero", cufftPlanMany(&plan, 2, sizes, embed, 0, 32, embed, 0, 32, CUFFT_C2C, 2),
              plan);
  observePlan("many.negative_step", cufftPlanMany(&plan, 2, sizes, embed, -1, 32, embed, 1, 32, CUFFT_C2C, 2),
              plan);
  observePlan("many.no_sizes", cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 2),
              plan);
  observePlan("many.no_batch", cufftPlanMany(&plan, 1, sizes, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 0),
              plan);

  OBSERVE("create", code(cufftCreate(&plan)));
  size_t work = 77;
  DeviceValues<float2> data(64), into(64);
  OBSERVE("unplanned.exec", code(cufftExecC2C(plan, data, into, CUFFT_FORWARD)));
  OBSERVE("unplanned.size", code(cufftGetSize(plan, &work)));
  OBSERVE("make", code(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work)));
  OBSERVE("make.again", code(cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &work)));
  OBSERVE("exec", code(cufftExecC2C(plan, data, into, CUFFT_FORWARD)));
  OBSERVE("exec.direction", code(cufftExecC2C(plan, data, into, 5)));
  DeviceValues<double2> wide(64);
  OBSERVE("exec.other_type", code(cufftExecZ2Z(plan, wide, wide, CUFFT_FORWARD)));
  // Is it the plan's transform that runs?
  std::vector<float2> numbers(64);
  for (size_t i = 0; i < 64; ++i) numbers[i] = {static_cast<float>(i % 5), static_cast<float>(i % 3)};
  DeviceValues<float2> other(64);
  data.set(numbers);
  into.set(std::vector<float2>(64));
  other.set(std::vector<float2>(64));
  cufftExecC2C(plan, data, into, CUFFT_FORWARD);
  cufftExecZ2Z(plan, reinterpret_cast<double2*>(static_cast<float2*>(data)),
               reinterpret_cast<double2*>(static_cast<float2*>(other)), CUFFT_FORWARD);
  const std::vector<float2> expected = into.get(), seen = other.get();
  bool same = true, some = false;
  for (size_t i = 0; i < 8; ++i) {
    same = same && expected[i].x == seen[i].x && expected[i].y == seen[i].y;
    some = some || seen[i].x != 0;
  }
  OBSERVE("exec.other_type.as_planned", same);
  OBSERVE("exec.other_type.wrote", some);
  OBSERVE("exec.real_type",
          code(cufftExecR2C(plan, reinterpret_cast<float*>(static_cast<float2*>(data)), into)));
  OBSERVE("stream.null", code(cufftSetStream(plan, nullptr)));
  OBSERVE("auto_allocation", code(cufftSetAutoAllocation(plan, 0)));
  OBSERVE("destroy", code(cufftDestroy(plan)));
  OBSERVE("destroy.again", code(cufftDestroy(plan)));
  OBSERVE("exec.destroyed", code(cufftExecC2C(plan, data, into, CUFFT_FORWARD)));
  OBSERVE("stream.destroyed", code(cufftSetStream(plan, nullptr)));
  OBSERVE("size.destroyed", code(cufftGetSize(plan, &work)));
  // A number in CUDA, and what it is ported to is a pointer.
  OBSERVE("destroy.invented", code(cufftDestroy((cufftHandle)(intptr_t)12345)));
  OBSERVE("size.no_place", code(cufftGetSize1d(plan, 8, CUFFT_C2C, 1, nullptr)));
  OBSERVE("estimate.no_place", code(cufftEstimate1d(8, CUFFT_C2C, 1, nullptr)));
  // Plans of nothing.
  for (int i = 0; i < 6; ++i) {
    const std::string name = std::string(".") + kNames[i];
    OBSERVE("estimate.none" + name, code(cufftEstimate2d(4, 0, kTypes[i], &work)));
    OBSERVE("estimate.negative" + name, code(cufftEstimate3d(4, -6, 5, kTypes[i], &work)));
    OBSERVE("estimate.first" + name, code(cufftEstimate3d(0, 6, 5, kTypes[i], &work)));
  }
  OBSERVE("nothing.create", code(cufftPlan2d(&plan, 4, 0, CUFFT_C2C)));
  OBSERVE("nothing.size", code(cufftGetSize(plan, &work)));
  OBSERVE("nothing.size.no_place", code(cufftGetSize(plan, nullptr)));
  into.set(std::vector<float2>(64));
  OBSERVE("nothing.exec", code(cufftExecC2C(plan, data, into, CUFFT_FORWARD)));
  std::string wrote;
  const std::vector<float2> afterwards = into.get();
  for (size_t i = 0; i < 8; ++i)
    wrote += observedText(roundf(afterwards[i].x)) + "," + observedText(roundf(afterwards[i].y)) + " ";
  OBSERVE("nothing.result", wrote);
  OBSERVE("nothing.destroy", code(cufftDestroy(plan)));
  OBSERVE("negative.create", code(cufftPlan3d(&plan, 4, -6, 2, CUFFT_C2C)));
  into.set(std::vector<float2>(64));
  OBSERVE("negative.exec", code(cufftExecC2C(plan, data, into, CUFFT_FORWARD)));
  wrote.clear();
  const std::vector<float2> finally = into.get();
  for (size_t i = 0; i < 12; ++i)
    wrote += observedText(roundf(finally[i].x)) + "," + observedText(roundf(finally[i].y)) + " ";
  OBSERVE("negative.result", wrote);
  OBSERVE("negative.destroy", code(cufftDestroy(plan)));
  OBSERVE("estimate.negative", code(cufftEstimate1d(-8, CUFFT_C2C, 1, &work)));
  int major = 0;
  OBSERVE("property", code(cufftGetProperty(MAJOR_VERSION, &major)));
  OBSERVE("property.none", code(cufftGetProperty(static_cast<libraryPropertyType>(9), &major)));
  OBSERVE("version.no_place", code(cufftGetVersion(nullptr)));
  long long many[] = {4, 6};
  OBSERVE("xt.create", code(cufftCreate(&plan)));
  OBSERVE("xt.make", code(cufftXtMakePlanMany(plan, 2, many, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0,
                                              CUDA_C_32F, 1, &work, CUDA_C_32F)));
  OBSERVE("xt.exec", code(cufftXtExec(plan, data, into, CUFFT_INVERSE)));
  OBSERVE("xt.destroy", code(cufftDestroy(plan)));
  OBSERVE("xt.mixed.create", code(cufftCreate(&plan)));
  OBSERVE("xt.mixed", code(cufftXtMakePlanMany(plan, 2, many, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0,
                                               CUDA_C_64F, 1, &work, CUDA_C_32F)));
}
