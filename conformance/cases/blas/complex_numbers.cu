// links: cublas
// Complex numbers: no elements, negative counts and increments, operations that conjugate, no handle,
// results.
#include <cublas_v2.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("blas.complex_numbers");

static int code(cublasStatus_t status) { return static_cast<int>(status); }

template <typename Complex>
static std::string text(const std::vector<Complex>& values, size_t count = 9) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += observedText(values[i].x) + "," + observedText(values[i].y) + " ";
  return all;
}

template <typename Complex>
static std::vector<Complex> numbers(int shift) {
  std::vector<Complex> all(16);
  for (int i = 0; i < 16; ++i) {
    all[i].x = static_cast<decltype(all[i].x)>((i * 7 + shift) % 5 - 2);
    all[i].y = static_cast<decltype(all[i].y)>((i * 3 + shift) % 7 - 3);
  }
  return all;
}

struct Shape {
  const char* name;
  int n, incx, incy;
};
static const Shape kShapes[] = {
    {"plain", 4, 1, 1}, {"none", 0, 1, 1}, {"negative", -3, 1, 1}, {"backward", 4, -1, 2}};

#define COMPLEX(C, R, L, M, RL)                                                                            \
  static void observe(cublasHandle_t handle, C) {                                                          \
    C one, two;                                                                                            \
    one.x = 1, one.y = 0, two.x = 2, two.y = -1;                                                           \
    const R half = R(0.5), real = 2;                                                                       \
    const auto upper = CUBLAS_FILL_MODE_UPPER;                                                             \
    const auto left = CUBLAS_SIDE_LEFT;                                                                    \
    const auto full = CUBLAS_DIAG_NON_UNIT;                                                                \
    const auto N = CUBLAS_OP_N, H = CUBLAS_OP_C;                                                           \
    for (const Shape& s : kShapes) {                                                                       \
      const std::string key = std::string("." #L ".") + s.name;                                            \
      DeviceValues<C> x(numbers<C>(1)), y(numbers<C>(2));                                                  \
      C result = two;                                                                                      \
      R size = -7;                                                                                         \
      int place = -7;                                                                                      \
      OBSERVE("dotu" + key, code(cublas##L##dotu(handle, s.n, x, s.incx, y, s.incy, &result)));            \
      OBSERVE("dotu" + key + ".result", text(std::vector<C>(1, result), 1));                               \
      OBSERVE("dotc" + key, code(cublas##L##dotc(handle, s.n, x, s.incx, y, s.incy, &result)));            \
      OBSERVE("dotc" + key + ".result", text(std::vector<C>(1, result), 1));                               \
      OBSERVE("asum" + key, code(cublas##RL##asum(handle, s.n, x, s.incx, &size)));                        \
      OBSERVE("asum" + key + ".result", size);                                                             \
      OBSERVE("amax" + key, code(cublasI##M##amax(handle, s.n, x, s.incx, &place)));                       \
      OBSERVE("amax" + key + ".result", place);                                                            \
      OBSERVE("amin" + key, code(cublasI##M##amin(handle, s.n, x, s.incx, &place)));                       \
      OBSERVE("nrm2" + key, code(cublas##RL##nrm2(handle, s.n, x, s.incx, &size)));                        \
      OBSERVE("axpy" + key, code(cublas##L##axpy(handle, s.n, &two, x, s.incx, y, s.incy)));               \
      OBSERVE("scal" + key, code(cublas##L##scal(handle, s.n, &two, x, s.incx)));                          \
      OBSERVE("swap" + key, code(cublas##L##swap(handle, s.n, x, s.incx, y, s.incy)));                     \
      OBSERVE("rot" + key, code(cublas##L##rot(handle, s.n, x, s.incx, y, s.incy, &half, &two)));          \
      OBSERVE("vectors" + key, text(x.get()) + "/ " + text(y.get()));                                      \
      OBSERVE("copy" + key, code(cublas##L##copy(handle, s.n, x, s.incx, y, s.incy)));                     \
    }                                                                                                      \
    for (const int n : {3, 0, -1}) {                                                                       \
      const std::string key = std::string("." #L ".") + std::to_string(n);                                 \
      DeviceValues<C> a(numbers<C>(0)), x(numbers<C>(1)), y(numbers<C>(2)), c(numbers<C>(3));              \
      const auto seen = [&](const char* name, cublasStatus_t status) {                                     \
        OBSERVE(name + key, code(status));                                                                 \
        OBSERVE(name + key + ".result", text(c.get()));                                                    \
        c.set(numbers<C>(3));                                                                              \
      };                                                                                                   \
      seen("gemv", cublas##L##gemv(handle, H, n, 2, &two, a, 4, x, 1, &one, c, -1));                       \
      seen("gbmv", cublas##L##gbmv(handle, H, n, 3, 1, 1, &two, a, 4, x, 1, &one, c, 1));                  \
      seen("geru", cublas##L##geru(handle, n, 2, &two, x, 1, y, 1, c, 4));                                 \
      seen("gerc", cublas##L##gerc(handle, n, 2, &two, x, 1, y, -1, c, 4));                                \
      seen("hemv", cublas##L##hemv(handle, upper, n, &two, a, 4, x, 1, &one, c, 1));                       \
      seen("hbmv", cublas##L##hbmv(handle, upper, n, 1, &two, a, 4, x, 1, &one, c, 1));                    \
      seen("hpmv", cublas##L##hpmv(handle, upper, n, &two, a, x, 1, &one, c, 1));                          \
      seen("her", cublas##L##her(handle, upper, n, &real, x, 1, c, 4));                                    \
      seen("her2", cublas##L##her2(handle, upper, n, &two, x, 1, y, 1, c, 4));                             \
      seen("hpr", cublas##L##hpr(handle, upper, n, &real, x, 1, c));                                       \
      seen("hpr2", cublas##L##hpr2(handle, upper, n, &two, x, 1, y, 1, c));                                \
      seen("trmv", cublas##L##trmv(handle, upper, H, full, n, a, 4, c, 1));                                \
      seen("gemm", cublas##L##gemm(handle, H, N, n, 2, 3, &two, a, 4, x, 4, &one, c, 4));                  \
      seen("gemm3m", cublas##L##gemm3m(handle, N, H, n, 2, 2, &two, a, 4, x, 4, &one, c, 4));              \
      seen("hemm", cublas##L##hemm(handle, left, upper, n, 2, &two, a, 4, x, 4, &one, c, 4));              \
      seen("symm", cublas##L##symm(handle, left, upper, n, 2, &two, a, 4, x, 4, &one, c, 4));              \
      seen("herk", cublas##L##herk(handle, upper, H, n, 2, &real, a, 4, &half, c, 4));                     \
      seen("her2k", cublas##L##her2k(handle, upper, N, n, 2, &two, a, 4, x, 4, &half, c, 4));              \
      seen("herkx", cublas##L##herkx(handle, upper, N, n, 2, &two, a, 4, x, 4, &half, c, 4));              \
      seen("herk.turned", cublas##L##herk(handle, upper, CUBLAS_OP_T, n, 2, &real, a, 4, &half, c, 4));    \
      seen("syrk", cublas##L##syrk(handle, upper, N, n, 2, &two, a, 4, &one, c, 4));                       \
      seen("syrk.conjugate", cublas##L##syrk(handle, upper, H, n, 2, &two, a, 4, &one, c, 4));             \
      seen("trmm", cublas##L##trmm(handle, left, upper, H, full, n, 2, &two, a, 4, x, 4, c, 4));           \
      seen("geam", cublas##L##geam(handle, H, N, n, 3, &two, a, 4, &one, x, 4, c, 4));                     \
      seen("dgmm", cublas##L##dgmm(handle, left, n, 2, a, 4, x, -1, c, 4));                                \
      OBSERVE("no_handle" + key,                                                                           \
              code(cublas##L##hemm(nullptr, left, upper, n, 2, &two, a, 4, x, 4, &one, c, 4)));            \
      OBSERVE("ld" + key, code(cublas##L##hemm(handle, left, upper, n, 2, &two, a, 2, x, 4, &one, c, 4))); \
    }                                                                                                      \
  }
COMPLEX(cuComplex, float, C, c, Sc)
COMPLEX(cuDoubleComplex, double, Z, z, Dz)

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  observe(handle, cuComplex());
  observe(handle, cuDoubleComplex());
  cublasDestroy(handle);
}
