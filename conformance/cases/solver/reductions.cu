// links: cusolver cublas
// Reductions to few diagonals and the orthogonal matrices of them; LDL^T; exchanges of rows; solutions that
// are refined.
#include "../../framework/solver_values.h"

CONFORMANCE_CASE("solver.reductions");

static cusolverDnHandle_t handle;
static const auto kUpper = CUBLAS_FILL_MODE_UPPER;
static const auto kLower = CUBLAS_FILL_MODE_LOWER;
static const std::vector<double> kMatrix = {4, 1, 2, 1, 3, 1, 2, 1, 5};
static const std::vector<double> kTall = {1, 2, 3, 4, 5, 6, 7, 8, 10, 1, 0, 1};

// Q^T A Q, so that signs do not show.
static std::string gram(const std::vector<double>& q, int m, int n) {
  std::vector<double> products;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < m; ++k)
        sum += q[static_cast<size_t>(i * m + k)] * q[static_cast<size_t>(j * m + k)];
      products.push_back(sum);
    }
  return rounded(products);
}

static void tridiagonal() {
  DeviceValues<double> a(kMatrix), d(8), e(8), tau(8), c(16), work(65536);
  DeviceValues<int> info(std::vector<int>{77});
  int size = -1;
  for (auto fill : {kLower, kUpper}) {
    const std::string key = ".fill_" + std::to_string(fill);
    a.set(kMatrix);
    OBSERVE("sytrd_size" + key, code(cusolverDnDsytrd_bufferSize(handle, fill, 3, a, 3, d, e, tau, &size)));
    OBSERVE("sytrd" + key, code(cusolverDnDsytrd(handle, fill, 3, a, 3, d, e, tau, work, 65536, info)));
    OBSERVE("sytrd.info" + key, info.get()[0]);
    OBSERVE("sytrd.d" + key, first(d.get(), 3));
    OBSERVE("sytrd.e" + key, first(e.get(), 2, true));
    c.set({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
    OBSERVE("ormtr_size" + key, code(cusolverDnDormtr_bufferSize(handle, CUBLAS_SIDE_LEFT, fill, CUBLAS_OP_N,
                                                                 3, 3, a, 3, tau, c, 3, &size)));
    OBSERVE("ormtr" + key, code(cusolverDnDormtr(handle, CUBLAS_SIDE_LEFT, fill, CUBLAS_OP_N, 3, 3, a, 3, tau,
                                                 c, 3, work, 65536, info)));
    OBSERVE("ormtr.info" + key, info.get()[0]);
    OBSERVE("ormtr.gram" + key, gram(c.get(), 3, 3));
    OBSERVE("orgtr_size" + key, code(cusolverDnDorgtr_bufferSize(handle, fill, 3, a, 3, tau, &size)));
    OBSERVE("orgtr" + key, code(cusolverDnDorgtr(handle, fill, 3, a, 3, tau, work, 65536, info)));
    OBSERVE("orgtr.info" + key, info.get()[0]);
    OBSERVE("orgtr.gram" + key, gram(a.get(), 3, 3));
    std::vector<double> q = a.get(), product = c.get();
    q.resize(9);
    product.resize(9);
    OBSERVE("ormtr.same" + key, rounded(q) == rounded(product));
  }
  OBSERVE("sytrd_size.fill", code(cusolverDnDsytrd_bufferSize(handle, static_cast<cublasFillMode_t>(9), 3, a,
                                                              3, d, e, tau, &size)));
  OBSERVE("sytrd_size.negative",
          code(cusolverDnDsytrd_bufferSize(handle, kLower, -3, a, 3, d, e, tau, &size)));
  OBSERVE("sytrd_size.narrow", code(cusolverDnDsytrd_bufferSize(handle, kLower, 3, a, 2, d, e, tau, &size)));
  OBSERVE("sytrd_size.none", code(cusolverDnDsytrd_bufferSize(handle, kLower, 0, a, 3, d, e, tau, &size)));
  OBSERVE("orgtr_size.narrow", code(cusolverDnDorgtr_bufferSize(handle, kLower, 3, a, 2, tau, &size)));
  OBSERVE("ormtr_size.side",
          code(cusolverDnDormtr_bufferSize(handle, static_cast<cublasSideMode_t>(9), kLower, CUBLAS_OP_N, 3,
                                           3, a, 3, tau, c, 3, &size)));
  OBSERVE("ormtr_size.operation",
          code(cusolverDnDormtr_bufferSize(handle, CUBLAS_SIDE_LEFT, kLower,
                                           static_cast<cublasOperation_t>(9), 3, 3, a, 3, tau, c, 3, &size)));
}

static void bidiagonal() {
  DeviceValues<double> a(kTall), d(8), e(8), tauQ(8), tauP(8), work(65536);
  DeviceValues<int> info(std::vector<int>{77});
  int size = -1;
  OBSERVE("gebrd_size", code(cusolverDnDgebrd_bufferSize(handle, 4, 3, &size)));
  OBSERVE("gebrd", code(cusolverDnDgebrd(handle, 4, 3, a, 4, d, e, tauQ, tauP, work, 65536, info)));
  OBSERVE("gebrd.info", info.get()[0]);
  OBSERVE("gebrd.d", first(d.get(), 3, true));
  OBSERVE("gebrd.e", first(e.get(), 2, true));
  DeviceValues<double> p(a.get());
  OBSERVE("orgbr_size.left",
          code(cusolverDnDorgbr_bufferSize(handle, CUBLAS_SIDE_LEFT, 4, 3, 3, a, 4, tauQ, &size)));
  OBSERVE("orgbr.left",
          code(cusolverDnDorgbr(handle, CUBLAS_SIDE_LEFT, 4, 3, 3, a, 4, tauQ, work, 65536, info)));
  OBSERVE("orgbr.left.info", info.get()[0]);
  OBSERVE("orgbr.left.gram", gram(a.get(), 4, 3));
  OBSERVE("orgbr_size.right",
          code(cusolverDnDorgbr_bufferSize(handle, CUBLAS_SIDE_RIGHT, 3, 3, 4, p, 4, tauP, &size)));
  OBSERVE("orgbr.right",
          code(cusolverDnDorgbr(handle, CUBLAS_SIDE_RIGHT, 3, 3, 4, p, 4, tauP, work, 65536, info)));
  OBSERVE("orgbr.right.info", info.get()[0]);
  OBSERVE("gebrd_size.negative", code(cusolverDnDgebrd_bufferSize(handle, -4, 3, &size)));
  OBSERVE("gebrd_size.wide", code(cusolverDnDgebrd_bufferSize(handle, 3, 4, &size)));
  OBSERVE("gebrd.wide", code(cusolverDnDgebrd(handle, 3, 4, a, 4, d, e, tauQ, tauP, work, 65536, info)));
  OBSERVE("orgbr_size.side", code(cusolverDnDorgbr_bufferSize(handle, static_cast<cublasSideMode_t>(9), 4, 3,
                                                              3, a, 4, tauQ, &size)));
}

static void others() {
  const std::vector<double> indefinite = {4, 1, 2, 1, -3, 1, 2, 1, 5};
  DeviceValues<double> a(indefinite), work(65536);
  DeviceValues<int> info(std::vector<int>{77}), pivots(std::vector<int>{9, 9, 9, 9});
  int size = -1;
  for (auto fill : {kLower, kUpper}) {
    const std::string key = ".fill_" + std::to_string(fill);
    a.set(indefinite);
    OBSERVE("sytrf_size" + key, code(cusolverDnDsytrf_bufferSize(handle, 3, a, 3, &size)));
    OBSERVE("sytrf" + key, code(cusolverDnDsytrf(handle, fill, 3, a, 3, pivots, work, 65536, info)));
    OBSERVE("sytrf.info" + key, info.get()[0]);
    OBSERVE("sytrf.pivots" + key, first(pivots.get(), 3));
    OBSERVE("sytrf.values" + key, rounded(a.get()));
    a.set(std::vector<double>(9, 0));
    OBSERVE("sytrf.zero" + key, code(cusolverDnDsytrf(handle, fill, 3, a, 3, pivots, work, 65536, info)));
    OBSERVE("sytrf.zero.info" + key, info.get()[0]);
    a.set({2, 0, 0, 1, 4, 0, 3, 1, 8});
    OBSERVE("lauum_size" + key, code(cusolverDnDlauum_bufferSize(handle, fill, 3, a, 3, &size)));
    OBSERVE("lauum" + key, code(cusolverDnDlauum(handle, fill, 3, a, 3, work, 65536, info)));
    OBSERVE("lauum.values" + key, rounded(a.get()));
  }
  DeviceValues<int> exchanges(std::vector<int>{3, 3, 3});
  a.set({1, 2, 3, 4, 5, 6, 7, 8, 9});
  OBSERVE("laswp", code(cusolverDnDlaswp(handle, 3, a, 3, 1, 2, exchanges, 1)));
  OBSERVE("laswp.values", rounded(a.get()));
  OBSERVE("laswp.back", code(cusolverDnDlaswp(handle, 3, a, 3, 1, 2, exchanges, -1)));
  OBSERVE("laswp.back.values", rounded(a.get()));
}

static void refined() {
  const std::vector<double> system = {4, 1, 2, 1, -3, 1, 2, 1, 5}, singular = {1, 2, 4, 2, 4, 8, 4, 8, 16};
  DeviceValues<double> a(system), b(std::vector<double>{7, -1, 8}), x(std::vector<double>{0, 0, 0});
  DeviceValues<int> info(std::vector<int>{77}), pivots(3);
  int steps = -77;
  size_t bytes = 0;
  OBSERVE("dsgesv_size",
          code(cusolverDnDSgesv_bufferSize(handle, 3, 1, a, 3, pivots, b, 3, x, 3, nullptr, &bytes)));
  DeviceValues<char> work(bytes + 65536);
  OBSERVE("dsgesv",
          code(cusolverDnDSgesv(handle, 3, 1, a, 3, pivots, b, 3, x, 3, work, bytes, &steps, info)));
  OBSERVE("dsgesv.x", rounded(x.get()));
  OBSERVE("dsgesv.info", info.get()[0]);
  OBSERVE("dsgesv.steps.some", steps >= 0 && steps < 10);
  a.set(system);
  OBSERVE("ddgesv_size",
          code(cusolverDnDDgesv_bufferSize(handle, 3, 1, a, 3, pivots, b, 3, x, 3, nullptr, &bytes)));
  DeviceValues<char> more(bytes + 65536);
  OBSERVE("ddgesv",
          code(cusolverDnDDgesv(handle, 3, 1, a, 3, pivots, b, 3, x, 3, more, bytes, &steps, info)));
  OBSERVE("ddgesv.x", rounded(x.get()));
  OBSERVE("ddgesv.info", info.get()[0]);
  OBSERVE("dsgesv_size.negative",
          code(cusolverDnDSgesv_bufferSize(handle, -3, 1, a, 3, pivots, b, 3, x, 3, nullptr, &bytes)));
  OBSERVE("dsgesv_size.narrow",
          code(cusolverDnDSgesv_bufferSize(handle, 3, 1, a, 2, pivots, b, 3, x, 3, nullptr, &bytes)));
  a.set(singular);
  cusolverDnDSgesv_bufferSize(handle, 3, 1, a, 3, pivots, b, 3, x, 3, nullptr, &bytes);
  OBSERVE("dsgesv.singular",
          code(cusolverDnDSgesv(handle, 3, 1, a, 3, pivots, b, 3, x, 3, work, bytes, &steps, info)));
  OBSERVE("dsgesv.singular.info", info.get()[0]);
  DeviceValues<double> tall(kTall), right(std::vector<double>{6, 14, 19, 10}),
      solution(std::vector<double>{0, 0, 0});
  OBSERVE("dsgels_size", code(cusolverDnDSgels_bufferSize(handle, 4, 3, 1, tall, 4, right, 4, solution, 3,
                                                          nullptr, &bytes)));
  DeviceValues<char> some(bytes + 65536);
  OBSERVE("dsgels",
          code(cusolverDnDSgels(handle, 4, 3, 1, tall, 4, right, 4, solution, 3, some, bytes, &steps, info)));
  OBSERVE("dsgels.x", rounded(solution.get()));
  OBSERVE("dsgels.info", info.get()[0]);

  cusolverDnIRSParams_t params = nullptr;
  cusolverDnIRSInfos_t infos = nullptr;
  OBSERVE("irs.params", code(cusolverDnIRSParamsCreate(&params)));
  OBSERVE("irs.infos", code(cusolverDnIRSInfosCreate(&infos)));
  OBSERVE("irs.unset", code(cusolverDnIRSXgesv_bufferSize(handle, params, 3, 1, &bytes)));
  OBSERVE("irs.precisions",
          code(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_32F)));
  OBSERVE("irs.precisions.wrong",
          code(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_32F, CUSOLVER_R_64F)));
  cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_32F);
  OBSERVE("irs.solver", code(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_CLASSICAL)));
  OBSERVE("irs.tolerance", code(cusolverDnIRSParamsSetTol(params, 1e-12)));
  OBSERVE("irs.steps", code(cusolverDnIRSParamsSetMaxIters(params, 20)));
  int most = -1;
  OBSERVE("irs.steps.get", code(cusolverDnIRSParamsGetMaxIters(params, &most)));
  OBSERVE("irs.steps.value", most);
  OBSERVE("irs.fallback", code(cusolverDnIRSParamsEnableFallback(params)));
  OBSERVE("irs_size", code(cusolverDnIRSXgesv_bufferSize(handle, params, 3, 1, &bytes)));
  DeviceValues<char> enough(bytes + 65536);
  a.set(system);
  OBSERVE("irs", code(cusolverDnIRSXgesv(handle, params, infos, 3, 1, a, 3, b, 3, x, 3, enough, bytes, &steps,
                                         info)));
  OBSERVE("irs.x", rounded(x.get()));
  OBSERVE("irs.info", info.get()[0]);
  OBSERVE("irs.steps.some", steps >= 0 && steps < 20);
  int told = -1;
  OBSERVE("irs.infos.steps", code(cusolverDnIRSInfosGetNiters(infos, &told)));
  OBSERVE("irs.infos.steps.same", told == steps);
  OBSERVE("irs.infos.destroy", code(cusolverDnIRSInfosDestroy(infos)));
  OBSERVE("irs.params.destroy", code(cusolverDnIRSParamsDestroy(params)));
}

int main() {
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 3;
  tridiagonal();
  bidiagonal();
  others();
  refined();
  cusolverDnDestroy(handle);
}
