// Checks of a rank program: the first that fails ends it.
#pragma once

#include <musa_runtime_api.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "mccl.h"

#define CHECK(condition)                                                                             \
  do {                                                                                               \
    if (!(condition)) {                                                                              \
      std::fprintf(stderr, "process %d: %s:%d: %s (last error: %s)\n", getpid(), __FILE__, __LINE__, \
                   #condition, mcclGetLastError(nullptr));                                           \
      std::_Exit(1);                                                                                 \
    }                                                                                                \
  } while (false)

#define MUST(call) CHECK((call) == mcclSuccess)
#define MUST_MUSA(call) CHECK((call) == musaSuccess)
