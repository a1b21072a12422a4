#include <musa_runtime_api.h>
#include <musparse.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "bench/bench.h"

namespace musashim::bench {
namespace {

void check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

template <class T>
T* onDevice(const std::vector<T>& values) {
  T* data = nullptr;
  check(musaMalloc(reinterpret_cast<void**>(&data), values.size() * sizeof(T)) == musaSuccess, "musaMalloc");
  check(musaMemcpy(data, values.data(), values.size() * sizeof(T), musaMemcpyHostToDevice) == musaSuccess,
        "musaMemcpy");
  return data;
}

// What one writes by hand: rows shared equally among the processors' threads.
void rowsByHand(int rows, const std::vector<int>& offsets, const std::vector<int>& columns,
                const std::vector<float>& values, const std::vector<float>& x, std::vector<float>& y) {
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<std::thread> others;
  const auto part = [&](int begin, int end) {
    for (int row = begin; row < end; ++row) {
      float sum = 0;
      for (int k = offsets[static_cast<size_t>(row)]; k < offsets[static_cast<size_t>(row) + 1]; ++k)
        sum += values[static_cast<size_t>(k)] * x[static_cast<size_t>(columns[static_cast<size_t>(k)])];
      y[static_cast<size_t>(row)] = sum;
    }
  };
  for (int i = 1; i < threads; ++i)
    others.emplace_back(part, static_cast<int>(int64_t{rows} * i / threads),
                        static_cast<int>(int64_t{rows} * (i + 1) / threads));
  part(0, rows / threads);
  for (std::thread& other : others) other.join();
}

}  // namespace

// A matrix of a million rows with 16 elements each near the diagonal, and 16 anywhere in 100,000 rows.
void benchSparse() {
  struct Shape {
    const char* name;
    int rows, spread;
  };
  for (const Shape& shape :
       {Shape{"SpMV 1e6 rows, banded", 1000000, 64}, Shape{"SpMV 1e5 rows, random", 100000, 100000}}) {
    const int rows = shape.rows, each = 16;
    std::mt19937 random(1);
    std::vector<int> offsets, columns;
    std::vector<float> values, x(static_cast<size_t>(rows), 1), y(x.size());
    for (int row = 0; row <= rows; ++row) offsets.push_back(row * each);
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < each; ++k) {
        const int first = std::clamp(row - shape.spread / 2, 0, rows - shape.spread);
        columns.push_back(first + static_cast<int>(random() % static_cast<unsigned>(shape.spread)));
        values.push_back(static_cast<float>(k));
      }
    int *deviceOffsets = onDevice(offsets), *deviceColumns = onDevice(columns);
    float *deviceValues = onDevice(values), *deviceX = onDevice(x), *deviceY = onDevice(y);
    musparseHandle_t handle = nullptr;
    musparseSpMatDescr_t a = nullptr;
    musparseDnVecDescr_t in = nullptr, out = nullptr;
    check(musparseCreate(&handle) == MUSPARSE_STATUS_SUCCESS, "musparseCreate");
    musparseCreateCsr(&a, rows, rows, int64_t{rows} * each, deviceOffsets, deviceColumns, deviceValues,
                      MUSPARSE_INDEX_32I, MUSPARSE_INDEX_32I, MUSPARSE_INDEX_BASE_ZERO, MUSA_R_32F);
    musparseCreateDnVec(&in, rows, deviceX, MUSA_R_32F);
    musparseCreateDnVec(&out, rows, deviceY, MUSA_R_32F);
    const float one = 1, zero = 0;
    compare(
        shape.name, 5,
        [&] {
          check(musparseSpMV(handle, MUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, in, &zero, out, MUSA_R_32F,
                             MUSPARSE_SPMV_ALG_DEFAULT, nullptr) == MUSPARSE_STATUS_SUCCESS,
                "musparseSpMV");
          (void)musaDeviceSynchronize();
        },
        [&] { rowsByHand(rows, offsets, columns, values, x, y); });
    musparseDestroySpMat(a);
    musparseDestroyDnVec(in);
    musparseDestroyDnVec(out);
    musparseDestroy(handle);
    for (void* data :
         {static_cast<void*>(deviceOffsets), static_cast<void*>(deviceColumns),
          static_cast<void*>(deviceValues), static_cast<void*>(deviceX), static_cast<void*>(deviceY)})
      (void)musaFree(data);
  }
}

}  // namespace musashim::bench
