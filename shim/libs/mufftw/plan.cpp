#include "libs/mufftw/plan.h"

#include <musa_runtime_api.h>

#include <memory>

#include "libs/core/handles.h"

namespace musashim::mufftw {
namespace {

constexpr int kMostDimensions = 3;

libs::Handles<Plan>& plans() { return libs::Handles<Plan>::instance(); }

mufftType typeOf(Kind kind, bool isDouble) {
  switch (kind) {
    case Kind::kRealToComplex:
      return isDouble ? MUFFT_D2Z : MUFFT_R2C;
    case Kind::kComplexToReal:
      return isDouble ? MUFFT_Z2D : MUFFT_C2R;
    default:
      return isDouble ? MUFFT_Z2Z : MUFFT_C2C;
  }
}

// As cuFFT's it looks at a transform's sign when it is executed.
mufftResult check(int rank, const void* lengths) {
  if (rank < 1 || !lengths) return MUFFT_INVALID_VALUE;
  return rank > kMostDimensions ? MUFFT_NOT_SUPPORTED : MUFFT_SUCCESS;
}

mufftResult make(const Order& order, const Layout& layout, void*& made) {
  for (const Dimension& dimension : layout.dimensions)
    if (dimension.length < 1) return MUFFT_INVALID_SIZE;
  if (layout.batch.length < 1) return MUFFT_INVALID_SIZE;
  auto described = describe(order.kind, layout);
  if (!described) return MUFFT_NOT_SUPPORTED;
  Description& d = *described;
  mufftHandle handle = MUFFT_PLAN_NULL;
  if (const mufftResult result = mufftCreate(&handle); result != MUFFT_SUCCESS) return result;
  size_t workSize = 0;
  mufftResult result = mufftMakePlanMany64(handle, d.rank, d.n.data(), d.inEmbed.data(), d.inStride,
                                           d.inDistance, d.outEmbed.data(), d.outStride, d.outDistance,
                                           typeOf(order.kind, order.isDouble), d.batch, &workSize);
  // Behind what the calling thread's device was given before, and beside what other threads execute.
  if (result == MUFFT_SUCCESS) result = mufftSetStream(handle, musaStreamPerThread);
  if (result != MUFFT_SUCCESS) {
    (void)mufftDestroy(handle);
    return result;
  }
  Plan* const plan = plans().make();
  plan->handle = handle;
  plan->kind = order.kind;
  plan->isDouble = order.isDouble;
  plan->sign = order.sign;
  plan->in = order.in;
  plan->out = order.out;
  made = plan;
  return MUFFT_SUCCESS;
}

Plan* find(const void* plan, bool isDouble) {
  Plan* const found = plans().find(static_cast<const Plan*>(plan));
  return found && found->isDouble == isDouble ? found : nullptr;
}

mufftResult run(const Plan& plan, void* in, void* out) {
  const int direction = plan.kind == Kind::kComplexToReal ? MUFFT_INVERSE : plan.sign;
  if (const mufftResult result = mufftXtExec(plan.handle, in, out, direction); result != MUFFT_SUCCESS)
    return result;
  return musaStreamSynchronize(musaStreamPerThread) == musaSuccess ? MUFFT_SUCCESS : MUFFT_EXEC_FAILED;
}

}  // namespace

mufftResult makePlan(const Order& order, int rank, const int* n, void*& made) {
  if (const mufftResult result = check(rank, n); result != MUFFT_SUCCESS) return result;
  return make(order, denseLayout(order.kind, rank, n, order.in == order.out), made);
}

mufftResult makePlan(const Order& order, int rank, const int* n, int batch, const Side& in, const Side& out,
                     void*& made) {
  if (const mufftResult result = check(rank, n); result != MUFFT_SUCCESS) return result;
  return make(order, embeddedLayout(order.kind, rank, n, batch, in, out, order.in == order.out), made);
}

template <class Iodim>
mufftResult makePlan(const Order& order, int rank, const Iodim* dims, int batchRank, const Iodim* batchDims,
                     void*& made) {
  if (const mufftResult result = check(rank, dims); result != MUFFT_SUCCESS) return result;
  if (batchRank != 1) return MUFFT_NOT_SUPPORTED;  // none of them neither, as with cuFFT's
  if (!batchDims) return MUFFT_INVALID_VALUE;
  Layout layout;
  for (int axis = 0; axis < rank; ++axis)
    layout.dimensions.push_back({dims[axis].n, dims[axis].is, dims[axis].os});
  layout.batch = {batchDims->n, batchDims->is, batchDims->os};
  return make(order, layout, made);
}
template mufftResult makePlan(const Order&, int, const fftw_iodim*, int, const fftw_iodim*, void*&);
template mufftResult makePlan(const Order&, int, const fftw_iodim64*, int, const fftw_iodim64*, void*&);

mufftResult execute(const void* plan, bool isDouble, Kind kind, void* in, void* out) {
  const Plan* const found = find(plan, isDouble);
  return found && found->kind == kind ? run(*found, in, out) : MUFFT_INVALID_PLAN;
}

mufftResult execute(const void* plan, bool isDouble) {
  const Plan* const found = find(plan, isDouble);
  return found ? run(*found, found->in, found->out) : MUFFT_INVALID_PLAN;
}

void destroyPlan(void* plan) { plans().drop(static_cast<const Plan*>(plan)); }

}  // namespace musashim::mufftw
