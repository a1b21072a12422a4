#include <cuda.h>

#include <cstdio>

template <typename T>
int check(void (*start)(T*)) {
  T* values;
  cudaMallocManaged(&values, 32 * sizeof(T));
  start(values);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 32; ++i) wrong += values[i] != static_cast<T>(i);
  return wrong;
}
void start_int(int*);
void start_float(float*);
void start_double(double*);

int main() {
  int version = 0;
  if (cuDriverGetVersion(&version) != CUDA_SUCCESS) return 1;
  std::printf("%d wrong\n", check(start_int) + check(start_float) + check(start_double));
}
