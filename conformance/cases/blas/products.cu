// links: cublas
// Status codes and results of levels 2 and 3: sizes, leading dimensions, enumerators that do not exist, beta
// of zero over NaN, products of nothing.
#include <cublas_v2.h>
#include <math.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("blas.products");

static int code(cublasStatus_t status) { return static_cast<int>(status); }

template <typename T>
static std::string text(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + observedText(value);
  return all;
}

struct Size {
  const char* name;
  int m, n, k, lda, ldb, ldc;
};
static const Size kSizes[] = {
    {"plain", 3, 2, 2, 3, 2, 3},    {"no_rows", 0, 2, 2, 3, 2, 3},   {"no_columns", 3, 0, 2, 3, 2, 3},
    {"no_inner", 3, 2, 0, 3, 2, 3}, {"negative", -1, 2, 2, 3, 2, 3}, {"negative_inner", 3, 2, -1, 3, 2, 3},
    {"lda", 3, 2, 2, 2, 2, 3},      {"ldb", 3, 2, 2, 3, 1, 3},       {"ldc", 3, 2, 2, 3, 2, 2},
    {"lda_zero", 3, 2, 2, 0, 2, 3}, {"wide", 3, 2, 2, 4, 4, 4}};
static const int kNone = 99;

template <typename T>
struct Calls;
#define CALLS(T, L)                               \
  template <>                                     \
  struct Calls<T> {                               \
    static constexpr const char* name = #L;       \
    static constexpr auto gemm = cublas##L##gemm; \
    static constexpr auto gemv = cublas##L##gemv; \
    static constexpr auto ger = cublas##L##ger;   \
    static constexpr auto symm = cublas##L##symm; \
    static constexpr auto symv = cublas##L##symv; \
    static constexpr auto syrk = cublas##L##syrk; \
    static constexpr auto syr = cublas##L##syr;   \
    static constexpr auto trsm = cublas##L##trsm; \
    static constexpr auto trmm = cublas##L##trmm; \
    static constexpr auto trsv = cublas##L##trsv; \
    static constexpr auto trmv = cublas##L##trmv; \
    static constexpr auto geam = cublas##L##geam; \
    static constexpr auto dgmm = cublas##L##dgmm; \
  }
CALLS(float, S);
CALLS(double, D);

