// links: cusolver cublas
// The 64-bit interface: types named by arguments, work areas on both sides.
#include "../../framework/solver_values.h"

CONFORMANCE_CASE("solver.wide");

static cusolverDnHandle_t handle;
static cusolverDnParams_t params;
static const auto kUpper = CUBLAS_FILL_MODE_UPPER;
static const auto kVector = CUSOLVER_EIG_MODE_VECTOR;

template <typename T>
struct Type;
template <>
struct Type<float> {
  static constexpr const char* name = "S";
  static constexpr cudaDataType value = CUDA_R_32F, other = CUDA_R_64F;
};
template <>
struct Type<double> {
  static constexpr const char* name = "D";
  static constexpr cudaDataType value = CUDA_R_64F, other = CUDA_R_32F;
};

struct Size {
  const char* name;
  int64_t n, lda;
};
static const Size kSizes[] = {
    {"plain", 3, 3}, {"wide", 3, 4}, {"none", 0, 3}, {"negative", -2, 3}, {"narrow", 3, 2}};

struct Work {
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() { cudaFree(device); }
  // As large as was told.
  void fit() {
    if (onDevice > size_t(1) << 30 || onHost > size_t(1) << 30) onDevice = onHost = 0;
    if (onDevice + 256 > room) {
      cudaFree(device);
      room = onDevice + 256;
      SETUP(cudaMalloc(&device, room));
    }
    host.resize(onHost + 256);
  }
  void* device = nullptr;
  std::vector<char> host;
  size_t room = 0, onDevice = 0, onHost = 0;
};

