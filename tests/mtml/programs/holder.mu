// Holds so many MiB of device 0, and so many of device 1, until its input ends; with a third argument, a
// kernel runs on device 0 meanwhile.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void spin(volatile int* go) {
  while (*go == 0) {
  }
}

static void check(musaError_t error) {
  if (error == musaSuccess) return;
  std::printf("%s\n", musaGetErrorString(error));
  std::exit(1);
}

int main(int argc, char** argv) {
  void* memory = nullptr;
  for (int device = 0; device < 2; ++device) {
    const size_t bytes = static_cast<size_t>(std::atoi(argv[1 + device])) << 20;
    if (bytes == 0) continue;
    check(musaSetDevice(device));
    check(musaMalloc(&memory, bytes));
  }
  int* go = nullptr;
  if (argc > 3) {
    check(musaSetDevice(0));
    check(musaHostAlloc(reinterpret_cast<void**>(&go), sizeof *go, musaHostAllocMapped));
    *static_cast<volatile int*>(go) = 0;
    spin<<<1, 1>>>(go);
    check(musaGetLastError());
  }
  std::puts("ready");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  if (go) *static_cast<volatile int*>(go) = 1;
  check(musaDeviceSynchronize());
}
