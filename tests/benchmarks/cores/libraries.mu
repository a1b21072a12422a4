// Transforms and sparse products of the libraries, which share out their work themselves. Prints
// microseconds:
//   libraries
#include <mufft.h>
#include <musparse.h>

#include <cstdio>
#include <cstdlib>

#include "block_work.h"
#include "harness/musa.h"

namespace {

void check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

void print(const char* name, double microseconds) {
  std::printf("%-28s %10.1f\n", name, microseconds);
  std::fflush(stdout);
}

void transforms(const char* name, int length, int batch) {
  bench::DeviceBuffer<mufftComplex> data(size_t(length) * batch), out(size_t(length) * batch);
  BENCH_MUSA(musaMemset(data.data(), 0, sizeof(mufftComplex) * length * batch));
  mufftHandle plan;
  check(mufftPlan1d(&plan, length, MUFFT_C2C, batch) == MUFFT_SUCCESS, "mufftPlan1d");
  const auto run = [&] {
    check(mufftExecC2C(plan, data.data(), out.data(), MUFFT_FORWARD) == MUFFT_SUCCESS, "mufftExecC2C");
    BENCH_MUSA(musaDeviceSynchronize());
  };
  run();
  print(name, cores::medianTime(run, 31, 0));
  mufftDestroy(plan);
}

// Sixteen elements in each row, within `spread` columns of the diagonal.
void product(const char* name, int rows, int spread) {
  constexpr int kOfRow = 16;
  std::vector<int> offsets(rows + 1), columns;
  for (int row = 0; row < rows; ++row) {
    offsets[row + 1] = offsets[row] + kOfRow;
    for (int i = 0; i < kOfRow; ++i) columns.push_back(int((row + uint64_t(i) * spread / kOfRow) % rows));
  }
  std::vector<float> ones(columns.size(), 1.0f);
  bench::DeviceBuffer<int> deviceOffsets(offsets.size()), deviceColumns(columns.size());
  bench::DeviceBuffer<float> values(ones.size()), in(rows), out(rows);
  BENCH_MUSA(
      musaMemcpy(deviceOffsets.data(), offsets.data(), offsets.size() * sizeof(int), musaMemcpyHostToDevice));
  BENCH_MUSA(
      musaMemcpy(deviceColumns.data(), columns.data(), columns.size() * sizeof(int), musaMemcpyHostToDevice));
  BENCH_MUSA(musaMemcpy(values.data(), ones.data(), ones.size() * sizeof(float), musaMemcpyHostToDevice));
  BENCH_MUSA(musaMemcpy(in.data(), ones.data(), rows * sizeof(float), musaMemcpyHostToDevice));
  musparseHandle_t handle;
  check(musparseCreate(&handle) == MUSPARSE_STATUS_SUCCESS, "musparseCreate");
  musparseSpMatDescr_t matrix;
  musparseDnVecDescr_t x, y;
  check(musparseCreateCsr(&matrix, rows, rows, int64_t(columns.size()), deviceOffsets.data(),
                          deviceColumns.data(), values.data(), MUSPARSE_INDEX_32I, MUSPARSE_INDEX_32I,
                          MUSPARSE_INDEX_BASE_ZERO, MUSA_R_32F) == MUSPARSE_STATUS_SUCCESS,
        "musparseCreateCsr");
  check(musparseCreateDnVec(&x, rows, in.data(), MUSA_R_32F) == MUSPARSE_STATUS_SUCCESS,
        "musparseCreateDnVec");
  check(musparseCreateDnVec(&y, rows, out.data(), MUSA_R_32F) == MUSPARSE_STATUS_SUCCESS,
        "musparseCreateDnVec");
  const float one = 1, zero = 0;
  size_t bytes = 0;
  check(musparseSpMV_bufferSize(handle, MUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                                MUSA_R_32F, MUSPARSE_SPMV_ALG_DEFAULT, &bytes) == MUSPARSE_STATUS_SUCCESS,
        "musparseSpMV_bufferSize");
  bench::DeviceBuffer<char> buffer(bytes + 1);
  const auto run = [&] {
    check(musparseSpMV(handle, MUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y, MUSA_R_32F,
                       MUSPARSE_SPMV_ALG_DEFAULT, buffer.data()) == MUSPARSE_STATUS_SUCCESS,
          "musparseSpMV");
    BENCH_MUSA(musaDeviceSynchronize());
  };
  run();
  print(name, cores::medianTime(run, 31, 0));
}

}  // namespace

int main() {
  transforms("C2C 2^20", 1 << 20, 1);
  transforms("C2C 256 x 1024", 1024, 256);
  product("SpMV 1e6 rows, banded", 1000000, 64);
  product("SpMV 1e5 rows, anywhere", 100000, 100000);
}
