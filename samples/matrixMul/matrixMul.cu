// matrixMul: C = A * B by tiles in shared memory. Each block computes one tile of
// C; its threads load one element of A and of B a step, meet at a barrier, and
// use every loaded element kTile times. Sizes need not be multiples of the tile.
#include <math.h>

#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"
#include "../common/timer.h"

template <int kTile>
__global__ void multiply(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile + 1];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * kTile + y;
  const int column = static_cast<int>(blockIdx.x) * kTile + x;

  float sum = 0.0f;
  for (int first = 0; first < inner; first += kTile) {
    tileA[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0.0f;
    tileB[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

template <int kTile>
static void launch(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>((columns + kTile - 1) / kTile),
                  static_cast<unsigned>((rows + kTile - 1) / kTile));
  multiply<kTile><<<grid, block>>>(a, b, c, rows, inner, columns);
  CHECK_LAUNCH();
}

// Compares every element with a sum in double precision.
static bool matches(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& c,
                    int rows, int inner, int columns) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      double sum = 0.0;
      double magnitude = 0.0;
      for (int k = 0; k < inner; ++k) {
        const double product = static_cast<double>(a[static_cast<size_t>(row) * inner + k]) *
                               b[static_cast<size_t>(k) * columns + column];
        sum += product;
        magnitude += fabs(product);
      }
      const double got = c[static_cast<size_t>(row) * columns + column];
      if (!(fabs(got - sum) <= 1e-6 * (magnitude + 1.0) * sqrt(static_cast<double>(inner)))) {
        printf("C[%d][%d]: %.9g instead of %.9g\n", row, column, got, sum);
        return false;
      }
    }
  }
  return true;
}

int main(int argc, char** argv) {
  Options options(argc, argv, "Multiplies two matrices by tiles in shared memory.");
  const int rows = static_cast<int>(options.size("--rows", 150, "rows of A and C"));
  const int inner = static_cast<int>(options.size("--inner", 100, "columns of A, rows of B"));
  const int columns = static_cast<int>(options.size("--columns", 130, "columns of B and C"));
  const int tile = static_cast<int>(options.size("--tile", 16, "edge of a tile: 16 or 32"));
  options.finish();
  printDevice(0);

  std::vector<float> a(static_cast<size_t>(rows) * inner), b(static_cast<size_t>(inner) * columns);
  std::vector<float> c(static_cast<size_t>(rows) * columns, -1.0f);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 7 % 23) / 23.0f - 0.4f;
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 5 % 31) / 31.0f - 0.6f;

  float *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&deviceB, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&deviceC, c.size() * sizeof(float)));
  CHECK(cudaMemcpy(deviceA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  EventTimer timer;
  timer.start();
  if (tile == 32) {
    launch<32>(deviceA, deviceB, deviceC, rows, inner, columns);
  } else {
    launch<16>(deviceA, deviceB, deviceC, rows, inner, columns);
  }
  const float milliseconds = timer.stop();
  const double operations = 2.0 * rows * inner * columns;
  printf("C(%d x %d) = A(%d x %d) * B(%d x %d): %.3f ms, %.3f GFLOP/s\n", rows, columns, rows, inner, inner,
         columns, milliseconds, operations / (milliseconds * 1e6));

  CHECK(cudaMemcpy(c.data(), deviceC, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));
  return verdict(matches(a, b, c, rows, inner, columns));
}
