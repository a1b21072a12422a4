// links: cusolver cublas
// Jacobi's eigenvalues and singular values, alone and in batches; Cholesky in batches.
#include "../../framework/solver_values.h"

CONFORMANCE_CASE("solver.jacobi");

static cusolverDnHandle_t handle;
static const auto kUpper = CUBLAS_FILL_MODE_UPPER;
static const auto kVector = CUSOLVER_EIG_MODE_VECTOR;
static const std::vector<double> kMatrix = {4, 1, 0, 1, 3, 1, 0, 1, 5};
static const std::vector<double> kTwo = {4, 1, 0, 1, 3, 1, 0, 1, 5, 2, 1, 0, 1, 2, 1, 0, 1, 2};
static const std::vector<double> kTall = {1, 2, 3, 4, 5, 6, 7, 8, 10, 1, 0, 1};

// As much as a call has asked for.
struct Work {
  explicit Work(int size) : values(static_cast<size_t>(size) + 16) {}
  operator double*() { return values; }
  DeviceValues<double> values;
};

static void infos() {
  syevjInfo_t info = nullptr;
  OBSERVE("info.create", code(cusolverDnCreateSyevjInfo(&info)));
  for (double tolerance : {-1.0, 0.0, 1e-7, 1.0})
    OBSERVE("info.tolerance." + observedText(tolerance), code(cusolverDnXsyevjSetTolerance(info, tolerance)));
  for (int sweeps : {-1, 0, 1, 100, 1000})
    OBSERVE("info.sweeps." + std::to_string(sweeps), code(cusolverDnXsyevjSetMaxSweeps(info, sweeps)));
  for (int sort : {-1, 0, 1, 2})
    OBSERVE("info.sort." + std::to_string(sort), code(cusolverDnXsyevjSetSortEig(info, sort)));
  OBSERVE("info.destroy", code(cusolverDnDestroySyevjInfo(info)));
  gesvdjInfo_t other = nullptr;
  OBSERVE("svd_info.create", code(cusolverDnCreateGesvdjInfo(&other)));
  for (double tolerance : {-1.0, 0.0, 1e-7})
    OBSERVE("svd_info.tolerance." + observedText(tolerance),
            code(cusolverDnXgesvdjSetTolerance(other, tolerance)));
  for (int sweeps : {-1, 0, 1, 100})
    OBSERVE("svd_info.sweeps." + std::to_string(sweeps), code(cusolverDnXgesvdjSetMaxSweeps(other, sweeps)));
  for (int sort : {-1, 0, 1, 2})
    OBSERVE("svd_info.sort." + std::to_string(sort), code(cusolverDnXgesvdjSetSortEig(other, sort)));
  OBSERVE("svd_info.destroy", code(cusolverDnDestroyGesvdjInfo(other)));
}

