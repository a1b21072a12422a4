// Error checks for calls of the collectives library.
#pragma once

#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_NCCL(call) checkNcclResult((call), #call, __FILE__, __LINE__)

inline void checkNcclResult(ncclResult_t result, const char* what, const char* file, int line) {
  if (result == ncclSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, ncclGetErrorString(result));
  exit(EXIT_FAILURE);
}
