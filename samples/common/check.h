// Error checks of the samples: print where and what, then end with status 1.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) checkResult((call), #call, __FILE__, __LINE__)

// After a launch: the launch's own error.
#define CHECK_LAUNCH() checkResult(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

inline void checkResult(cudaError_t error, const char* what, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, what, cudaGetErrorString(error),
          cudaGetErrorName(error));
  exit(EXIT_FAILURE);
}

// Ends a sample: prints the verdict and returns the exit status.
inline int verdict(bool passed) {
  printf("Test %s\n", passed ? "PASSED" : "FAILED");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