static void eigenvalues() {
  syevjInfo_t params = nullptr;
  cusolverDnCreateSyevjInfo(&params);
  DeviceValues<double> a(kMatrix), w(std::vector<double>(6, 0)),
      b(std::vector<double>{2, 0, 0, 0, 1, 0, 0, 0, 4});
  DeviceValues<int> info(std::vector<int>{77, 77});
  int size = -1;
  for (auto job : {CUSOLVER_EIG_MODE_NOVECTOR, kVector}) {
    const std::string key = ".vectors_" + std::to_string(job);
    a.set(kMatrix);
    OBSERVE("syevj_size" + key,
            code(cusolverDnDsyevj_bufferSize(handle, job, kUpper, 3, a, 3, w, &size, params)));
    DeviceValues<double> work(static_cast<size_t>(size) + 16);
    OBSERVE("syevj" + key, code(cusolverDnDsyevj(handle, job, kUpper, 3, a, 3, w, work, size, info, params)));
    OBSERVE("syevj.w" + key, first(w.get(), 3));
    OBSERVE("syevj.info" + key, info.get()[0]);
    double residual = -1;
    int sweeps = -1;
    OBSERVE("syevj.residual" + key, code(cusolverDnXsyevjGetResidual(handle, params, &residual)));
    OBSERVE("syevj.residual.small" + key, residual < 1e-8);
    OBSERVE("syevj.sweeps" + key, code(cusolverDnXsyevjGetSweeps(handle, params, &sweeps)));
    OBSERVE("syevj.sweeps.some" + key, sweeps > 0 && sweeps < 20);
    DeviceValues<double> two(kTwo);
    OBSERVE("syevj_batch_size" + key,
            code(cusolverDnDsyevjBatched_bufferSize(handle, job, kUpper, 3, two, 3, w, &size, params, 2)));
    DeviceValues<double> more(static_cast<size_t>(size) + 16);
    OBSERVE("syevj_batch" + key,
            code(cusolverDnDsyevjBatched(handle, job, kUpper, 3, two, 3, w, more, size, info, params, 2)));
    OBSERVE("syevj_batch.w" + key, rounded(w.get()));
    OBSERVE("syevj_batch.info" + key, rounded(info.get()));
    OBSERVE("syevj_batch.residual" + key, code(cusolverDnXsyevjGetResidual(handle, params, &residual)));
    OBSERVE("syevj_batch.sweeps" + key, code(cusolverDnXsyevjGetSweeps(handle, params, &sweeps)));
  }
  // Few sweeps do not reach the tolerance.
  DeviceValues<double> work(65536);
  cusolverDnXsyevjSetMaxSweeps(params, 1);
  cusolverDnXsyevjSetTolerance(params, 1e-15);
  a.set(kMatrix);
  OBSERVE("syevj.one_sweep",
          code(cusolverDnDsyevj(handle, kVector, kUpper, 3, a, 3, w, work, 65536, info, params)));
  OBSERVE("syevj.one_sweep.info", info.get()[0]);
  cusolverDnXsyevjSetMaxSweeps(params, 100);
  cusolverDnXsyevjSetTolerance(params, 1e-12);
  a.set(kMatrix);
  for (auto type : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3}) {
    const std::string key = ".type_" + std::to_string(type);
    a.set(kMatrix);
    b.set({2, 0, 0, 0, 1, 0, 0, 0, 4});
    OBSERVE("sygvj_size" + key, code(cusolverDnDsygvj_bufferSize(handle, type, kVector, kUpper, 3, a, 3, b, 3,
                                                                 w, &size, params)));
    OBSERVE("sygvj" + key, code(cusolverDnDsygvj(handle, type, kVector, kUpper, 3, a, 3, b, 3, w, work, 65536,
                                                 info, params)));
    OBSERVE("sygvj.w" + key, first(w.get(), 3));
    OBSERVE("sygvj.info" + key, info.get()[0]);
    a.set(kMatrix);
    b.set({2, 0, 0, 0, 1, 0, 0, 0, 4});
    OBSERVE("sygvd_size" + key,
            code(cusolverDnDsygvd_bufferSize(handle, type, kVector, kUpper, 3, a, 3, b, 3, w, &size)));
    OBSERVE("sygvd" + key,
            code(cusolverDnDsygvd(handle, type, kVector, kUpper, 3, a, 3, b, 3, w, Work(size), size, info)));
    OBSERVE("sygvd.w" + key, first(w.get(), 3));
    OBSERVE("sygvd.info" + key, info.get()[0]);
  }
  a.set(kMatrix);
  b.set({2, 0, 0, 0, -1, 0, 0, 0, 4});
  OBSERVE("sygvd.indefinite", code(cusolverDnDsygvd(handle, CUSOLVER_EIG_TYPE_1, kVector, kUpper, 3, a, 3, b,
                                                    3, w, Work(size), size, info)));
  OBSERVE("sygvd.indefinite.info", info.get()[0]);
  OBSERVE("sygvd.type", code(cusolverDnDsygvd_bufferSize(handle, static_cast<cusolverEigType_t>(9), kVector,
                                                         kUpper, 3, a, 3, b, 3, w, &size)));
  OBSERVE("syevj_size.negative",
          code(cusolverDnDsyevj_bufferSize(handle, kVector, kUpper, -3, a, 3, w, &size, params)));
  OBSERVE("syevj_size.narrow",
          code(cusolverDnDsyevj_bufferSize(handle, kVector, kUpper, 3, a, 2, w, &size, params)));
  OBSERVE("syevj_size.none",
          code(cusolverDnDsyevj_bufferSize(handle, kVector, kUpper, 0, a, 3, w, &size, params)));
  OBSERVE("syevj_size.fill",
          code(cusolverDnDsyevj_bufferSize(handle, kVector, static_cast<cublasFillMode_t>(9), 3, a, 3, w,
                                           &size, params)));
  OBSERVE("syevj_size.mode", code(cusolverDnDsyevj_bufferSize(handle, static_cast<cusolverEigMode_t>(9),
                                                              kUpper, 3, a, 3, w, &size, params)));
  OBSERVE("syevj_batch_size.none",
          code(cusolverDnDsyevjBatched_bufferSize(handle, kVector, kUpper, 3, a, 3, w, &size, params, 0)));
  for (auto range : {CUSOLVER_EIG_RANGE_ALL, CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
    const std::string key = ".range_" + std::to_string(range - CUSOLVER_EIG_RANGE_ALL);
    int found = -1;
    a.set(kMatrix);
    OBSERVE("syevdx_size" + key, code(cusolverDnDsyevdx_bufferSize(handle, kVector, range, kUpper, 3, a, 3,
                                                                   2.5, 4.5, 2, 3, &found, w, &size)));
    OBSERVE("syevdx" + key, code(cusolverDnDsyevdx(handle, kVector, range, kUpper, 3, a, 3, 2.5, 4.5, 2, 3,
                                                   &found, w, Work(size), size, info)));
    OBSERVE("syevdx.found" + key, found);
    OBSERVE("syevdx.info" + key, info.get()[0]);
    if (found > 0 && found <= 3) OBSERVE("syevdx.w" + key, first(w.get(), static_cast<size_t>(found)));
  }
  cusolverDnDestroySyevjInfo(params);
}

