// vectorAdd: c = a + b, one thread per element. The shortest complete program:
// allocate, copy in, launch, copy out, compare.
#include <math.h>

#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"

__global__ void addVectors(const float* a, const float* b, float* c, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  Options options(argc, argv, "Adds two vectors.");
  const size_t count = static_cast<size_t>(options.size("--count", 1000003, "elements"));
  const unsigned block = static_cast<unsigned>(options.size("--block", 256, "threads in a block"));
  options.finish();
  printDevice(0);

  std::vector<float> a(count), b(count), c(count, -1.0f);
  for (size_t i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i % 1000) * 0.25f;
    b[i] = static_cast<float>(i % 77) - 30.0f;
  }

  const size_t bytes = count * sizeof(float);
  float *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, bytes));
  CHECK(cudaMalloc(&deviceB, bytes));
  CHECK(cudaMalloc(&deviceC, bytes));
  CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));

  const unsigned grid = static_cast<unsigned>((count + block - 1) / block);
  printf("%zu elements: %u blocks of %u threads\n", count, grid, block);
  addVectors<<<grid, block>>>(deviceA, deviceB, deviceC, count);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(c.data(), deviceC, bytes, cudaMemcpyDeviceToHost));

  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    if (c[i] != a[i] + b[i] && wrong++ == 0) {
      printf("element %zu: %g instead of %g\n", i, c[i], a[i] + b[i]);
    }
  }
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));
  return verdict(wrong == 0);
}