template <typename T>
static void all() {
  const auto type = Type<T>::value;
  const std::string name = Type<T>::name;
  const std::vector<T> definite = {4, 1, 0, 1, 3, 1, 0, 1, 5}, singular = {1, 2, 4, 2, 4, 8, 4, 8, 16},
                       indefinite = {4, 1, 0, 1, -3, 1, 0, 1, 5};
  Work w;
  DeviceValues<int> info(std::vector<int>{77});
  DeviceValues<int64_t> pivots(std::vector<int64_t>{1, 2, 3});
  DeviceValues<T> b(16), u(16), v(16);
  const auto observe = [&](const std::string& key, cusolverStatus_t status) {
    OBSERVE(name + key, code(status));
    OBSERVE(name + key + ".info", info.get()[0]);
    info.set({77});
  };
  const auto sized = [&](const std::string& key, cusolverStatus_t status) {
    OBSERVE(name + key, code(status));
    w.fit();
  };
  for (const Size& s : kSizes) {
    const std::string at = std::string(".") + s.name;
    DeviceValues<T> a(16);
    sized("potrf_size" + at, cusolverDnXpotrf_bufferSize(handle, params, kUpper, s.n, type, a, s.lda, type,
                                                         &w.onDevice, &w.onHost));
    sized("getrf_size" + at, cusolverDnXgetrf_bufferSize(handle, params, s.n, s.n, type, a, s.lda, type,
                                                         &w.onDevice, &w.onHost));
    sized("geqrf_size" + at, cusolverDnXgeqrf_bufferSize(handle, params, s.n, s.n, type, a, s.lda, type, b,
                                                         type, &w.onDevice, &w.onHost));
    sized("syevd_size" + at, cusolverDnXsyevd_bufferSize(handle, params, kVector, kUpper, s.n, type, a, s.lda,
                                                         type, b, type, &w.onDevice, &w.onHost));
    sized("gesvd_size" + at,
          cusolverDnXgesvd_bufferSize(handle, params, 'A', 'A', s.n, s.n, type, a, s.lda, type, b, type, u, 3,
                                      type, v, 3, type, &w.onDevice, &w.onHost));
    sized("trtri_size" + at, cusolverDnXtrtri_bufferSize(handle, kUpper, CUBLAS_DIAG_NON_UNIT, s.n, type, a,
                                                         s.lda, &w.onDevice, &w.onHost));
    DeviceValues<T> rhs(16);
    observe("potrs" + at,
            cusolverDnXpotrs(handle, params, kUpper, s.n, 1, type, a, s.lda, type, rhs, 3, info));
    observe("getrs" + at, cusolverDnXgetrs(handle, params, CUBLAS_OP_N, s.n, 1, type, a, s.lda, pivots, type,
                                           rhs, 3, info));
  }
  struct Matrix {
    const char* name;
    const std::vector<T>& values;
  };
  for (const Matrix& m :
       {Matrix{".definite", definite}, Matrix{".singular", singular}, Matrix{".indefinite", indefinite}}) {
    DeviceValues<T> a(m.values), rhs(std::vector<T>{5, 5, 6});
    const std::string at = m.name;
    sized("potrf_size" + at,
          cusolverDnXpotrf_bufferSize(handle, params, kUpper, 3, type, a, 3, type, &w.onDevice, &w.onHost));
    observe("potrf" + at, cusolverDnXpotrf(handle, params, kUpper, 3, type, a, 3, type, w.device, w.onDevice,
                                           w.host.data(), w.onHost, info));
    if (&m.values == &definite) {
      observe("potrs" + at, cusolverDnXpotrs(handle, params, kUpper, 3, 1, type, a, 3, type, rhs, 3, info));
      OBSERVE(name + "potrs.x" + at, rounded(rhs.get()));
    }
    a.set(m.values);
    rhs.set({5, 5, 6});
    sized("getrf_size" + at,
          cusolverDnXgetrf_bufferSize(handle, params, 3, 3, type, a, 3, type, &w.onDevice, &w.onHost));
    observe("getrf" + at, cusolverDnXgetrf(handle, params, 3, 3, type, a, 3, pivots, type, w.device,
                                           w.onDevice, w.host.data(), w.onHost, info));
    OBSERVE(name + "getrf.pivots" + at, rounded(pivots.get()));
    if (&m.values != &singular) {
      observe("getrs" + at,
              cusolverDnXgetrs(handle, params, CUBLAS_OP_N, 3, 1, type, a, 3, pivots, type, rhs, 3, info));
      OBSERVE(name + "getrs.x" + at, rounded(rhs.get()));
    }
    a.set(m.values);
    sized("geqrf_size" + at, cusolverDnXgeqrf_bufferSize(handle, params, 3, 3, type, a, 3, type, b, type,
                                                         &w.onDevice, &w.onHost));
    observe("geqrf" + at, cusolverDnXgeqrf(handle, params, 3, 3, type, a, 3, type, b, type, w.device,
                                           w.onDevice, w.host.data(), w.onHost, info));
    a.set(m.values);
    for (auto job : {CUSOLVER_EIG_MODE_NOVECTOR, kVector}) {
      const std::string key = at + ".vectors_" + std::to_string(job);
      a.set(m.values);
      sized("syevd_size" + key, cusolverDnXsyevd_bufferSize(handle, params, job, kUpper, 3, type, a, 3, type,
                                                            b, type, &w.onDevice, &w.onHost));
      observe("syevd" + key, cusolverDnXsyevd(handle, params, job, kUpper, 3, type, a, 3, type, b, type,
                                              w.device, w.onDevice, w.host.data(), w.onHost, info));
      OBSERVE(name + "syevd.w" + key, first(b.get(), 3));
    }
    for (auto range : {CUSOLVER_EIG_RANGE_ALL, CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
      const std::string key = at + ".range_" + std::to_string(range - CUSOLVER_EIG_RANGE_ALL);
      a.set(m.values);
      T low = T(2.5), high = T(4.5);
      int64_t found = -1;
      sized("syevdx_size" + key,
            cusolverDnXsyevdx_bufferSize(handle, params, kVector, range, kUpper, 3, type, a, 3, &low, &high,
                                         2, 3, &found, type, b, type, &w.onDevice, &w.onHost));
      observe("syevdx" + key,
              cusolverDnXsyevdx(handle, params, kVector, range, kUpper, 3, type, a, 3, &low, &high, 2, 3,
                                &found, type, b, type, w.device, w.onDevice, w.host.data(), w.onHost, info));
      OBSERVE(name + "syevdx.found" + key, found);
      if (found > 0 && found <= 3)
        OBSERVE(name + "syevdx.w" + key, first(b.get(), static_cast<size_t>(found)));
    }
    a.set(m.values);
    sized("gesvd_size" + at,
          cusolverDnXgesvd_bufferSize(handle, params, 'A', 'A', 3, 3, type, a, 3, type, b, type, u, 3, type,
                                      v, 3, type, &w.onDevice, &w.onHost));
    observe("gesvd" + at,
            cusolverDnXgesvd(handle, params, 'A', 'A', 3, 3, type, a, 3, type, b, type, u, 3, type, v, 3,
                             type, w.device, w.onDevice, w.host.data(), w.onHost, info));
    OBSERVE(name + "gesvd.s" + at, first(b.get(), 3));
    a.set(m.values);
    double error = -1;
    sized("gesvdp_size" + at,
          cusolverDnXgesvdp_bufferSize(handle, params, kVector, 0, 3, 3, type, a, 3, type, b, type, u, 3,
                                       type, v, 3, type, &w.onDevice, &w.onHost));
    observe("gesvdp" + at,
            cusolverDnXgesvdp(handle, params, kVector, 0, 3, 3, type, a, 3, type, b, type, u, 3, type, v, 3,
                              type, w.device, w.onDevice, w.host.data(), w.onHost, info, &error));
    OBSERVE(name + "gesvdp.s" + at, first(b.get(), 3));
  }
  DeviceValues<T> triangle(std::vector<T>{2, 7, 7, 1, 4, 7, 1, 1, 8}),
      zero(std::vector<T>{2, 0, 0, 1, 0, 0, 1, 1, 8});
  for (auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
    const std::string key = ".unit_" + std::to_string(diagonal);
    triangle.set({2, 7, 7, 1, 4, 7, 1, 1, 8});
    zero.set({2, 0, 0, 1, 0, 0, 1, 1, 8});
    sized("trtri_size" + key, cusolverDnXtrtri_bufferSize(handle, kUpper, diagonal, 3, type, triangle, 3,
                                                          &w.onDevice, &w.onHost));
    observe("trtri" + key, cusolverDnXtrtri(handle, kUpper, diagonal, 3, type, triangle, 3, w.device,
                                            w.onDevice, w.host.data(), w.onHost, info));
    OBSERVE(name + "trtri.values" + key, rounded(triangle.get()));
    observe("trtri.zero" + key, cusolverDnXtrtri(handle, kUpper, diagonal, 3, type, zero, 3, w.device,
                                                 w.onDevice, w.host.data(), w.onHost, info));
  }
  DeviceValues<T> a(definite);
  const auto bare = [&](const char* key, cusolverStatus_t status) { OBSERVE(name + key, code(status)); };
  bare("potrf_size.type", cusolverDnXpotrf_bufferSize(handle, params, kUpper, 3, Type<T>::other, a, 3, type,
                                                      &w.onDevice, &w.onHost));
  bare("potrf_size.compute", cusolverDnXpotrf_bufferSize(handle, params, kUpper, 3, type, a, 3,
                                                         Type<T>::other, &w.onDevice, &w.onHost));
  bare("potrf_size.half", cusolverDnXpotrf_bufferSize(handle, params, kUpper, 3, CUDA_R_16F, a, 3, CUDA_R_16F,
                                                      &w.onDevice, &w.onHost));
  bare("potrf_size.fill", cusolverDnXpotrf_bufferSize(handle, params, static_cast<cublasFillMode_t>(99), 3,
                                                      type, a, 3, type, &w.onDevice, &w.onHost));
  bare("potrf_size.no_handle",
       cusolverDnXpotrf_bufferSize(nullptr, params, kUpper, 3, type, a, 3, type, &w.onDevice, &w.onHost));
  bare("potrf_size.no_params",
       cusolverDnXpotrf_bufferSize(handle, nullptr, kUpper, 3, type, a, 3, type, &w.onDevice, &w.onHost));
  bare("gesvd_size.job", cusolverDnXgesvd_bufferSize(handle, params, 'X', 'A', 3, 3, type, a, 3, type, b,
                                                     type, u, 3, type, v, 3, type, &w.onDevice, &w.onHost));
  bare("gesvd_size.wide_matrix",
       cusolverDnXgesvd_bufferSize(handle, params, 'A', 'A', 2, 3, type, a, 3, type, b, type, u, 3, type, v,
                                   3, type, &w.onDevice, &w.onHost));
  bare("syevd_size.mode",
       cusolverDnXsyevd_bufferSize(handle, params, static_cast<cusolverEigMode_t>(99), kUpper, 3, type, a, 3,
                                   type, b, type, &w.onDevice, &w.onHost));
  cusolverDnXpotrf_bufferSize(handle, params, kUpper, 3, type, a, 3, type, &w.onDevice, &w.onHost);
  w.fit();
  bare("potrf.little_work", cusolverDnXpotrf(handle, params, kUpper, 3, type, a, 3, type, w.device, 0,
                                             w.host.data(), w.onHost, info));
}

int main() {
  OBSERVE("create", code(cusolverDnCreate(&handle)));
  OBSERVE("params", code(cusolverDnCreateParams(&params)));
  OBSERVE("params.option", code(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1)));
  OBSERVE("params.option.function",
          code(cusolverDnSetAdvOptions(params, static_cast<cusolverDnFunction_t>(99), CUSOLVER_ALG_0)));
  OBSERVE("params.option.algorithm",
          code(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, static_cast<cusolverAlgMode_t>(99))));
  OBSERVE("params.option.back", code(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0)));
  all<float>();
  all<double>();
  OBSERVE("params.destroy", code(cusolverDnDestroyParams(params)));
  OBSERVE("destroy", code(cusolverDnDestroy(handle)));
}
