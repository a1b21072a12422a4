#include <mublas.h>
#include <musa_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/bench.h"

extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
                       const float*, const int*, const float*, const int*, const float*, float*, const int*);

namespace musashim::bench {
namespace {

void check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

}  // namespace

void benchBlas() {
  const int n = 1024, small = 32, count = 64;
  const size_t size = static_cast<size_t>(n) * n;
  const std::vector<float> ones(size, 1);
  std::vector<float> out(size);
  float *a = nullptr, *c = nullptr;
  check(musaMalloc(reinterpret_cast<void**>(&a), size * sizeof(float)) == musaSuccess, "musaMalloc");
  check(musaMalloc(reinterpret_cast<void**>(&c), size * sizeof(float)) == musaSuccess, "musaMalloc");
  check(musaMemcpy(a, ones.data(), size * sizeof(float), musaMemcpyHostToDevice) == musaSuccess,
        "musaMemcpy");
  mublasHandle_t handle = nullptr;
  check(mublasCreate(&handle) == MUBLAS_STATUS_SUCCESS, "mublasCreate");
  const float one = 1, zero = 0;
  compare(
      "sgemm 1024", 5,
      [&] {
        check(mublasSgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, c, n) ==
                  MUBLAS_STATUS_SUCCESS,
              "mublasSgemm");
        (void)musaDeviceSynchronize();
      },
      [&] { sgemm_("N", "N", &n, &n, &n, &one, ones.data(), &n, ones.data(), &n, &zero, out.data(), &n); });
  compare(
      "sgemm 64 x 32^3", 200,
      [&] {
        check(mublasSgemmStridedBatched(handle, MUBLAS_OP_N, MUBLAS_OP_N, small, small, small, &one, a, small,
                                        small * small, a, small, small * small, &zero, c, small,
                                        small * small, count) == MUBLAS_STATUS_SUCCESS,
              "mublasSgemmStridedBatched");
        (void)musaDeviceSynchronize();
      },
      [&] {
        for (int i = 0; i < count; ++i) {
          const size_t at = static_cast<size_t>(i) * small * small;
          sgemm_("N", "N", &small, &small, &small, &one, ones.data() + at, &small, ones.data() + at, &small,
                 &zero, out.data() + at, &small);
        }
      });
  check(mublasDestroy(handle) == MUBLAS_STATUS_SUCCESS, "mublasDestroy");
  (void)musaFree(a);
  (void)musaFree(c);
}

}  // namespace musashim::bench
