// links: cublas
// What cuBLAS has beyond BLAS: batches, factorisations, types as arguments, and no elements, no handle, no
// matrices.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <math.h>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("blas.extension");

static int code(cublasStatus_t status) { return static_cast<int>(status); }

template <typename T>
static std::string text(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : " ") + observedText(value);
  return all;
}

static const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;

// Matrices of 4 x 4 at 16 numbers each, and the array of their addresses.
template <typename R>
struct Matrices {
  Matrices(int count, R diagonal) : values(made(count, diagonal)), places(listed(count)) {}
  std::vector<R> made(int count, R diagonal) const {
    std::vector<R> all(16 * count);
    for (int i = 0; i < 16 * count; ++i)
      all[i] = static_cast<R>(i * 7 % 5 - 2) + (i % 16 % 5 == 0 ? diagonal : R(0));
    return all;
  }
  std::vector<R*> listed(int count) const {
    std::vector<R*> all(count);
    for (int i = 0; i < count; ++i) all[i] = static_cast<R*>(values) + 16 * i;
    return all;
  }
  R** lists() const { return places; }
  const R** constLists() const { return const_cast<const R**>(lists()); }

  DeviceValues<R> values;
  DeviceValues<R*> places;
};

template <typename R>
static void rounded(const std::string& key, const DeviceValues<R>& values) {
  std::string all;
  for (const R value : values.get()) all += observedText(static_cast<double>(round(value * 16) / 16)) + " ";
  OBSERVE(key, all);
}