template <typename T>
static void products(cublasHandle_t handle) {
  using C = Calls<T>;
  const std::string all = std::string(C::name);
  const T one = 1, zero = 0, two = 2;
  const auto N = CUBLAS_OP_N;
  const auto upper = CUBLAS_FILL_MODE_UPPER;
  const auto left = CUBLAS_SIDE_LEFT;
  const auto full = CUBLAS_DIAG_NON_UNIT;
  const auto observe = [&](const std::string& key, cublasStatus_t status, const DeviceValues<T>& c) {
    OBSERVE(all + key, code(status));
    OBSERVE(all + key + ".result", text(c.get()));
  };
  for (const Size& s : kSizes) {
    const std::string name = std::string(".") + s.name;
    DeviceValues<T> a(16), b(16), c(16);
    observe("gemm" + name, C::gemm(handle, N, N, s.m, s.n, s.k, &two, a, s.lda, b, s.ldb, &one, c, s.ldc), c);
    observe("gemv" + name, C::gemv(handle, N, s.m, s.k, &two, a, s.lda, b, 1, &one, c, 1), c);
    observe("ger" + name, C::ger(handle, s.m, s.n, &two, a, 1, b, 1, c, s.ldc), c);
    observe("symm" + name, C::symm(handle, left, upper, s.m, s.n, &one, a, s.lda, b, s.ldb, &one, c, s.ldc),
            c);
    observe("syrk" + name, C::syrk(handle, upper, N, s.m, s.k, &one, a, s.lda, &one, c, s.ldc), c);
    observe("symv" + name, C::symv(handle, upper, s.m, &one, a, s.lda, b, 1, &one, c, 1), c);
    observe("syr" + name, C::syr(handle, upper, s.m, &one, a, 1, c, s.ldc), c);
    observe("trmm" + name,
            C::trmm(handle, left, upper, N, full, s.m, s.n, &one, a, s.lda, b, s.ldb, c, s.ldc), c);
    observe("trmv" + name, C::trmv(handle, upper, N, full, s.m, a, s.lda, c, 1), c);
    observe("geam" + name, C::geam(handle, N, N, s.m, s.n, &one, a, s.lda, &two, b, s.ldb, c, s.ldc), c);
    observe("dgmm" + name, C::dgmm(handle, left, s.m, s.n, a, s.lda, b, 1, c, s.ldc), c);
    OBSERVE(all + "trsm" + name,
            code(C::trsm(handle, left, upper, N, full, s.m, s.n, &one, a, s.lda, c, s.ldc)));
    OBSERVE(all + "trsv" + name, code(C::trsv(handle, upper, N, full, s.m, a, s.lda, c, 1)));
  }
  const std::vector<T> holes(16, static_cast<T>(NAN));
  DeviceValues<T> a(16), b(16), c(holes), bad(holes);
  observe("gemm.beta_zero", C::gemm(handle, N, N, 3, 2, 2, &one, a, 3, b, 2, &zero, c, 3), c);
  c.set(holes);
  observe("gemv.beta_zero", C::gemv(handle, N, 3, 2, &one, a, 3, b, 1, &zero, c, 1), c);
  c.set(holes);
  observe("syrk.beta_zero", C::syrk(handle, upper, N, 3, 2, &one, a, 3, &zero, c, 3), c);
  c.set(std::vector<T>(16, 1));
  observe("gemm.alpha_zero", C::gemm(handle, N, N, 3, 2, 2, &zero, bad, 3, bad, 3, &two, c, 3), c);
  observe("gemv.alpha_zero", C::gemv(handle, N, 3, 2, &zero, bad, 3, bad, 1, &two, c, 1), c);
  const auto noOperation = static_cast<cublasOperation_t>(kNone);
  const auto noFill = static_cast<cublasFillMode_t>(kNone);
  const auto noSide = static_cast<cublasSideMode_t>(kNone);
  const auto noDiag = static_cast<cublasDiagType_t>(kNone);
  const auto bare = [&](const char* key, cublasStatus_t status) { OBSERVE(all + key, code(status)); };
  bare("gemm.operation", C::gemm(handle, noOperation, N, 3, 2, 2, &one, a, 3, b, 2, &one, c, 3));
  bare("gemv.operation", C::gemv(handle, noOperation, 3, 2, &one, a, 3, b, 1, &one, c, 1));
  bare("gemv.step", C::gemv(handle, N, 3, 2, &one, a, 3, b, 0, &one, c, 1));
  bare("symm.side", C::symm(handle, noSide, upper, 3, 2, &one, a, 3, b, 3, &one, c, 3));
  bare("symm.fill", C::symm(handle, left, noFill, 3, 2, &one, a, 3, b, 3, &one, c, 3));
  bare("syrk.fill", C::syrk(handle, noFill, N, 3, 2, &one, a, 3, &one, c, 3));
  bare("trsm.diag", C::trsm(handle, left, upper, N, noDiag, 3, 2, &one, a, 3, c, 3));
  bare("trsv.diag", C::trsv(handle, upper, N, noDiag, 3, a, 3, c, 1));
  bare("dgmm.side", C::dgmm(handle, noSide, 3, 2, a, 3, b, 1, c, 3));
  bare("gemm.no_handle", C::gemm(nullptr, N, N, 3, 2, 2, &one, a, 3, b, 2, &one, c, 3));
  bare("gemv.no_handle", C::gemv(nullptr, N, 3, 2, &one, a, 3, b, 1, &one, c, 1));
  bare("trsm.no_handle", C::trsm(nullptr, left, upper, N, full, 3, 2, &one, a, 3, c, 3));
  bare("gemm.no_alpha", C::gemm(handle, N, N, 3, 2, 2, nullptr, a, 3, b, 2, &one, c, 3));
  bare("gemm.no_beta", C::gemm(handle, N, N, 3, 2, 2, &one, a, 3, b, 2, nullptr, c, 3));
  observe("geam.transposed_in_place", C::geam(handle, CUBLAS_OP_T, N, 2, 2, &one, c, 4, &one, c, 4, c, 4), c);
}

int main() {
  cublasHandle_t handle;
  OBSERVE("create", code(cublasCreate(&handle)));
  products<float>(handle);
  products<double>(handle);
}
