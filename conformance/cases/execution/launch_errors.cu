// Launches that cannot be.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.launch_errors");

__global__ void mark(int* value) { *value = 1; }

template <class Launch>
static std::string errorOf(Launch launch) {
  launch();
  return observedText(cudaGetLastError());
}

int main() {
  DeviceArray<int> value(1);
  int* p = value.data();
  OBSERVE("valid", errorOf([&] { mark<<<1, 1>>>(p); }));
  SETUP(cudaDeviceSynchronize());
  SETUP(cudaMemset(p, 0, sizeof(int)));

  OBSERVE("zero_grid", errorOf([&] { mark<<<0, 1>>>(p); }));
  OBSERVE("zero_grid_z", errorOf([&] { mark<<<dim3(1, 1, 0), 1>>>(p); }));
  OBSERVE("zero_block", errorOf([&] { mark<<<1, 0>>>(p); }));
  OBSERVE("too_many_threads", errorOf([&] { mark<<<1, 1025>>>(p); }));
  OBSERVE("too_many_threads_product", errorOf([&] { mark<<<1, dim3(33, 32)>>>(p); }));
  OBSERVE("negative_block", errorOf([&] { mark<<<1, static_cast<unsigned>(-1)>>>(p); }));
  OBSERVE("block_z_65", errorOf([&] { mark<<<1, dim3(1, 1, 65)>>>(p); }));
  OBSERVE("grid_y_65536", errorOf([&] { mark<<<dim3(1, 65536), 1>>>(p); }));
  OBSERVE("grid_x_above_31_bits", errorOf([&] { mark<<<dim3(0x80000000u), 1>>>(p); }));
  OBSERVE("shared_1_gib", errorOf([&] { mark<<<1, 1, size_t{1} << 30>>>(p); }));
  OBSERVE("shared_negative", errorOf([&] { mark<<<1, 1, static_cast<size_t>(-1)>>>(p); }));
  OBSERVE("still_works", errorOf([&] { mark<<<1, 1>>>(p); }));
  OBSERVE("only_valid_ones_ran", value.read()[0]);

  const void* kernel = reinterpret_cast<const void*>(mark);
  void* arguments[] = {&p};
  OBSERVE("by_function", cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 0, nullptr));
  OBSERVE("null_function",
          cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), arguments, 0, nullptr));
  int notAKernel = 0;
  OBSERVE("not_a_function", cudaLaunchKernel(&notAKernel, dim3(1), dim3(1), arguments, 0, nullptr));
  OBSERVE("by_function_zero_grid", cudaLaunchKernel(kernel, dim3(0), dim3(1), arguments, 0, nullptr));
  cudaGetLastError();
}
