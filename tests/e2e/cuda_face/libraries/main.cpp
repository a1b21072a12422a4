// A host program that uses CUDA's libraries by their names, built by g++ alone.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftw.h>
#include <cusolverDn.h>
#include <cusolverSp.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

template <class T>
T* onDevice(const std::vector<T>& values) {
  T* data = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&data), sizeof(T) * values.size()) != cudaSuccess) return nullptr;
  cudaMemcpy(data, values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice);
  return data;
}

// Solves A x = b with cuSOLVER's Cholesky, and multiplies A x with cuSPARSE.
int sparse() {
  int wrong = 0, singular = 7;
  int *offsets = onDevice<int>({0, 2, 4}), *columns = onDevice<int>({0, 1, 0, 1});
  double *values = onDevice<double>({4, 1, 1, 3}), *b = onDevice<double>({6, 7}),
         *x = onDevice<double>({0, 0}), *y = onDevice<double>({0, 0});
  cusolverSpHandle_t solver = nullptr;
  cusparseMatDescr_t descr = nullptr;
  wrong += cusolverSpCreate(&solver) != CUSOLVER_STATUS_SUCCESS;
  wrong += cusparseCreateMatDescr(&descr) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusolverSpDcsrlsvchol(solver, 2, 4, descr, values, offsets, columns, b, 1e-12, 0, x, &singular) !=
           CUSOLVER_STATUS_SUCCESS;
  wrong += singular != -1;
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t in = nullptr, out = nullptr;
  wrong += cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseCreateCsr(&a, 2, 2, 4, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseCreateDnVec(&in, 2, x, CUDA_R_64F) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseCreateDnVec(&out, 2, y, CUDA_R_64F) != CUSPARSE_STATUS_SUCCESS;
  const double one = 1, zero = 0;
  wrong += cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, in, &zero, out, CUDA_R_64F,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr) != CUSPARSE_STATUS_SUCCESS;
  double product[2] = {};
  wrong += cudaMemcpy(product, y, sizeof product, cudaMemcpyDeviceToHost) != cudaSuccess;
  wrong += std::abs(product[0] - 6) > 1e-12 || std::abs(product[1] - 7) > 1e-12;
  // Calls of earlier releases, and colours.
  double* const again = onDevice<double>({0, 0});
  wrong += cusparseDcsrmv(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, 2, 2, 4, &one, descr, values, offsets,
                          columns, x, &zero, again) != CUSPARSE_STATUS_SUCCESS;
  wrong += cudaMemcpy(product, again, sizeof product, cudaMemcpyDeviceToHost) != cudaSuccess;
  wrong += std::abs(product[0] - 6) > 1e-12 || std::abs(product[1] - 7) > 1e-12;
  cusparseColorInfo_t info = nullptr;
  int colors = 0, first[2] = {-1, -1}, *coloring = onDevice<int>({-1, -1});
  wrong += cusparseCreateColorInfo(&info) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseDcsrcolor(handle, 2, 4, descr, values, offsets, columns, &one, &colors, coloring, nullptr,
                             info) != CUSPARSE_STATUS_SUCCESS;
  wrong += cudaMemcpy(first, coloring, sizeof first, cudaMemcpyDeviceToHost) != cudaSuccess;
  wrong += colors != 2 || first[0] == first[1];
  wrong += cusparseDestroyColorInfo(info) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseDestroySpMat(a) != CUSPARSE_STATUS_SUCCESS ||
           cusparseDestroyDnVec(in) != CUSPARSE_STATUS_SUCCESS ||
           cusparseDestroyDnVec(out) != CUSPARSE_STATUS_SUCCESS ||
           cusparseDestroy(handle) != CUSPARSE_STATUS_SUCCESS;
  wrong += cusparseDestroyMatDescr(descr) != CUSPARSE_STATUS_SUCCESS ||
           cusolverSpDestroy(solver) != CUSOLVER_STATUS_SUCCESS;
  return wrong;
}

