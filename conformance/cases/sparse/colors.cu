// links: cusparse
// Colours of rows: which ones is the library's affair; that neighbours have other ones, how many there are,
// and what the order of rows means, is not.
#include <algorithm>
#include <set>

#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.colors");

static cusparseHandle_t handle;

// A ring of rows, where each one is joined to those that are `steps` away.
struct Ring {
  Ring(int n, const std::vector<int>& steps, int base) {
    std::vector<int> from{base}, to;
    for (int row = 0; row < n; ++row) {
      std::set<int> joined{row};
      for (int step : steps) {
        joined.insert((row + step) % n);
        joined.insert((row + n - step) % n);
      }
      for (int column : joined) to.push_back(column + base);
      from.push_back(static_cast<int>(to.size()) + base);
    }
    offsets.set(from);
    columns.set(to);
    nnz = static_cast<int>(to.size());
    hostOffsets = Csr::shifted(from, -base);
    hostColumns = Csr::shifted(to, -base);
  }
  int nnz = 0;
  std::vector<int> hostOffsets, hostColumns;
  DeviceValues<int> offsets{1024}, columns{8192};
};

template <typename T, typename Fraction, typename Call>
static void colors(const std::string& name, Call&& call) {
  for (int base : {0, 1})
    for (double share : {1.0, 0.5, 0.0}) {
      const std::string at = name + (base ? ".from_1" : "") + ".share_" + observedText(share);
      const int n = 200;
      Ring ring(n, {1, 7, 20}, base);
      DeviceValues<T> values(static_cast<size_t>(ring.nnz));
      DeviceValues<int> coloring(std::vector<int>(n, -7)), order(std::vector<int>(n, -7));
      cusparseMatDescr_t descr = nullptr;
      cusparseCreateMatDescr(&descr);
      cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(base));
      cusparseColorInfo_t info = nullptr;
      OBSERVE(at + ".create", code(cusparseCreateColorInfo(&info)));
      const Fraction fraction = static_cast<Fraction>(share);
      int count = -7;
      OBSERVE(at, code(call(handle, n, ring.nnz, descr, values, ring.offsets, ring.columns, &fraction, &count,
                            coloring, order, info)));
      SETUP(cudaDeviceSynchronize());
      const std::vector<int> got = coloring.get(), rows = order.get();
      bool proper = true;
      for (int row = 0; row < n; ++row)
        for (int k = ring.hostOffsets[static_cast<size_t>(row)];
             k < ring.hostOffsets[static_cast<size_t>(row) + 1]; ++k) {
          const int column = ring.hostColumns[static_cast<size_t>(k)];
          if (column != row && got[static_cast<size_t>(row)] == got[static_cast<size_t>(column)])
            proper = false;
        }
      OBSERVE(at + ".proper", proper);
      // From 0 or from the base.
      OBSERVE(at + ".least", *std::min_element(got.begin(), got.end()));
      OBSERVE(at + ".below_count", *std::max_element(got.begin(), got.end()) - base < count);
      OBSERVE(at + ".counted", static_cast<int>(std::set<int>(got.begin(), got.end()).size()) <= count);
      OBSERVE(at + ".many", count > 40);
      const int least = *std::min_element(rows.begin(), rows.end());
      OBSERVE(at + ".order.least", least);
      OBSERVE(at + ".order.whole", std::set<int>(rows.begin(), rows.end()).size() == static_cast<size_t>(n));
      // Rows of a colour stand together.
      bool ordered = true;
      for (size_t i = 1; i < static_cast<size_t>(n); ++i) {
        const auto row = [&](size_t place) {
          return static_cast<size_t>(std::clamp(rows[place] - base, 0, n - 1));
        };
        ordered = ordered && got[row(i - 1)] <= got[row(i)];
      }
      OBSERVE(at + ".order.row_of_place", ordered);
      OBSERVE(at + ".no_order", code(call(handle, n, ring.nnz, descr, values, ring.offsets, ring.columns,
                                          &fraction, &count, coloring, nullptr, info)));
      cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC);
      OBSERVE(at + ".symmetric", code(call(handle, n, ring.nnz, descr, values, ring.offsets, ring.columns,
                                           &fraction, &count, coloring, order, info)));
      OBSERVE(at + ".destroy", code(cusparseDestroyColorInfo(info)));
      cusparseDestroyMatDescr(descr);
    }
}

int main() {
  SETUP(cudaFree(nullptr));
  cusparseCreate(&handle);
  colors<float, float>("S", cusparseScsrcolor);
  colors<double, double>("D", cusparseDcsrcolor);
  colors<float2, float>("C", cusparseCcsrcolor);
  colors<double2, double>("Z", cusparseZcsrcolor);
  cusparseMatDescr_t descr = nullptr;
  cusparseCreateMatDescr(&descr);
  cusparseColorInfo_t info = nullptr;
  cusparseCreateColorInfo(&info);
  Ring ring(8, {1}, 0);
  DeviceValues<float> values(64);
  DeviceValues<int> coloring(8), order(8);
  const float whole = 1;
  int count = -7;
  const auto call = [&](int m, int nnz, cusparseMatDescr_t described, const float* fraction, int* counted,
                        int* to, cusparseColorInfo_t how) {
    return code(cusparseScsrcolor(handle, m, nnz, described, values, ring.offsets, ring.columns, fraction,
                                  counted, to, order, how));
  };
  OBSERVE("negative", call(-8, ring.nnz, descr, &whole, &count, coloring, info));
  OBSERVE("negative_nnz", call(8, -ring.nnz, descr, &whole, &count, coloring, info));
  count = -7;
  OBSERVE("none", call(0, 0, descr, &whole, &count, coloring, info));
  OBSERVE("none.count", count);
}
