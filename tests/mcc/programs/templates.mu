// Kernel templates that are named long before, or without, a launch by `<<<>>>`. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

#include <vector>

constexpr int kCount = 200;

// Clang hands a namespace over when it ends: here the instances of `doubled` are known by then, their bodies
// are not.
namespace {
template <class T>
__global__ void doubled(T* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = static_cast<T>(values[i] * 2);
}

musaError_t doubleAll(void* values, int bytesPerElement, int count) {
  const void* kernel = nullptr;
  switch (bytesPerElement) {
    case 1:
      kernel = reinterpret_cast<const void*>(&doubled<unsigned char>);
      break;
    case 4:
      kernel = reinterpret_cast<const void*>(&doubled<int>);
      break;
    case 8:
      kernel = reinterpret_cast<const void*>(&doubled<double>);
      break;
  }
  void* arguments[] = {&values, &count};
  return musaLaunchKernel(kernel, dim3(2), dim3(128), arguments, 0, nullptr);
}
}  // namespace

// A template that is declared first, used, and defined last.
template <int kAdded>
__global__ void added(int* values, int count);

static void addAll(int* values) { added<5><<<2, 128>>>(values, kCount); }

template <int kAdded>
__global__ void added(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += kAdded;
}

// An instance that nothing launches but its explicit instantiation keeps, and an explicit specialisation.
template <class T>
__global__ void tripled(T* values) {
  values[threadIdx.x] *= 3;
}
template __global__ void tripled<float>(float*);
template <>
__global__ void tripled<int>(int* values) {
  values[threadIdx.x] *= -3;
}

template <class T>
static int wrongAfterDoubling() {
  std::vector<T> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = static_cast<T>(i % 100);
  T* device;
  musaMalloc(&device, kCount * sizeof(T));
  musaMemcpy(device, values.data(), kCount * sizeof(T), musaMemcpyHostToDevice);
  const musaError_t error = doubleAll(device, sizeof(T), kCount);
  if (error != musaSuccess) printf("doubled, %zu bytes: %s\n", sizeof(T), musaGetErrorString(error));
  musaMemcpy(values.data(), device, kCount * sizeof(T), musaMemcpyDeviceToHost);
  musaFree(device);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += values[i] != static_cast<T>(i % 100 * 2);
  return wrong;
}

template <class T>
static int wrongAfterTripling(T factor) {
  T values[32], *device;
  for (int i = 0; i < 32; ++i) values[i] = static_cast<T>(i);
  musaMalloc(&device, sizeof values);
  musaMemcpy(device, values, sizeof values, musaMemcpyHostToDevice);
  tripled<T><<<1, 32>>>(device);
  musaMemcpy(values, device, sizeof values, musaMemcpyDeviceToHost);
  musaFree(device);
  int wrong = 0;
  for (int i = 0; i < 32; ++i) wrong += values[i] != static_cast<T>(i) * factor;
  return wrong;
}

static int wrongAfterAdding() {
  std::vector<int> values(kCount, 7);
  int* device;
  musaMalloc(&device, kCount * sizeof(int));
  musaMemcpy(device, values.data(), kCount * sizeof(int), musaMemcpyHostToDevice);
  addAll(device);
  musaMemcpy(values.data(), device, kCount * sizeof(int), musaMemcpyDeviceToHost);
  musaFree(device);
  int wrong = 0;
  for (const int value : values) wrong += value != 12;
  return wrong;
}

int main() {
  const int doubledWrong =
      wrongAfterDoubling<unsigned char>() + wrongAfterDoubling<int>() + wrongAfterDoubling<double>();
  const int addedWrong = wrongAfterAdding();
  const int tripledWrong = wrongAfterTripling<float>(3) + wrongAfterTripling<int>(-3);
  const int wrong = doubledWrong + addedWrong + tripledWrong;
  if (wrong > 0) printf("wrong: doubled %d, added %d, tripled %d\n", doubledWrong, addedWrong, tripledWrong);
  return wrong > 0 || musaGetLastError() != musaSuccess ? 1 : 0;
}
