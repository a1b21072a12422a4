#include "separate.h"

static __device__ int hidden = 200;
static __device__ __noinline__ int whoAmI() { return hidden + 2; }

static __device__ int multiply(int a, int b) { return a * b; }

__device__ int twinCounter = 9;
__device__ int twinTable[4] = {11, 12, 13, 14};
__device__ Operation twinOperation = multiply;

__device__ int addInTwin(int a, int b) { return a + b; }
__device__ int whoIsTwin() { return whoAmI(); }

__device__ int sumAcrossBarrier(int value) {
  __shared__ int values[32];
  values[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += values[i];
  __syncthreads();
  return sum;
}

namespace {

class Rectangle : public Shape {
 public:
  __device__ Rectangle(int width, int height) : width_(width), height_(height) {}
  __device__ int area() const override { return width_ * height_; }
  __device__ int sides() const override { return 4; }

 private:
  int width_, height_;
};

__global__ void make(Shape** place) { *place = new Rectangle(6, 7); }
__global__ void readCounter(int* out) { *out = twinCounter; }
__global__ void __launch_bounds__(96) readHidden(int* out) { *out = hidden; }
__global__ void count(int* out) {
  atomicAdd(&counter, 1);
  __syncthreads();
  *out = counter;
}
__global__ void multiplyAll(int* out, int value) {
  for (int i = 0; i < 4; ++i) value *= factors[i];
  *out = value;
}

template <class Launch>
int resultOf(Launch launch) {
  int* out = nullptr;
  int value = -1;
  if (cudaMalloc(reinterpret_cast<void**>(&out), sizeof(int)) != cudaSuccess) return -2;
  launch(out);
  if (cudaMemcpy(&value, out, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return -3;
  cudaFree(out);
  return value;
}

}  // namespace

int readTwinCounter() {
  return resultOf([](int* out) { readCounter<<<1, 1>>>(out); });
}
int readTwinHidden() {
  return resultOf([](int* out) { readHidden<<<1, 1>>>(out); });
}
int countOurs(int threads) {
  return resultOf([threads](int* out) { count<<<1, threads>>>(out); });
}
int multiplyByOurFactors(int value) {
  return resultOf([value](int* out) { multiplyAll<<<1, 1>>>(out, value); });
}
cudaError_t makeShape(Shape** place) {
  make<<<1, 1>>>(place);
  return cudaDeviceSynchronize();
}
const void* twinKernel() { return reinterpret_cast<const void*>(readHidden); }