// FFTW's interface, on memory of the host.
int fftw() {
  const int n = 16;
  fftwf_complex in[n], out[n];
  for (int i = 0; i < n; ++i) in[i][0] = in[i][1] = 1;
  const fftwf_plan plan = fftwf_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
  return plan == nullptr || out[0][0] != n || out[0][1] != n || std::abs(out[1][0]) > 1e-5f;
}

// As cuBLAS has them: numbers, names, and INVALID_VALUE for whatever argument is wrong. Handles are of a type
// each.
const char* whose(cublasHandle_t) { return "blas"; }
const char* whose(cusolverDnHandle_t) { return "solver"; }

int statuses() {
  static_assert(CUBLAS_STATUS_NOT_INITIALIZED == 1 && CUBLAS_STATUS_INVALID_VALUE == 7 &&
                CUBLAS_STATUS_INTERNAL_ERROR == 14 && CUBLAS_STATUS_NOT_SUPPORTED == 15);
  cublasHandle_t handle = nullptr;
  cusolverDnHandle_t solver = nullptr;
  const float one = 1;
  float* const data = onDevice<float>({1, 2, 3, 4});
  int wrong = cublasSscal(nullptr, 1, &one, data, 1) != CUBLAS_STATUS_NOT_INITIALIZED;
  wrong +=
      cublasCreate(nullptr) != CUBLAS_STATUS_INVALID_VALUE || cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS;
  for (const int m : {-1, 3})  // 3: more rows than the leading dimension has
    wrong += cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 2, 2, &one, data, 2, data, 2, &one, data, 2) !=
             CUBLAS_STATUS_INVALID_VALUE;
  wrong += cublasSscal(handle, 2, nullptr, data, 1) != CUBLAS_STATUS_INVALID_VALUE;
  const char* const name = cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE);
  wrong += name[0] != 'C' || std::strcmp(name + 2, "BLAS_STATUS_INVALID_VALUE") != 0;
  wrong += cusolverDnCreate(&solver) != CUSOLVER_STATUS_SUCCESS || whose(solver) == whose(handle);
  wrong +=
      cusolverDnDestroy(solver) != CUSOLVER_STATUS_SUCCESS || cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS;
  return wrong;
}

}  // namespace

int main() {
  const int n = 8;
  const float one = 1, zero = 0;
  std::vector<float> ones(n * n, 1), out(n * n);
  float *a = nullptr, *c = nullptr;
  cublasHandle_t handle = nullptr;
  cufftHandle plan = 0;
  int wrong = 0;
  wrong += cudaMalloc(reinterpret_cast<void**>(&a), sizeof(float) * n * n) != cudaSuccess;
  wrong += cudaMalloc(reinterpret_cast<void**>(&c), sizeof(float) * n * n) != cudaSuccess;
  wrong += cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS;
  wrong += cublasSetMatrix(n, n, sizeof(float), ones.data(), n, a, n) != CUBLAS_STATUS_SUCCESS;
  wrong += cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, a, n, &zero, c, n) !=
           CUBLAS_STATUS_SUCCESS;
  wrong += cublasGetMatrix(n, n, sizeof(float), c, n, out.data(), n) != CUBLAS_STATUS_SUCCESS;
  for (const float value : out) wrong += value != n;
  wrong += cufftPlan1d(&plan, n * n / 2, CUFFT_C2C, 1) != CUFFT_SUCCESS;
  wrong += cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(a), reinterpret_cast<cufftComplex*>(c),
                        CUFFT_FORWARD) != CUFFT_SUCCESS;
  wrong += cudaMemcpy(out.data(), c, sizeof(float) * n * n, cudaMemcpyDeviceToHost) != cudaSuccess;
  wrong += out[0] != n * n / 2 || out[1] != n * n / 2;
  wrong += cufftDestroy(plan) != CUFFT_SUCCESS || cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS;
  wrong += sparse() + fftw() + statuses();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
