// Choosing devices.
#pragma once

#include "check.h"

// How many devices a sample uses: those asked for, all when 0 is asked. Ends the
// program when there are fewer.
inline int devicesToUse(long long asked) {
  int present = 0;
  CHECK(cudaGetDeviceCount(&present));
  if (present == 0 || asked > present) {
    fprintf(stderr, "%lld devices asked for, %d present\n", asked, present);
    exit(EXIT_FAILURE);
  }
  return asked == 0 ? present : static_cast<int>(asked);
}

inline void printDevice(int device) {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device));
  printf("Device %d: %s, compute capability %d.%d, %d multiprocessors, warps of %d\n", device,
         properties.name, properties.major, properties.minor, properties.multiProcessorCount,
         properties.warpSize);
}
