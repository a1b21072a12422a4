// links: cublas
// Status codes and results of level 1: no elements, negative counts and increments, NaN, no handle, both
// pointer modes.
#include <cublas_v2.h>
#include <math.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("blas.level1");

static int code(cublasStatus_t status) { return static_cast<int>(status); }

struct Shape {
  const char* name;
  int n, incx, incy;
};
static const Shape kShapes[] = {{"plain", 4, 1, 1},     {"none", 0, 1, 1},       {"negative", -3, 1, 1},
                                {"step_zero", 4, 0, 0}, {"backward", 4, -1, -1}, {"one_backward", 4, 2, -2}};

template <typename T>
static std::string text(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + observedText(value);
  return all;
}

#define REDUCTION(T, R, function)                                                                  \
  for (const Shape& shape : kShapes) {                                                             \
    DeviceValues<T> x(16);                                                                         \
    R result = -7;                                                                                 \
    const std::string key = std::string(#function ".") + shape.name;                               \
    OBSERVE(key, code(cublas##function(handle, shape.n, x, shape.incx, &result)));                 \
    OBSERVE(key + ".result", result);                                                              \
    OBSERVE(key + ".no_handle", code(cublas##function(nullptr, shape.n, x, shape.incx, &result))); \
  }

#define UPDATE(function, T, call)                                    \
  for (const Shape& shape : kShapes) {                               \
    DeviceValues<T> x(16), y(16);                                    \
    const T two = 2, half = T(0.5);                                  \
    (void)two, (void)half;                                           \
    const std::string key = std::string(#function ".") + shape.name; \
    OBSERVE(key, code(call));                                        \
    OBSERVE(key + ".x", text(x.get()));                              \
    OBSERVE(key + ".y", text(y.get()));                              \
  }

int main() {
  cublasHandle_t handle;
  OBSERVE("create", code(cublasCreate(&handle)));
  REDUCTION(float, int, Isamax)
  REDUCTION(double, int, Idamax)
  REDUCTION(float, int, Isamin)
  REDUCTION(double, int, Idamin)
  REDUCTION(float, float, Sasum)
  REDUCTION(double, double, Dasum)
  REDUCTION(float, float, Snrm2)
  REDUCTION(double, double, Dnrm2)
  UPDATE(Saxpy, float, cublasSaxpy(handle, shape.n, &two, x, shape.incx, y, shape.incy))
  UPDATE(Daxpy, double, cublasDaxpy(handle, shape.n, &two, x, shape.incx, y, shape.incy))
  UPDATE(Scopy, float, cublasScopy(handle, shape.n, x, shape.incx, y, shape.incy))
  UPDATE(Dcopy, double, cublasDcopy(handle, shape.n, x, shape.incx, y, shape.incy))
  UPDATE(Sscal, float, cublasSscal(handle, shape.n, &two, x, shape.incx))
  UPDATE(Dscal, double, cublasDscal(handle, shape.n, &two, x, shape.incx))
  UPDATE(Sswap, float, cublasSswap(handle, shape.n, x, shape.incx, y, shape.incy))
  UPDATE(Dswap, double, cublasDswap(handle, shape.n, x, shape.incx, y, shape.incy))
  UPDATE(Srot, float, cublasSrot(handle, shape.n, x, shape.incx, y, shape.incy, &half, &two))
  UPDATE(Drot, double, cublasDrot(handle, shape.n, x, shape.incx, y, shape.incy, &half, &two))
  for (const Shape& shape : kShapes) {
    DeviceValues<float> x(16), y(16);
    float result = -7;
    OBSERVE(std::string("Sdot.") + shape.name,
            code(cublasSdot(handle, shape.n, x, shape.incx, y, shape.incy, &result)));
    OBSERVE(std::string("Sdot.result.") + shape.name, result);
  }
  DeviceValues<float> holes(std::vector<float>{1, NAN, 3, -4, 2, 6, NAN, 1});
  int place = -7;
  float sum = -7;
  OBSERVE("nan.amax", code(cublasIsamax(handle, 8, holes, 1, &place)));
  OBSERVE("nan.amax.result", place);
  OBSERVE("nan.amin", code(cublasIsamin(handle, 8, holes, 1, &place)));
  OBSERVE("nan.amin.result", place);
  OBSERVE("nan.asum", code(cublasSasum(handle, 8, holes, 1, &sum)));
  OBSERVE("nan.asum.result", sum);
  const float zero = 0;
  OBSERVE("nan.scal_by_zero", code(cublasSscal(handle, 8, &zero, holes, 1)));
  OBSERVE("nan.scal_by_zero.result", text(holes.get()));
  DeviceValues<float> x(8), onDevice(1);
  OBSERVE("mode.set", code(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE)));
  OBSERVE("mode.asum", code(cublasSasum(handle, 8, x, 1, onDevice)));
  OBSERVE("mode.asum.result", text(onDevice.get()));
  OBSERVE("mode.asum_of_none", code(cublasSasum(handle, 0, x, 1, onDevice)));
  OBSERVE("mode.asum_of_none.result", text(onDevice.get()));
  OBSERVE("mode.bad", code(cublasSetPointerMode(handle, static_cast<cublasPointerMode_t>(7))));
  OBSERVE("destroy", code(cublasDestroy(handle)));
  OBSERVE("destroy_null", code(cublasDestroy(nullptr)));
}
