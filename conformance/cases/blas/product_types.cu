// links: cublas
// Products whose types are arguments: which go together.
#include <cublas_v2.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("blas.product_types");

static int code(cublasStatus_t status) { return static_cast<int>(status); }

struct Type {
  const char* name;
  cudaDataType type;
};
static const Type kTypes[] = {{"16F", CUDA_R_16F},  {"16BF", CUDA_R_16BF}, {"32F", CUDA_R_32F},
                              {"64F", CUDA_R_64F},  {"8I", CUDA_R_8I},     {"32I", CUDA_R_32I},
                              {"C32F", CUDA_C_32F}, {"C64F", CUDA_C_64F}};
static const struct {
  const char* name;
  cublasComputeType_t type;
} kComputations[] = {{"16F", CUBLAS_COMPUTE_16F},
                     {"32F", CUBLAS_COMPUTE_32F},
                     {"64F", CUBLAS_COMPUTE_64F},
                     {"32I", CUBLAS_COMPUTE_32I},
                     {"tf32", CUBLAS_COMPUTE_32F_FAST_TF32},
                     {"32F_pedantic", CUBLAS_COMPUTE_32F_PEDANTIC}};

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const std::vector<double> nothing(4096, 0);
  DeviceValues<double> a(nothing), b(nothing), c(nothing);
  DeviceValues<void*> as(std::vector<void*>(1, static_cast<double*>(a)));
  DeviceValues<void*> cs(std::vector<void*>(1, static_cast<double*>(c)));
  const void* const* constAs = const_cast<const void* const*>(static_cast<void**>(as));
  const double zeros[4] = {0, 0, 0, 0};
  const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
  const auto algorithm = CUBLAS_GEMM_DEFAULT;
  for (const auto& compute : kComputations)
    for (const Type& in : kTypes) {
      std::string single, strided, listed;
      for (const Type& out : kTypes) {
        single += std::to_string(code(cublasGemmEx(handle, T, N, 4, 4, 4, zeros, a, in.type, 4, b, in.type, 4,
                                                   zeros, c, out.type, 4, compute.type, algorithm))) +
                  " ";
        strided += std::to_string(code(cublasGemmStridedBatchedEx(handle, T, N, 4, 4, 4, zeros, a, in.type, 4,
                                                                  16, b, in.type, 4, 16, zeros, c, out.type,
                                                                  4, 16, 1, compute.type, algorithm))) +
                   " ";
        listed += std::to_string(code(cublasGemmBatchedEx(handle, T, N, 4, 4, 4, zeros, constAs, in.type, 4,
                                                          constAs, in.type, 4, zeros, cs, out.type, 4, 1,
                                                          compute.type, algorithm))) +
                  " ";
      }
      const std::string key = std::string(".") + compute.name + "." + in.name;
      OBSERVE("gemm" + key, single);
      OBSERVE("strided" + key, strided);
      OBSERVE("listed" + key, listed);
    }
  cublasDestroy(handle);
}
