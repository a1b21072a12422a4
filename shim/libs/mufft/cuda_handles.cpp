// What makes plans, by cuFFT's names: its handles are ints, where the vendor's are pointers (mufft.h).
#include "libs/mufft/plan.h"

using musashim::mufft::numberOf;

namespace {

template <class Make>
mufftResult asNumber(int* plan, Make&& make) {
  mufftHandle made = nullptr;
  const mufftResult result = make(plan ? &made : nullptr);
  if (result == MUFFT_SUCCESS) *plan = numberOf(made);
  return result;
}

}  // namespace

#define CUFFT_ENTRY __attribute__((visibility("default"))) mufftResult

extern "C" {

CUFFT_ENTRY cufftCreate(int* plan) {
  return asNumber(plan, [](mufftHandle* made) { return mufftCreate(made); });
}

CUFFT_ENTRY cufftPlan1d(int* plan, int nx, mufftType type, int batch) {
  return asNumber(plan, [&](mufftHandle* made) { return mufftPlan1d(made, nx, type, batch); });
}

CUFFT_ENTRY cufftPlan2d(int* plan, int nx, int ny, mufftType type) {
  return asNumber(plan, [&](mufftHandle* made) { return mufftPlan2d(made, nx, ny, type); });
}

CUFFT_ENTRY cufftPlan3d(int* plan, int nx, int ny, int nz, mufftType type) {
  return asNumber(plan, [&](mufftHandle* made) { return mufftPlan3d(made, nx, ny, nz, type); });
}

CUFFT_ENTRY cufftPlanMany(int* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, mufftType type, int batch) {
  return asNumber(plan, [&](mufftHandle* made) {
    return mufftPlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  });
}

}  // extern "C"
