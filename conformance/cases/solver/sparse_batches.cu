// links: cusolver cusparse
// Eigenvalues of sparse matrices, and solutions with several of one pattern.
#include <cusolverSp.h>

#include "../../framework/solver_values.h"

CONFORMANCE_CASE("solver.sparse_batches");

static cusolverSpHandle_t handle;

// 4 1 0 1
// 1 5 2 0
// 0 2 6 0
// 1 0 0 7
static const std::vector<int> kOffsets = {0, 3, 6, 8, 10}, kColumns = {0, 1, 3, 0, 1, 2, 1, 2, 0, 3};
static const std::vector<double> kDefinite = {4, 1, 1, 1, 5, 2, 2, 6, 1, 7};
static const std::vector<double> kRight = {10, 17, 22, 29};  // of 1, 2, 3, 4

static std::vector<int> shifted(std::vector<int> values, int base) {
  for (int& value : values) value += base;
  return values;
}

static void batches(int base) {
  cusparseMatDescr_t descr = nullptr;
  cusparseCreateMatDescr(&descr);
  cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base));
  const std::vector<int> offsets = shifted(kOffsets, base), columns = shifted(kColumns, base);
  DeviceValues<int> dOffsets(offsets), dColumns(columns);
  const std::string at = base ? ".from_1" : "";
  DeviceValues<double> values(kDefinite), start(std::vector<double>{1, 1, 1, 1}), x(4),
      mu(std::vector<double>{0});
  OBSERVE("eigenvalue" + at, code(cusolverSpDcsreigvsi(handle, 4, 10, descr, values, dOffsets, dColumns, 8.0,
                                                       start, 100, 1e-9, mu, x)));
  OBSERVE("eigenvalue.mu" + at, rounded(mu.get()));
  double hostMu = 0;
  std::vector<double> hostStart(4, 1), hostX(4);
  OBSERVE("eigenvalue_host" + at, code(cusolverSpDcsreigvsiHost(
                                      handle, 4, 10, descr, kDefinite.data(), offsets.data(), columns.data(),
                                      8.0, hostStart.data(), 100, 1e-9, &hostMu, hostX.data())));
  OBSERVE("eigenvalue_host.mu" + at, rounded(std::vector<double>{hostMu}));
  // Two matrices of one pattern.
  std::vector<double> twice = kDefinite, rights = kRight;
  for (double value : kDefinite) twice.push_back(2 * value);
  rights.insert(rights.end(), kRight.begin(), kRight.end());
  DeviceValues<double> both(twice), sides(rights), solved(std::vector<double>(8, 0));
  csrqrInfo_t info = nullptr;
  OBSERVE("batch.info" + at, code(cusolverSpCreateCsrqrInfo(&info)));
  OBSERVE("batch.analysis" + at,
          code(cusolverSpXcsrqrAnalysisBatched(handle, 4, 4, 10, descr, dOffsets, dColumns, info)));
  size_t inside = 0, work = 0;
  OBSERVE("batch.size" + at, code(cusolverSpDcsrqrBufferInfoBatched(handle, 4, 4, 10, descr, both, dOffsets,
                                                                    dColumns, 2, info, &inside, &work)));
  DeviceValues<char> space(work + 256);
  OBSERVE("batch.solve" + at, code(cusolverSpDcsrqrsvBatched(handle, 4, 4, 10, descr, both, dOffsets,
                                                             dColumns, sides, solved, 2, info, space)));
  OBSERVE("batch.x" + at, rounded(solved.get()));
  OBSERVE("batch.info.destroy" + at, code(cusolverSpDestroyCsrqrInfo(info)));
  cusparseDestroyMatDescr(descr);
}

int main() {
  OBSERVE("create", code(cusolverSpCreate(&handle)));
  batches(0);
  batches(1);
  OBSERVE("destroy", code(cusolverSpDestroy(handle)));
}
