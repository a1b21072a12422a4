// Counts what is wrong and says where.
#pragma once

#include <mtshmem.h>
#include <mtshmemx.h>

#include <cstdio>
#include <cstdlib>

inline int gWrong = 0;

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::printf("PE %d: %s:%d: %s\n", mtshmem_my_pe(), __FILE__, __LINE__, #condition); \
      ++gWrong;                                                                           \
    }                                                                                     \
  } while (false)

#define MUSA(call) CHECK((call) == musaSuccess)

/* The device of a PE: they share those that there are. */
inline void chooseDevice() {
  int devices = 0;
  MUSA(musaGetDeviceCount(&devices));
  MUSA(musaSetDevice(mtshmem_team_my_pe(MTSHMEMX_TEAM_NODE) % devices));
}

template <typename T>
T fetch(const T* from) {
  T value;
  MUSA(musaMemcpy(&value, from, sizeof value, musaMemcpyDefault));
  return value;
}

inline int finish() {
  const int me = mtshmem_my_pe();
  mtshmem_finalize();
  if (gWrong == 0) std::printf("PE %d: passed\n", me);
  return gWrong != 0;
}
