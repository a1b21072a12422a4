// links: cusolver cusparse
// Solutions with sparse matrices, on the device and on the host.
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
  cusparseDestroyMatDescr(descr);
}

int main() {
  OBSERVE("create", code(cusolverSpCreate(&handle)));
  cudaStream_t stream = nullptr;
  OBSERVE("stream", code(cusolverSpGetStream(handle, &stream)));
  OBSERVE("stream.default", stream == nullptr);
  OBSERVE("stream.set", code(cusolverSpSetStream(handle, nullptr)));
  solutions(0);
  solutions(1);
  OBSERVE("destroy", code(cusolverSpDestroy(handle)));
}
