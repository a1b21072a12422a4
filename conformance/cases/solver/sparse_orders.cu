// links: cusolver cusparse
// Orders of a sparse matrix's rows and columns.
#include <cusolverSp.h>

#include "../../framework/solver_values.h"

CONFORMANCE_CASE("solver.sparse_orders");

static cusolverSpHandle_t handle;

// 4 1 0 1
// 1 5 2 0
// 0 2 6 0
// 1 0 0 7
static const std::vector<int> kOffsets = {0, 3, 6, 8, 10}, kColumns = {0, 1, 3, 0, 1, 2, 1, 2, 0, 3};
static const std::vector<double> kDefinite = {4, 1, 1, 1, 5, 2, 2, 6, 1, 7};
static std::vector<int> shifted(std::vector<int> values, int base) {
  for (int& value : values) value += base;
  return values;
}

static void orders(int base) {
  cusparseMatDescr_t descr = nullptr;
  cusparseCreateMatDescr(&descr);
  cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base));
  const std::vector<int> offsets = shifted(kOffsets, base), columns = shifted(kColumns, base);
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
  cusparseDestroyMatDescr(descr);
}

int main() {
  OBSERVE("create", code(cusolverSpCreate(&handle)));
  orders(0);
  orders(1);
  OBSERVE("destroy", code(cusolverSpDestroy(handle)));
}
