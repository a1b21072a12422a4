// links: cublas
// The forms of cuBLAS's functions whose sizes have 64 bits: the same statuses and results as the others.
#include <cublas_v2.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("blas.long_sizes");

static int code(cublasStatus_t status) { return static_cast<int>(status); }

template <typename T>
static std::string text(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + observedText(value);
  return all;
}

#define LONG_FORMS(R, L, A)                                                                                  \
  static void observe(cublasHandle_t handle, R) {                                                            \
    const R one = 1, two = 2;                                                                                \
    const auto N = CUBLAS_OP_N;                                                                              \
    const auto upper = CUBLAS_FILL_MODE_UPPER;                                                               \
    const auto left = CUBLAS_SIDE_LEFT;                                                                      \
    const auto full = CUBLAS_DIAG_NON_UNIT;                                                                  \
    for (const int64_t n : {int64_t{3}, int64_t{0}, int64_t{-2}}) {                                          \
      const std::string key = std::string("." #L ".") + std::to_string(n);                                   \
      DeviceValues<R> a(16), x(16), y(16), c(16);                                                            \
      int64_t place = -7;                                                                                    \
      R result = -7;                                                                                         \
      OBSERVE("amax" + key, code(cublasI##A##amax_64(handle, n, x, 1, &place)));                             \
      OBSERVE("amax" + key + ".result", static_cast<long long>(place));                                      \
      OBSERVE("amin" + key, code(cublasI##A##amin_64(handle, n, x, 1, &place)));                             \
      OBSERVE("asum" + key, code(cublas##L##asum_64(handle, n, x, 2, &result)));                             \
      OBSERVE("asum" + key + ".result", result);                                                             \
      OBSERVE("nrm2" + key, code(cublas##L##nrm2_64(handle, n, x, 1, &result)));                             \
      OBSERVE("dot" + key, code(cublas##L##dot_64(handle, n, x, 1, y, -1, &result)));                        \
      OBSERVE("dot" + key + ".result", result);                                                              \
      OBSERVE("axpy" + key, code(cublas##L##axpy_64(handle, n, &two, x, 1, y, 1)));                          \
      OBSERVE("copy" + key, code(cublas##L##copy_64(handle, n, x, 1, c, -1)));                               \
      OBSERVE("swap" + key, code(cublas##L##swap_64(handle, n, x, 1, y, 1)));                                \
      OBSERVE("scal" + key, code(cublas##L##scal_64(handle, n, &two, x, 1)));                                \
      OBSERVE("rot" + key, code(cublas##L##rot_64(handle, n, x, 1, y, 1, &one, &two)));                      \
      OBSERVE("vectors" + key, text(x.get()) + " / " + text(y.get()));                                       \
      OBSERVE("gemv" + key, code(cublas##L##gemv_64(handle, N, n, 2, &two, a, 4, x, 1, &one, c, 1)));        \
      OBSERVE("gbmv" + key, code(cublas##L##gbmv_64(handle, N, n, 3, 1, 1, &one, a, 4, x, 1, &one, c, 1)));  \
      OBSERVE("ger" + key, code(cublas##L##ger_64(handle, n, 2, &one, x, 1, y, 1, c, 4)));                   \
      OBSERVE("symv" + key, code(cublas##L##symv_64(handle, upper, n, &one, a, 4, x, 1, &one, c, 1)));       \
      OBSERVE("sbmv" + key, code(cublas##L##sbmv_64(handle, upper, n, 1, &one, a, 4, x, 1, &one, c, 1)));    \
      OBSERVE("spmv" + key, code(cublas##L##spmv_64(handle, upper, n, &one, a, x, 1, &one, c, 1)));          \
      OBSERVE("syr" + key, code(cublas##L##syr_64(handle, upper, n, &one, x, 1, c, 4)));                     \
      OBSERVE("syr2" + key, code(cublas##L##syr2_64(handle, upper, n, &one, x, 1, y, 1, c, 4)));             \
      OBSERVE("spr" + key, code(cublas##L##spr_64(handle, upper, n, &one, x, 1, c)));                        \
      OBSERVE("spr2" + key, code(cublas##L##spr2_64(handle, upper, n, &one, x, 1, y, 1, c)));                \
      OBSERVE("trmv" + key, code(cublas##L##trmv_64(handle, upper, N, full, n, a, 4, c, 1)));                \
      OBSERVE("tbmv" + key, code(cublas##L##tbmv_64(handle, upper, N, full, n, 1, a, 4, c, 1)));             \
      OBSERVE("tpmv" + key, code(cublas##L##tpmv_64(handle, upper, N, full, n, a, c, 1)));                   \
      OBSERVE("trsv" + key, code(cublas##L##trsv_64(handle, upper, N, full, n, a, 4, x, 1)));                \
      OBSERVE("tbsv" + key, code(cublas##L##tbsv_64(handle, upper, N, full, n, 1, a, 4, x, 1)));             \
      OBSERVE("tpsv" + key, code(cublas##L##tpsv_64(handle, upper, N, full, n, a, x, 1)));                   \
      OBSERVE("level2" + key, text(c.get()));                                                                \
      DeviceValues<R> p(16), q(16), r(16);                                                                   \
      OBSERVE("gemm" + key, code(cublas##L##gemm_64(handle, N, N, n, 2, 2, &two, p, 4, q, 4, &one, r, 4)));  \
      OBSERVE("symm" + key,                                                                                  \
              code(cublas##L##symm_64(handle, left, upper, n, 2, &one, p, 4, q, 4, &one, r, 4)));            \
      OBSERVE("syrk" + key, code(cublas##L##syrk_64(handle, upper, N, n, 2, &one, p, 4, &one, r, 4)));       \
      OBSERVE("syr2k" + key,                                                                                 \
              code(cublas##L##syr2k_64(handle, upper, N, n, 2, &one, p, 4, q, 4, &one, r, 4)));              \
      OBSERVE("syrkx" + key,                                                                                 \
              code(cublas##L##syrkx_64(handle, upper, N, n, 2, &one, p, 4, q, 4, &one, r, 4)));              \
      OBSERVE("trmm" + key,                                                                                  \
              code(cublas##L##trmm_64(handle, left, upper, N, full, n, 2, &one, p, 4, q, 4, r, 4)));         \
      OBSERVE("geam" + key, code(cublas##L##geam_64(handle, N, N, n, 2, &one, p, 4, &two, q, 4, r, 4)));     \
      OBSERVE("dgmm" + key, code(cublas##L##dgmm_64(handle, left, n, 2, p, 4, q, 1, r, 4)));                 \
      OBSERVE("strided" + key, code(cublas##L##gemmStridedBatched_64(handle, N, N, n, 1, 2, &two, p, 4, 0,   \
                                                                     q, 4, 4, &one, r, 4, 4, 2)));           \
      OBSERVE("level3" + key, text(r.get()));                                                                \
      OBSERVE("trsm" + key, code(cublas##L##trsm_64(handle, left, upper, N, full, n, 2, &one, p, 4, r, 4))); \
      OBSERVE("no_handle" + key,                                                                             \
              code(cublas##L##gemm_64(nullptr, N, N, n, 2, 2, &two, p, 4, q, 4, &one, r, 4)));               \
      OBSERVE("ld" + key, code(cublas##L##gemm_64(handle, N, N, n, 2, 2, &two, p, 1, q, 4, &one, r, 4)));    \
    }                                                                                                        \
    DeviceValues<R> x(16), y(16);                                                                            \
    const std::vector<R> host(8, 5);                                                                         \
    std::vector<R> back(8, 0);                                                                               \
    const size_t size = sizeof(R);                                                                           \
    OBSERVE("SetVector." #L, code(cublasSetVector_64(4, size, host.data(), 2, x, 1)));                       \
    OBSERVE("GetVector." #L, code(cublasGetVector_64(4, size, x, 1, back.data(), 2)));                       \
    OBSERVE("GetVector.result." #L, text(back));                                                             \
    OBSERVE("SetMatrix." #L, code(cublasSetMatrix_64(2, 2, size, host.data(), 2, x, 4)));                    \
    OBSERVE("GetMatrix." #L, code(cublasGetMatrix_64(2, 2, size, x, 4, back.data(), 2)));                    \
    OBSERVE("SetVectorAsync." #L, code(cublasSetVectorAsync_64(4, size, host.data(), 1, x, 1, nullptr)));    \
    OBSERVE("GetVectorAsync." #L, code(cublasGetVectorAsync_64(4, size, x, 1, back.data(), 1, nullptr)));    \
    OBSERVE("SetVector.negative." #L, code(cublasSetVector_64(-4, size, host.data(), 1, x, 1)));             \
    OBSERVE("SetMatrix.ld." #L, code(cublasSetMatrix_64(2, 2, size, host.data(), 1, x, 4)));                 \
  }
LONG_FORMS(float, S, s)
LONG_FORMS(double, D, d)

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  observe(handle, float());
  observe(handle, double());
  cublasDestroy(handle);
}