static void singularValues() {
  gesvdjInfo_t params = nullptr;
  cusolverDnCreateGesvdjInfo(&params);
  DeviceValues<double> a(kTall), s(std::vector<double>(6, 0)), u(32), v(32), work(65536);
  DeviceValues<int> info(std::vector<int>{77, 77});
  int size = -1;
  struct Shape {
    const char* name;
    int m, n;
  };
  for (const Shape& shape : {Shape{"tall", 4, 3}, Shape{"wide", 3, 4}})
    for (int econ = 0; econ < 2; ++econ) {
      const std::string key = std::string(".") + shape.name + ".econ_" + std::to_string(econ);
      a.set(kTall);
      OBSERVE("gesvdj_size" + key,
              code(cusolverDnDgesvdj_bufferSize(handle, kVector, econ, shape.m, shape.n, a, shape.m, s, u,
                                                shape.m, v, shape.n, &size, params)));
      OBSERVE("gesvdj" + key, code(cusolverDnDgesvdj(handle, kVector, econ, shape.m, shape.n, a, shape.m, s,
                                                     u, shape.m, v, shape.n, work, 65536, info, params)));
      OBSERVE("gesvdj.s" + key, first(s.get(), 3));
      OBSERVE("gesvdj.info" + key, info.get()[0]);
      double residual = -1;
      int sweeps = -1;
      OBSERVE("gesvdj.residual" + key, code(cusolverDnXgesvdjGetResidual(handle, params, &residual)));
      OBSERVE("gesvdj.residual.small" + key, residual < 1e-8);
      OBSERVE("gesvdj.sweeps" + key, code(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps)));
      OBSERVE("gesvdj.sweeps.some" + key, sweeps > 0 && sweeps < 20);
    }
  DeviceValues<double> two(kTwo);
  OBSERVE("gesvdj_batch_size", code(cusolverDnDgesvdjBatched_bufferSize(handle, kVector, 3, 3, two, 3, s, u,
                                                                        3, v, 3, &size, params, 2)));
  OBSERVE("gesvdj_batch", code(cusolverDnDgesvdjBatched(handle, kVector, 3, 3, two, 3, s, u, 3, v, 3, work,
                                                        65536, info, params, 2)));
  OBSERVE("gesvdj_batch.s", rounded(s.get()));
  OBSERVE("gesvdj_batch.info", rounded(info.get()));
  OBSERVE("gesvdj_batch_size.large",
          code(cusolverDnDgesvdjBatched_bufferSize(handle, kVector, 33, 33, two, 33, s, u, 33, v, 33, &size,
                                                   params, 2)));
  OBSERVE("gesvdj_size.mode", code(cusolverDnDgesvdj_bufferSize(handle, static_cast<cusolverEigMode_t>(9), 0,
                                                                3, 3, a, 3, s, u, 3, v, 3, &size, params)));
  OBSERVE("gesvdj_size.negative",
          code(cusolverDnDgesvdj_bufferSize(handle, kVector, 0, -3, 3, a, 3, s, u, 3, v, 3, &size, params)));
  OBSERVE("gesvdj_size.narrow",
          code(cusolverDnDgesvdj_bufferSize(handle, kVector, 0, 3, 3, a, 2, s, u, 3, v, 3, &size, params)));
  two.set(kTwo);
  double residuals[] = {-1, -1};
  OBSERVE("gesvda_size", code(cusolverDnDgesvdaStridedBatched_bufferSize(handle, kVector, 3, 3, 3, two, 3, 9,
                                                                         s, 3, u, 3, 9, v, 3, 9, &size, 2)));
  DeviceValues<double> enough(static_cast<size_t>(size) + 16);
  OBSERVE("gesvda", code(cusolverDnDgesvdaStridedBatched(handle, kVector, 3, 3, 3, two, 3, 9, s, 3, u, 3, 9,
                                                         v, 3, 9, enough, size, info, residuals, 2)));
  OBSERVE("gesvda.s", rounded(s.get()));
  OBSERVE("gesvda.info", rounded(info.get()));
  OBSERVE("gesvda.residuals.small", residuals[0] < 1e-8 && residuals[1] < 1e-8);
  OBSERVE("gesvda_size.wide", code(cusolverDnDgesvdaStridedBatched_bufferSize(
                                  handle, kVector, 2, 2, 3, two, 3, 9, s, 3, u, 3, 9, v, 3, 9, &size, 2)));
  OBSERVE("gesvda_size.rank", code(cusolverDnDgesvdaStridedBatched_bufferSize(
                                  handle, kVector, 4, 3, 3, two, 3, 9, s, 3, u, 3, 9, v, 3, 9, &size, 2)));
  cusolverDnDestroyGesvdjInfo(params);
}

