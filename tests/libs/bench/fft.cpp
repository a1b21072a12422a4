#include <mufft.h>
#include <musa_runtime_api.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/bench.h"
#include "libs/ducc/transform.h"

namespace musashim::bench {
namespace {

void compareTransforms(const char* name, int rounds, int n, int batch) {
  const auto count = static_cast<size_t>(n) * static_cast<size_t>(batch);
  std::vector<std::complex<float>> in(count, 1), out(count);
  mufftComplex *a = nullptr, *b = nullptr;
  mufftHandle plan = MUFFT_PLAN_NULL;
  if (musaMalloc(reinterpret_cast<void**>(&a), count * sizeof *a) != musaSuccess ||
      musaMalloc(reinterpret_cast<void**>(&b), count * sizeof *b) != musaSuccess ||
      musaMemcpy(a, in.data(), count * sizeof *a, musaMemcpyHostToDevice) != musaSuccess ||
      mufftPlan1d(&plan, n, MUFFT_C2C, batch) != MUFFT_SUCCESS) {
    std::fprintf(stderr, "%s: no memory or no plan\n", name);
    std::exit(1);
  }
  libs::Transform direct;
  direct.dimensions = 2;
  direct.length[0] = static_cast<size_t>(batch);
  direct.length[1] = static_cast<size_t>(n);
  direct.in[0] = direct.out[0] = n;
  direct.in[1] = direct.out[1] = 1;
  compare(
      name, rounds,
      [&] {
        (void)mufftExecC2C(plan, a, b, MUFFT_FORWARD);
        (void)musaDeviceSynchronize();
      },
      [&] { libs::transform(direct, in.data(), out.data()); });
  (void)mufftDestroy(plan);
  (void)musaFree(a);
  (void)musaFree(b);
}

}  // namespace

void benchFft() {
  compareTransforms("C2C 2^20", 7, 1 << 20, 1);
  compareTransforms("C2C 256 x 1024", 15, 1024, 256);
}

}  // namespace musashim::bench