#define FACTORISATIONS(R, L)                                                                                 \
  static void factorise(cublasHandle_t handle, R) {                                                          \
    const std::string all = #L;                                                                              \
    for (const int n : {4, 0, -1}) {                                                                         \
      const std::string key = "." + std::to_string(n);                                                       \
      Matrices<R> a(2, 8), c(2, 0), b(2, 1);                                                                 \
      DeviceValues<int> pivots(8), infos(2);                                                                 \
      int info = -7;                                                                                         \
      OBSERVE(all + "getrf" + key,                                                                           \
              code(cublas##L##getrfBatched(handle, n, a.lists(), 4, pivots, infos, 2)));                     \
      rounded(all + "getrf" + key + ".result", a.values);                                                    \
      OBSERVE(all + "getrf" + key + ".pivots", text(pivots.get()));                                          \
      OBSERVE(all + "getrf" + key + ".infos", text(infos.get()));                                            \
      OBSERVE(all + "getri" + key,                                                                           \
              code(cublas##L##getriBatched(handle, n, a.constLists(), 4, pivots, c.lists(), 4, infos, 2)));  \
      OBSERVE(all + "getrs" + key, code(cublas##L##getrsBatched(handle, N, n, 2, a.constLists(), 4, pivots,  \
                                                                b.lists(), 4, &info, 2)));                   \
      OBSERVE(all + "getrs" + key + ".info", info);                                                          \
      rounded(all + "getrs" + key + ".result", b.values);                                                    \
      Matrices<R> d(2, 8), e(2, 0);                                                                          \
      OBSERVE(all + "matinv" + key,                                                                          \
              code(cublas##L##matinvBatched(handle, n, d.constLists(), 4, e.lists(), 4, infos, 2)));         \
      OBSERVE(all + "matinv" + key + ".infos", text(infos.get()));                                           \
      const R one = 1;                                                                                       \
      OBSERVE(all + "trsm" + key,                                                                            \
              code(cublas##L##trsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, N,               \
                                          CUBLAS_DIAG_NON_UNIT, n, 2, &one, d.constLists(), 4, e.lists(), 4, \
                                          2)));                                                              \
      info = -7;                                                                                             \
      Matrices<R> tau(2, 0);                                                                                 \
      OBSERVE(all + "geqrf" + key,                                                                           \
              code(cublas##L##geqrfBatched(handle, 4, n, d.lists(), 4, tau.lists(), &info, 2)));             \
      OBSERVE(all + "geqrf" + key + ".info", info);                                                          \
      info = -7;                                                                                             \
      Matrices<R> f(2, 8), g(2, 1);                                                                          \
      OBSERVE(all + "gels" + key, code(cublas##L##gelsBatched(handle, N, 4, n, 1, f.lists(), 4, g.lists(),   \
                                                              4, &info, infos, 2)));                         \
      OBSERVE(all + "gels" + key + ".info", info);                                                           \
    }                                                                                                        \
    Matrices<R> singular(1, 0);                                                                              \
    singular.values.set(std::vector<R>(16, 1));                                                              \
    DeviceValues<int> pivots(4), infos(1);                                                                   \
    OBSERVE(all + "getrf.singular",                                                                          \
            code(cublas##L##getrfBatched(handle, 4, singular.lists(), 4, pivots, infos, 1)));                \
    OBSERVE(all + "getrf.singular.infos", text(infos.get()));                                                \
    OBSERVE(all + "getrf.no_handle",                                                                         \
            code(cublas##L##getrfBatched(nullptr, 4, singular.lists(), 4, pivots, infos, 1)));               \
    OBSERVE(all + "getrf.ld",                                                                                \
            code(cublas##L##getrfBatched(handle, 4, singular.lists(), 3, pivots, infos, 1)));                \
    OBSERVE(all + "getrf.no_pivots",                                                                         \
            code(cublas##L##getrfBatched(handle, 4, singular.lists(), 4, nullptr, infos, 1)));               \
    OBSERVE(all + "getrf.no_batch",                                                                          \
            code(cublas##L##getrfBatched(handle, 4, singular.lists(), 4, pivots, infos, 0)));                \
    OBSERVE(all + "getrf.negative_batch",                                                                    \
            code(cublas##L##getrfBatched(handle, 4, singular.lists(), 4, pivots, infos, -1)));               \
    OBSERVE(all + "matinv.size", code(cublas##L##matinvBatched(handle, 33, singular.constLists(), 33,        \
                                                               singular.lists(), 33, infos, 1)));            \
    DeviceValues<R> packed(16), square(16);                                                                  \
    OBSERVE(all + "tpttr", code(cublas##L##tpttr(handle, CUBLAS_FILL_MODE_UPPER, 4, packed, square, 4)));    \
    OBSERVE(all + "tpttr.result", text(square.get()));                                                       \
    OBSERVE(all + "trttp", code(cublas##L##trttp(handle, CUBLAS_FILL_MODE_LOWER, 4, square, 4, packed)));    \
    OBSERVE(all + "trttp.result", text(packed.get()));                                                       \
    OBSERVE(all + "tpttr.ld", code(cublas##L##tpttr(handle, CUBLAS_FILL_MODE_UPPER, 4, packed, square, 3))); \
    OBSERVE(all + "tpttr.fill",                                                                              \
            code(cublas##L##tpttr(handle, static_cast<cublasFillMode_t>(9), 4, packed, square, 4)));         \
  }
FACTORISATIONS(float, S)
FACTORISATIONS(double, D)

struct Batch {
  const char* name;
  int m, n, k, ld, count;
};
static const Batch kBatches[] = {{"plain", 2, 2, 2, 4, 3},           {"no_count", 2, 2, 2, 4, 0},
                                 {"negative_count", 2, 2, 2, 4, -1}, {"no_rows", 0, 2, 2, 4, 3},
                                 {"no_inner", 2, 2, 0, 4, 3},        {"ld", 3, 2, 2, 2, 3},
                                 {"negative", -1, 2, 2, 4, 3}};

#define PRODUCTS(R, L)                                                                                       \
  static void multiply(cublasHandle_t handle, R) {                                                           \
    const R one = 1, two = 2, zero = 0;                                                                      \
    for (const Batch& s : kBatches) {                                                                        \
      const std::string key = std::string("." #L ".") + s.name;                                              \
      Matrices<R> a(3, 1), b(3, 2), c(3, 0);                                                                 \
      OBSERVE("gemmBatched" + key,                                                                           \
              code(cublas##L##gemmBatched(handle, N, T, s.m, s.n, s.k, &two, a.constLists(), s.ld,           \
                                          b.constLists(), s.ld, &one, c.lists(), s.ld, s.count)));           \
      OBSERVE("gemmBatched" + key + ".result", text(c.values.get()));                                        \
      OBSERVE("gemmStrided" + key,                                                                           \
              code(cublas##L##gemmStridedBatched(handle, T, N, s.m, s.n, s.k, &two, a.values, s.ld, 16,      \
                                                 b.values, s.ld, 0, &one, c.values, s.ld, 16, s.count)));    \
      OBSERVE("gemmStrided" + key + ".result", text(c.values.get()));                                        \
      OBSERVE("gemvBatched" + key,                                                                           \
              code(cublas##L##gemvBatched(handle, N, s.m, s.n, &two, a.constLists(), s.ld, b.constLists(),   \
                                          1, &one, c.lists(), 1, s.count)));                                 \
      OBSERVE("gemvBatched" + key + ".result", text(c.values.get()));                                        \
      OBSERVE("gemvStrided" + key,                                                                           \
              code(cublas##L##gemvStridedBatched(handle, T, s.m, s.n, &two, a.values, s.ld, 16, b.values,    \
                                                 -1, 16, &one, c.values, 2, 16, s.count)));                  \
      OBSERVE("gemvStrided" + key + ".result", text(c.values.get()));                                        \
    }                                                                                                        \
    Matrices<R> a(1, 1), c(1, 0);                                                                            \
    c.values.set(std::vector<R>(16, static_cast<R>(NAN)));                                                   \
    OBSERVE("gemmBatched." #L ".beta_zero",                                                                  \
            code(cublas##L##gemmBatched(handle, N, N, 4, 4, 4, &one, a.constLists(), 4, a.constLists(), 4,   \
                                        &zero, c.lists(), 4, 1)));                                           \
    OBSERVE("gemmBatched." #L ".beta_zero.result", text(c.values.get()));                                    \
    OBSERVE("gemvBatched." #L ".no_increment",                                                               \
            code(cublas##L##gemvBatched(handle, N, 4, 4, &one, a.constLists(), 4, a.constLists(), 0, &zero,  \
                                        c.lists(), 1, 1)));                                                  \
    OBSERVE("gemmBatched." #L ".no_handle",                                                                  \
            code(cublas##L##gemmBatched(nullptr, N, N, 4, 4, 4, &one, a.constLists(), 4, a.constLists(), 4,  \
                                        &zero, c.lists(), 4, 1)));                                           \
    const cublasOperation_t ops[] = {N, T};                                                                  \
    const int sizes[] = {2, 2}, lds[] = {4, 4}, members[] = {1, 2}, none[] = {0, 2}, negative[] = {-1, 2};   \
    const R factors[] = {1, 2};                                                                              \
    Matrices<R> x(3, 1), y(3, 0);                                                                            \
    const auto grouped = [&](const char* key, const int* m, int groups, const int* count) {                  \
      OBSERVE(std::string("gemmGrouped." #L ".") + key,                                                      \
              code(cublas##L##gemmGroupedBatched(handle, ops, ops, m, sizes, sizes, factors, x.constLists(), \
                                                 lds, x.constLists(), lds, factors, y.lists(), lds, groups,  \
                                                 count)));                                                   \
      OBSERVE(std::string("gemmGrouped." #L ".") + key + ".result", text(y.values.get()));                   \
    };                                                                                                       \
    grouped("plain", sizes, 2, members);                                                                     \
    grouped("no_groups", sizes, 0, members);                                                                 \
    grouped("negative_groups", sizes, -1, members);                                                          \
    grouped("empty_group", sizes, 2, none);                                                                  \
    grouped("no_rows", none, 2, members);                                                                    \
    grouped("negative_rows", negative, 2, members);                                                          \
  }
PRODUCTS(float, S)
PRODUCTS(double, D)

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  factorise(handle, float());
  factorise(handle, double());
  multiply(handle, float());
  multiply(handle, double());
  cublasDestroy(handle);
}
