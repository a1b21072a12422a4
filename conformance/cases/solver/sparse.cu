// links: cusolver cusparse
// Solutions with sparse matrices, on the device and on the host, their orders, one eigenvalue.
#include <cusolverSp.h>

#include "../../framework/solver_values.h"

CONFORMANCE_CASE("solver.sparse");

static cusolverSpHandle_t handle;

// 4 1 0 1
// 1 5 2 0
// 0 2 6 0
// 1 0 0 7
static const std::vector<int> kOffsets = {0, 3, 6, 8, 10}, kColumns = {0, 1, 3, 0, 1, 2, 1, 2, 0, 3};
static const std::vector<double> kDefinite = {4, 1, 1, 1, 5, 2, 2, 6, 1, 7},
                                 kIndefinite = {4, 1, 1, 1, -5, 2, 2, 6, 1, 7};
static const std::vector<double> kSingular = {1, 2, 0, 2, 4,
                                              0, 0, 6, 0, 7};  // its second row is twice the first
static const std::vector<double> kRight = {10, 17, 22, 29};    // of 1, 2, 3, 4

static std::vector<int> shifted(std::vector<int> values, int base) {
  for (int& value : values) value += base;
  return values;
}

static void solutions(int base) {
  cusparseMatDescr_t descr = nullptr;
  cusparseCreateMatDescr(&descr);
  cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base));
  const std::vector<int> offsets = shifted(kOffsets, base), columns = shifted(kColumns, base);
  DeviceValues<int> dOffsets(offsets), dColumns(columns);
  struct Matrix {
    const char* name;
    const std::vector<double>& values;
  };
  for (const Matrix& m :
       {Matrix{".definite", kDefinite}, Matrix{".indefinite", kIndefinite}, Matrix{".singular", kSingular}}) {
    DeviceValues<double> values(m.values), b(kRight), x(std::vector<double>(4, 0));
    const bool solvable = &m.values != &kSingular;
    for (int reorder = 0; reorder <= 3; ++reorder) {
      const std::string key =
          std::string(base ? ".from_1" : "") + m.name + ".reorder_" + std::to_string(reorder);
      int singularity = -7;
      std::vector<double> hx(4, 0);
      OBSERVE("qr" + key, code(cusolverSpDcsrlsvqr(handle, 4, 10, descr, values, dOffsets, dColumns, b, 1e-10,
                                                   reorder, x, &singularity)));
      OBSERVE("qr.singularity" + key, reorder == 0 ? singularity : singularity >= 0 ? 0 : -1);
      if (solvable) OBSERVE("qr.x" + key, rounded(x.get()));
      singularity = -7;
      OBSERVE("qr_host" + key, code(cusolverSpDcsrlsvqrHost(handle, 4, 10, descr, m.values.data(),
                                                            offsets.data(), columns.data(), kRight.data(),
                                                            1e-10, reorder, hx.data(), &singularity)));
      OBSERVE("qr_host.singularity" + key, reorder == 0 ? singularity : singularity >= 0 ? 0 : -1);
      if (solvable) OBSERVE("qr_host.x" + key, rounded(hx));
      singularity = -7;
      OBSERVE("lu_host" + key, code(cusolverSpDcsrlsvluHost(handle, 4, 10, descr, m.values.data(),
                                                            offsets.data(), columns.data(), kRight.data(),
                                                            1e-10, reorder, hx.data(), &singularity)));
      OBSERVE("lu_host.singularity" + key, reorder == 0 ? singularity : singularity >= 0 ? 0 : -1);
      if (solvable) OBSERVE("lu_host.x" + key, rounded(hx));
      singularity = -7;
      OBSERVE("cholesky" + key, code(cusolverSpDcsrlsvchol(handle, 4, 10, descr, values, dOffsets, dColumns,
                                                           b, 1e-10, reorder, x, &singularity)));
      OBSERVE("cholesky.singularity" + key, reorder == 0 ? singularity : singularity >= 0 ? 0 : -1);
      if (&m.values == &kDefinite) OBSERVE("cholesky.x" + key, rounded(x.get()));
      singularity = -7;
      OBSERVE("cholesky_host" + key,
              code(cusolverSpDcsrlsvcholHost(handle, 4, 10, descr, m.values.data(), offsets.data(),
                                             columns.data(), kRight.data(), 1e-10, reorder, hx.data(),
                                             &singularity)));
      OBSERVE("cholesky_host.singularity" + key, reorder == 0 ? singularity : singularity >= 0 ? 0 : -1);
      if (&m.values == &kDefinite) OBSERVE("cholesky_host.x" + key, rounded(hx));
    }
  }
  const std::string at = base ? ".from_1" : "";
  int symmetric = -1;
  OBSERVE("symmetric" + at, code(cusolverSpXcsrissymHost(handle, 4, 10, descr, offsets.data(),
                                                         offsets.data() + 1, columns.data(), &symmetric)));
  OBSERVE("symmetric.value" + at, symmetric);
  const auto isOrder = [](std::vector<int> p) {
    std::vector<bool> seen(p.size());
    for (int i : p) {
      if (i < 0 || i >= static_cast<int>(p.size()) || seen[static_cast<size_t>(i)]) return false;
      seen[static_cast<size_t>(i)] = true;
    }
    return true;
  };
  std::vector<int> p(4, -1);
  OBSERVE("rcm" + at,
          code(cusolverSpXcsrsymrcmHost(handle, 4, 10, descr, offsets.data(), columns.data(), p.data())));
  OBSERVE("rcm.order" + at, isOrder(p));
  OBSERVE("mdq" + at,
          code(cusolverSpXcsrsymmdqHost(handle, 4, 10, descr, offsets.data(), columns.data(), p.data())));
  OBSERVE("mdq.order" + at, isOrder(p));
  OBSERVE("amd" + at,
          code(cusolverSpXcsrsymamdHost(handle, 4, 10, descr, offsets.data(), columns.data(), p.data())));
  OBSERVE("amd.order" + at, isOrder(p));
  OBSERVE("metis" + at, code(cusolverSpXcsrmetisndHost(handle, 4, 10, descr, offsets.data(), columns.data(),
                                                       nullptr, p.data())));
  OBSERVE("metis.order" + at, isOrder(p));
  int matched = -1;
  OBSERVE("zfd" + at, code(cusolverSpDcsrzfdHost(handle, 4, 10, descr, kDefinite.data(), offsets.data(),
                                                 columns.data(), p.data(), &matched)));
  OBSERVE("zfd.matched" + at, matched);
  OBSERVE("zfd.order" + at, isOrder(p));
  const std::vector<int> rows = {2, 0, 3, 1}, cols = {1, 3, 0, 2};
  std::vector<int> permutedOffsets = offsets, permutedColumns = columns, map = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  size_t bytes = 0;
  OBSERVE("perm_size" + at,
          code(cusolverSpXcsrperm_bufferSizeHost(handle, 4, 4, 10, descr, permutedOffsets.data(),
                                                 permutedColumns.data(), rows.data(), cols.data(), &bytes)));
  std::vector<char> buffer(bytes + 256);
  OBSERVE("perm" + at,
          code(cusolverSpXcsrpermHost(handle, 4, 4, 10, descr, permutedOffsets.data(), permutedColumns.data(),
                                      rows.data(), cols.data(), map.data(), buffer.data())));
  OBSERVE("perm.offsets" + at, rounded(permutedOffsets));
  OBSERVE("perm.columns" + at, rounded(permutedColumns));
  OBSERVE("perm.map" + at, rounded(map));
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
  OBSERVE("create.none", code(cusolverSpCreate(nullptr)));
  OBSERVE("create", code(cusolverSpCreate(&handle)));
  cudaStream_t stream = nullptr;
  OBSERVE("stream", code(cusolverSpGetStream(handle, &stream)));
  OBSERVE("stream.default", stream == nullptr);
  OBSERVE("stream.set", code(cusolverSpSetStream(handle, nullptr)));
  solutions(0);
  solutions(1);
  OBSERVE("destroy", code(cusolverSpDestroy(handle)));
}
