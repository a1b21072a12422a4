// links: cublas
// Vectors and updates whose types are arguments: which go together, and what comes of it.
#include <cublas_v2.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("blas.types");

static int code(cublasStatus_t status) { return static_cast<int>(status); }

template <typename T>
static std::string text(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + observedText(value);
  return all;
}

struct Type {
  const char* name;
  cudaDataType type;
};
static const Type kTypes[] = {{"16F", CUDA_R_16F},  {"16BF", CUDA_R_16BF}, {"32F", CUDA_R_32F},
                              {"64F", CUDA_R_64F},  {"8I", CUDA_R_8I},     {"32I", CUDA_R_32I},
                              {"C32F", CUDA_C_32F}, {"C64F", CUDA_C_64F}};
int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const std::vector<double> nothing(4096, 0);
  DeviceValues<double> a(nothing), b(nothing), c(nothing);
  const double zeros[4] = {0, 0, 0, 0};
  const auto N = CUBLAS_OP_N;
  double result[2] = {0, 0};
  int place = 0;
  for (const Type& type : kTypes) {
    const std::string key = std::string(".") + type.name;
    std::string nrm2, dot, dotc, axpy, scal, rot, asum;
    for (const Type& execution : kTypes) {
      const auto t = type.type, e = execution.type;
      nrm2 += std::to_string(code(cublasNrm2Ex(handle, 4, a, t, 1, result, t, e))) + " ";
      asum += std::to_string(code(cublasAsumEx(handle, 4, a, t, 1, result, t, e))) + " ";
      dot += std::to_string(code(cublasDotEx(handle, 4, a, t, 1, b, t, 1, result, t, e))) + " ";
      dotc += std::to_string(code(cublasDotcEx(handle, 4, a, t, 1, b, t, 1, result, t, e))) + " ";
      axpy += std::to_string(code(cublasAxpyEx(handle, 4, zeros, e, a, t, 1, c, t, 1, e))) + " ";
      scal += std::to_string(code(cublasScalEx(handle, 4, zeros, e, c, t, 1, e))) + " ";
      rot += std::to_string(code(cublasRotEx(handle, 4, a, t, 1, b, t, 1, zeros, zeros, t, e))) + " ";
    }
    OBSERVE("nrm2" + key, nrm2);
    OBSERVE("asum" + key, asum);
    OBSERVE("dot" + key, dot);
    OBSERVE("dotc" + key, dotc);
    OBSERVE("axpy" + key, axpy);
    OBSERVE("scal" + key, scal);
    OBSERVE("rot" + key, rot);
    if (type.type == CUDA_C_32F || type.type == CUDA_C_64F) {
      const auto real = type.type == CUDA_C_32F ? CUDA_R_32F : CUDA_R_64F;
      OBSERVE("asum.real" + key, code(cublasAsumEx(handle, 4, a, type.type, 1, result, real, type.type)));
      OBSERVE("asum.in_real" + key, code(cublasAsumEx(handle, 4, a, type.type, 1, result, real, real)));
      OBSERVE("nrm2.real" + key, code(cublasNrm2Ex(handle, 4, a, type.type, 1, result, real, type.type)));
      OBSERVE("nrm2.in_real" + key, code(cublasNrm2Ex(handle, 4, a, type.type, 1, result, real, real)));
    }
    OBSERVE("copy" + key, code(cublasCopyEx(handle, 4, a, type.type, 1, c, type.type, 1)));
    OBSERVE("swap" + key, code(cublasSwapEx(handle, 4, a, type.type, 1, c, type.type, 1)));
    OBSERVE("amax" + key, code(cublasIamaxEx(handle, 4, a, type.type, 1, &place)));
    OBSERVE("amin" + key, code(cublasIaminEx(handle, 4, a, type.type, 1, &place)));
    const float one = 1;
    const float2 unit = make_float2(1, 0);
    const auto upper = CUBLAS_FILL_MODE_UPPER;
    DeviceValues<double> sums(nothing);
    OBSERVE("syrk" + key,
            code(cublasCsyrkEx(handle, upper, N, 4, 4, &unit, a, type.type, 4, &unit, sums, CUDA_C_32F, 4)));
    OBSERVE("herk" + key,
            code(cublasCherkEx(handle, upper, N, 4, 4, &one, a, type.type, 4, &one, sums, CUDA_C_32F, 4)));
    OBSERVE("syrk3m" + key, code(cublasCsyrk3mEx(handle, upper, N, 4, 4, &unit, a, type.type, 4, &unit, sums,
                                                 CUDA_C_32F, 4)));
    OBSERVE("herk3m" + key,
            code(cublasCherk3mEx(handle, upper, N, 4, 4, &one, a, type.type, 4, &one, sums, CUDA_C_32F, 4)));
    OBSERVE("cgemm" + key, code(cublasCgemmEx(handle, N, N, 4, 4, 4, &unit, a, type.type, 4, b, type.type, 4,
                                              &unit, sums, CUDA_C_32F, 4)));
    OBSERVE("cgemm3m" + key, code(cublasCgemm3mEx(handle, N, N, 4, 4, 4, &unit, a, type.type, 4, b, type.type,
                                                  4, &unit, sums, CUDA_C_32F, 4)));
    OBSERVE("sgemm" + key, code(cublasSgemmEx(handle, N, N, 4, 4, 4, &one, a, type.type, 4, b, type.type, 4,
                                              &one, sums, CUDA_R_32F, 4)));
  }
  std::vector<float> numbers(16), more(16);
  for (int i = 0; i < 16; ++i) {
    numbers[i] = static_cast<float>(i % 7 - 3);
    more[i] = static_cast<float>(i % 5 - 2);
  }
  DeviceValues<float> x(numbers), y(more);
  const float cosine = 0.5f, sine = 2.0f, alpha = 3.0f;
  const auto real = CUDA_R_32F;
  float sum = 0;
  OBSERVE("values.amax", code(cublasIamaxEx(handle, 8, x, real, 2, &place)));
  OBSERVE("values.amax.result", place);
  OBSERVE("values.asum", code(cublasAsumEx(handle, 8, x, real, 2, &sum, real, real)));
  OBSERVE("values.asum.result", sum);
  OBSERVE("values.rot", code(cublasRotEx(handle, 4, x, real, 1, y, real, -2, &cosine, &sine, real, real)));
  OBSERVE("values.rot.x", text(x.get()));
  OBSERVE("values.rot.y", text(y.get()));
  OBSERVE("values.swap", code(cublasSwapEx(handle, 4, x, real, -1, y, real, 2)));
  OBSERVE("values.swap.x", text(x.get()));
  OBSERVE("values.copy", code(cublasCopyEx(handle, 4, x, real, -1, y, real, 2)));
  OBSERVE("values.copy.y", text(y.get()));
  OBSERVE("values.axpy", code(cublasAxpyEx(handle, 4, &alpha, real, x, real, -1, y, real, 2, real)));
  OBSERVE("values.axpy.y", text(y.get()));
  float parameters[5] = {-1, 1, 2, 3, 4};
  OBSERVE("values.rotm", code(cublasRotmEx(handle, 4, x, real, 1, y, real, 1, parameters, real, real)));
  OBSERVE("values.rotm.x", text(x.get()));
  float fa = 3, fb = 4, fc = 0, fs = 0;
  OBSERVE("values.rotg", code(cublasRotgEx(handle, &fa, &fb, real, &fc, &fs, real, real)));
  OBSERVE("values.rotg.r", fa);
  float d1 = 2, d2 = 3, x1 = 4, y1 = 5;
  OBSERVE("values.rotmg",
          code(cublasRotmgEx(handle, &d1, real, &d2, real, &x1, real, &y1, real, parameters, real, real)));
  OBSERVE("values.rotmg.flag", parameters[0]);
  cublasDestroy(handle);
}