static void cholesky() {
  DeviceValues<double> one(kMatrix), other(std::vector<double>{4, 1, 0, 1, -3, 1, 0, 1, 5}),
      b(std::vector<double>{5, 5, 6}), c(std::vector<double>{5, 5, 6});
  DeviceValues<double*> matrices(std::vector<double*>{one, other}), sides(std::vector<double*>{b, c});
  DeviceValues<int> info(std::vector<int>{77, 77});
  OBSERVE("potrf_batch", code(cusolverDnDpotrfBatched(handle, kUpper, 3, matrices, 3, info, 2)));
  OBSERVE("potrf_batch.info", rounded(info.get()));
  OBSERVE("potrs_batch", code(cusolverDnDpotrsBatched(handle, kUpper, 3, 1, matrices, 3, sides, 3, info, 1)));
  OBSERVE("potrs_batch.x", rounded(b.get()));
  OBSERVE("potrs_batch.info", rounded(info.get()));
  OBSERVE("potrs_batch.many",
          code(cusolverDnDpotrsBatched(handle, kUpper, 3, 2, matrices, 3, sides, 3, info, 1)));
  OBSERVE("potrf_batch.none", code(cusolverDnDpotrfBatched(handle, kUpper, 3, matrices, 3, info, 0)));
  OBSERVE("potrf_batch.negative", code(cusolverDnDpotrfBatched(handle, kUpper, -3, matrices, 3, info, 2)));
  OBSERVE("potrf_batch.narrow", code(cusolverDnDpotrfBatched(handle, kUpper, 3, matrices, 2, info, 2)));
  OBSERVE("potrf_batch.fill",
          code(cusolverDnDpotrfBatched(handle, static_cast<cublasFillMode_t>(9), 3, matrices, 3, info, 2)));
  OBSERVE("potrf_batch.no_handle", code(cusolverDnDpotrfBatched(nullptr, kUpper, 3, matrices, 3, info, 2)));
}

int main() {
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 3;
  infos();
  eigenvalues();
  singularValues();
  cholesky();
  cusolverDnDestroy(handle);
}
