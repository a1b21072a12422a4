// transpose: a matrix turned by three kernels.
//   naive     reads rows, writes columns: scattered writes
//   tiled     through a tile in shared memory: both sides in rows
//   padded    the tile's rows one element longer, so that the columns that a
//             warp reads lie in different banks
#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"
#include "../common/timer.h"

constexpr int kTile = 32;
constexpr int kRows = 8;  // rows of threads: each thread moves kTile / kRows elements

__global__ void transposeNaive(const float* in, float* out, int width, int height) {
  const int x = static_cast<int>(blockIdx.x) * kTile + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kTile + static_cast<int>(threadIdx.y);
  for (int row = y; row < y + kTile; row += kRows) {
    if (x < width && row < height) out[x * height + row] = in[row * width + x];
  }
}

template <int kPadding>
__global__ void transposeTiled(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + kPadding];
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);
  int x = static_cast<int>(blockIdx.x) * kTile + tx;
  int y = static_cast<int>(blockIdx.y) * kTile + ty;
  for (int i = 0; i < kTile; i += kRows) {
    if (x < width && y + i < height) tile[ty + i][tx] = in[(y + i) * width + x];
  }
  __syncthreads();
  x = static_cast<int>(blockIdx.y) * kTile + tx;
  y = static_cast<int>(blockIdx.x) * kTile + ty;
  for (int i = 0; i < kTile; i += kRows) {
    if (x < height && y + i < width) out[(y + i) * height + x] = tile[tx][ty + i];
  }
}

int main(int argc, char** argv) {
  Options options(argc, argv, "Transposes a matrix: naive, through shared memory, without bank conflicts.");
  const int width = static_cast<int>(options.size("--width", 500, "columns of the input"));
  const int height = static_cast<int>(options.size("--height", 333, "rows of the input"));
  options.finish();
  printDevice(0);

  const size_t count = static_cast<size_t>(width) * static_cast<size_t>(height);
  std::vector<float> in(count), out(count);
  for (size_t i = 0; i < count; ++i) in[i] = static_cast<float>(i);
  float *deviceIn, *deviceOut;
  CHECK(cudaMalloc(&deviceIn, count * sizeof(float)));
  CHECK(cudaMalloc(&deviceOut, count * sizeof(float)));
  CHECK(cudaMemcpy(deviceIn, in.data(), count * sizeof(float), cudaMemcpyHostToDevice));

  const dim3 block(kTile, kRows);
  const dim3 grid(static_cast<unsigned>((width + kTile - 1) / kTile),
                  static_cast<unsigned>((height + kTile - 1) / kTile));
  typedef void (*Kernel)(const float*, float*, int, int);
  const struct {
    const char* name;
    Kernel kernel;
  } ways[] = {{"naive", transposeNaive}, {"tiled", transposeTiled<0>}, {"padded", transposeTiled<1>}};

  bool passed = true;
  for (const auto& way : ways) {
    CHECK(cudaMemset(deviceOut, 0xff, count * sizeof(float)));
    EventTimer timer;
    timer.start();
    way.kernel<<<grid, block>>>(deviceIn, deviceOut, width, height);
    CHECK_LAUNCH();
    const float milliseconds = timer.stop();
    CHECK(cudaMemcpy(out.data(), deviceOut, count * sizeof(float), cudaMemcpyDeviceToHost));
    size_t wrong = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const size_t from = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
        const size_t to = static_cast<size_t>(x) * static_cast<size_t>(height) + static_cast<size_t>(y);
        if (!(out[to] == in[from])) ++wrong;
      }
    }
    printf("%-8s %8.3f ms  %8.2f GB/s  %zu wrong\n", way.name, milliseconds,
           2.0 * static_cast<double>(count) * sizeof(float) / (milliseconds * 1e6), wrong);
    passed = passed && wrong == 0;
  }
  CHECK(cudaFree(deviceIn));
  CHECK(cudaFree(deviceOut));
  return verdict(passed);
}
