// Launches kernels on a device until one fails, tries to go on after a reset, and stays until its input ends.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void nothing() {}

static musaError_t launch() {
  nothing<<<1, 32>>>();
  return musaDeviceSynchronize();
}

int main(int, char** argv) {
  const int device = std::atoi(argv[1]);
  musaSetDevice(device);
  int went = 0;
  musaError_t error = musaSuccess;
  while (went < 10 && (error = launch()) == musaSuccess) ++went;
  std::printf("%d launches, then %s\n", went, musaGetErrorName(error));
  void* memory = nullptr;
  std::printf("allocation: %s\n", musaGetErrorName(musaMalloc(&memory, 1 << 20)));
  musaDeviceReset();
  std::printf("after a reset: %s\n", musaGetErrorName(launch()));
  musaSetDevice(0);
  std::printf("device 0: %s\n", musaGetErrorName(launch()));
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
}
