// links: cusolver cublas
// Status codes and info of dense factorisations: sizes, leading dimensions, singular and indefinite matrices,
// NaN.
#include <cusolverDn.h>
#include <math.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("solver.dense");

static int code(cusolverStatus_t status) { return static_cast<int>(status); }

struct Size {
  const char* name;
  int n, lda;
};
static const Size kSizes[] = {
    {"plain", 3, 3}, {"wide", 3, 4}, {"none", 0, 3}, {"negative", -2, 3}, {"narrow", 3, 2}};
struct Matrix {
  const char* name;
  double values[9];
};
static const Matrix kMatrices[] = {{"definite", {4, 1, 0, 1, 3, 1, 0, 1, 5}},
                                   {"indefinite", {4, 1, 0, 1, -3, 1, 0, 1, 5}},
                                   {"singular", {1, 2, 4, 2, 4, 8, 4, 8, 16}},
                                   {"nan", {NAN, 1, 0, 1, 3, 1, 0, 1, 5}}};

template <typename T>
struct Calls;
#define CALLS(T, L)                                                    \
  template <>                                                          \
  struct Calls<T> {                                                    \
    static constexpr const char* name = #L;                            \
    static constexpr auto potrfSize = cusolverDn##L##potrf_bufferSize; \
    static constexpr auto potrf = cusolverDn##L##potrf;                \
    static constexpr auto potrs = cusolverDn##L##potrs;                \
    static constexpr auto potriSize = cusolverDn##L##potri_bufferSize; \
    static constexpr auto potri = cusolverDn##L##potri;                \
    static constexpr auto getrfSize = cusolverDn##L##getrf_bufferSize; \
    static constexpr auto getrf = cusolverDn##L##getrf;                \
    static constexpr auto getrs = cusolverDn##L##getrs;                \
    static constexpr auto geqrfSize = cusolverDn##L##geqrf_bufferSize; \
    static constexpr auto geqrf = cusolverDn##L##geqrf;                \
    static constexpr auto syevdSize = cusolverDn##L##syevd_bufferSize; \
    static constexpr auto syevd = cusolverDn##L##syevd;                \
    static constexpr auto gesvdSize = cusolverDn##L##gesvd_bufferSize; \
    static constexpr auto gesvd = cusolverDn##L##gesvd;                \
  }
CALLS(float, S);
CALLS(double, D);

template <typename T>
static void factorisations(cusolverDnHandle_t handle) {
  using C = Calls<T>;
  const std::string all = std::string(C::name);
  const auto upper = CUBLAS_FILL_MODE_UPPER;
  DeviceValues<int> info(std::vector<int>{77}), pivots(std::vector<int>{1, 2, 3});
  DeviceValues<T> work(65536), b(16), tau(16);
  const auto observe = [&](const std::string& key, cusolverStatus_t status) {
    OBSERVE(all + key, code(status));
    OBSERVE(all + key + ".info", info.get()[0]);
    info.set({77});
  };
  for (const Size& s : kSizes) {
    const std::string name = std::string(".") + s.name;
    DeviceValues<T> a(16);
    int size = -1;
    const auto sized = [&](const char* key, cusolverStatus_t status) {
      OBSERVE(all + key + name, code(status));
      size = -1;
    };
    sized("potrf_size", C::potrfSize(handle, upper, s.n, a, s.lda, &size));
    sized("potri_size", C::potriSize(handle, upper, s.n, a, s.lda, &size));
    sized("getrf_size", C::getrfSize(handle, s.n, s.n, a, s.lda, &size));
    sized("geqrf_size", C::geqrfSize(handle, s.n, s.n, a, s.lda, &size));
    sized("syevd_size", C::syevdSize(handle, CUSOLVER_EIG_MODE_VECTOR, upper, s.n, a, s.lda, b, &size));
    sized("gesvd_size", C::gesvdSize(handle, s.n, s.n, &size));
    DeviceValues<T> rhs(16);
    observe("potrs" + name, C::potrs(handle, upper, s.n, 1, a, s.lda, rhs, 3, info));
    observe("getrs" + name, C::getrs(handle, CUBLAS_OP_N, s.n, 1, a, s.lda, pivots, rhs, 3, info));
  }
  for (const Matrix& m : kMatrices) {
    const std::string name = std::string(".") + m.name;
    const std::vector<T> values(m.values, m.values + 9);
    DeviceValues<T> a(values), u(16), v(16);
    observe("potrf" + name, C::potrf(handle, upper, 3, a, 3, work, 65536, info));
    observe("potri" + name, C::potri(handle, upper, 3, a, 3, work, 65536, info));
    a.set(values);
    observe("getrf" + name, C::getrf(handle, 3, 3, a, 3, work, pivots, info));
    a.set(values);
    observe("getrf_unpivoted" + name, C::getrf(handle, 3, 3, a, 3, work, nullptr, info));
    a.set(values);
    observe("geqrf" + name, C::geqrf(handle, 3, 3, a, 3, tau, work, 65536, info));
    if (m.values[0] != m.values[0]) continue;
    a.set(values);
    int asked = 0;
    C::syevdSize(handle, CUSOLVER_EIG_MODE_VECTOR, upper, 3, a, 3, b, &asked);
    DeviceValues<T> enough(static_cast<size_t>(asked) + 16);
    observe("syevd" + name,
            C::syevd(handle, CUSOLVER_EIG_MODE_VECTOR, upper, 3, a, 3, b, enough, asked, info));
    a.set(values);
    observe("gesvd" + name,
            C::gesvd(handle, 'A', 'A', 3, 3, a, 3, b, u, 3, v, 3, work, 65536, nullptr, info));
  }
  DeviceValues<T> a(16), u(16), v(16);
  int size = 0;
  const auto bare = [&](const char* key, cusolverStatus_t status) { OBSERVE(all + key, code(status)); };
  bare("potrf.fill", C::potrf(handle, static_cast<cublasFillMode_t>(99), 3, a, 3, work, 65536, info));
  bare("potrf.little_work", C::potrf(handle, upper, 3, a, 3, work, 0, info));
  bare("syevd.mode", C::syevdSize(handle, static_cast<cusolverEigMode_t>(99), upper, 3, a, 3, b, &size));
  bare("gesvd.job", C::gesvd(handle, 'X', 'A', 3, 3, a, 3, b, u, 3, v, 3, work, 65536, nullptr, info));
  bare("gesvd.both_over", C::gesvd(handle, 'O', 'O', 3, 3, a, 3, b, u, 3, v, 3, work, 65536, nullptr, info));
  bare("gesvd_size.wide_matrix", C::gesvdSize(handle, 2, 3, &size));
  bare("potrf.no_handle", C::potrf(nullptr, upper, 3, a, 3, work, 65536, info));
  bare("getrs.operation",
       C::getrs(handle, static_cast<cublasOperation_t>(99), 3, 1, a, 3, pivots, b, 3, info));
}

int main() {
  cusolverDnHandle_t handle;
  OBSERVE("create", code(cusolverDnCreate(&handle)));
  cudaStream_t stream;
  OBSERVE("stream", code(cusolverDnGetStream(handle, &stream)));
  OBSERVE("stream.default", stream == nullptr);
  factorisations<float>(handle);
  factorisations<double>(handle);
  OBSERVE("destroy", code(cusolverDnDestroy(handle)));
}
