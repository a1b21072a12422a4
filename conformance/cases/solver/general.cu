// links: cusolver cublas
// Eigenvalues of matrices without symmetry and the largest singular values: sizes, kinds of results,
// statuses.
#include "../../framework/solver_values.h"

CONFORMANCE_CASE("solver.general");

#include <algorithm>

static cusolverDnHandle_t handle;
static cusolverDnParams_t params;
static const auto kVector = CUSOLVER_EIG_MODE_VECTOR, kNone = CUSOLVER_EIG_MODE_NOVECTOR;
static size_t onDevice = 0, onHost = 0;

// A 4 x 4 matrix with the eigenvalues 1, 2 and 3 +- 2i, of no symmetry.
static const std::vector<double> kMatrix = {1, 0, 0, 0, 4, 2, 0, 0, -1, 5, 3, 2, 2, 1, -2, 3};

struct Question {
  const char* name;
  cusolverEigMode_t left, right;
  int64_t n, lda;
  cudaDataType a, w, v;
  int64_t ldv;
  cudaDataType compute;
};
static const Question kQuestions[] = {
    {"plain", kNone, kVector, 4, 4, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 4, CUDA_R_64F},
    {"complex_values", kNone, kVector, 4, 4, CUDA_R_64F, CUDA_C_64F, CUDA_R_64F, 4, CUDA_R_64F},
    {"no_vectors", kNone, kNone, 4, 4, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 4, CUDA_R_64F},
    {"none", kNone, kVector, 0, 1, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 1, CUDA_R_64F},
    {"negative", kNone, kVector, -2, 4, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 4, CUDA_R_64F},
    {"narrow", kNone, kVector, 4, 3, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 4, CUDA_R_64F},
    {"narrow_vectors", kNone, kVector, 4, 4, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 3, CUDA_R_64F},
    {"other_values", kNone, kVector, 4, 4, CUDA_R_64F, CUDA_R_32F, CUDA_R_64F, 4, CUDA_R_64F},
    {"other_compute", kNone, kVector, 4, 4, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 4, CUDA_R_32F},
    {"half", kNone, kVector, 4, 4, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, 4, CUDA_R_16F},
};

static cusolverStatus_t size(const Question& q) {
  return cusolverDnXgeev_bufferSize(handle, params, q.left, q.right, q.n, q.a, nullptr, q.lda, q.w, nullptr,
                                    q.v, nullptr, 1, q.v, nullptr, q.ldv, q.compute, &onDevice, &onHost);
}

static void general() {
  for (const Question& q : kQuestions) OBSERVE(std::string("geev.size.") + q.name, code(size(q)));
  for (int i = 0; i < 3; ++i) {
    const Question& q = kQuestions[i];
    const std::string key = std::string("geev.") + q.name;
    DeviceValues<double> a(kMatrix), w(16), v(16);
    DeviceValues<int> info(std::vector<int>{77});
    if (size(q) != CUSOLVER_STATUS_SUCCESS) exit(3);
    void* work = nullptr;
    SETUP(cudaMalloc(&work, onDevice + 256));
    std::vector<char> host(onHost + 256);
    OBSERVE(key,
            code(cusolverDnXgeev(handle, params, q.left, q.right, q.n, q.a, a, q.lda, q.w, w, q.v, nullptr, 1,
                                 q.v, v, q.ldv, q.compute, work, onDevice, host.data(), onHost, info)));
    OBSERVE(key + ".info", info.get()[0]);
    std::vector<double> values = w.get();
    values.resize(8);
    std::sort(values.begin(), values.end());
    OBSERVE(key + ".values", rounded(values));
    SETUP(cudaFree(work));
  }
}

static void largest() {
  // 5 x 3, columns that are orthogonal but for one.
  const std::vector<double> matrix = {3, 0, 0, 0, 1, 0, 4, 0, 1, 0, 0, 0, 9, 0, 0};
  const struct {
    const char* name;
    signed char jobu, jobv;
    int64_t m, n, k, p, lda, ldu, ldv;
  } questions[] = {{"plain", 'S', 'S', 5, 3, 2, 1, 5, 5, 3}, {"no_vectors", 'N', 'N', 5, 3, 2, 1, 5, 5, 3},
                   {"many", 'S', 'S', 5, 3, 3, 1, 5, 5, 3},  {"narrow", 'S', 'S', 5, 3, 2, 1, 4, 5, 3},
                   {"job", 'A', 'S', 5, 3, 2, 1, 5, 5, 3},   {"negative", 'S', 'S', -5, 3, 2, 1, 5, 5, 3}};
  for (const auto& q : questions) {
    const std::string key = std::string("gesvdr.") + q.name;
    DeviceValues<double> a(matrix), s(8), u(32), v(32);
    DeviceValues<int> info(std::vector<int>{77});
    const cusolverStatus_t status = cusolverDnXgesvdr_bufferSize(
        handle, params, q.jobu, q.jobv, q.m, q.n, q.k, q.p, 10, CUDA_R_64F, a, q.lda, CUDA_R_64F, s,
        CUDA_R_64F, u, q.ldu, CUDA_R_64F, v, q.ldv, CUDA_R_64F, &onDevice, &onHost);
    OBSERVE(key + ".size", code(status));
    if (status != CUSOLVER_STATUS_SUCCESS || q.name != std::string(questions[0].name)) continue;
    void* work = nullptr;
    SETUP(cudaMalloc(&work, onDevice + 256));
    std::vector<char> host(onHost + 256);
    OBSERVE(key, code(cusolverDnXgesvdr(handle, params, q.jobu, q.jobv, q.m, q.n, q.k, q.p, 10, CUDA_R_64F, a,
                                        q.lda, CUDA_R_64F, s, CUDA_R_64F, u, q.ldu, CUDA_R_64F, v, q.ldv,
                                        CUDA_R_64F, work, onDevice, host.data(), onHost, info)));
    OBSERVE(key + ".info", info.get()[0]);
    OBSERVE(key + ".values", first(s.get(), 2));
    OBSERVE(key + ".left", first(u.get(), 10, true));
    OBSERVE(key + ".right", first(v.get(), 6, true));
    SETUP(cudaFree(work));
  }
}

int main() {
  OBSERVE("create", code(cusolverDnCreate(&handle)));
  OBSERVE("params", code(cusolverDnCreateParams(&params)));
  general();
  largest();
}
