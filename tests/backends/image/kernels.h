// The kernels of the test image and their variables.
#pragma once

#include "abi/musa_device_abi.h"

namespace test_image {

// plain_kernels.cpp
void emptyKernel(const MusaBlockContext* block);
void spinKernel(const MusaBlockContext* block);
void countKernel(const MusaBlockContext* block);
void meetKernel(const MusaBlockContext* block);
void addKernel(const MusaBlockContext* block);
void levelKernel(const MusaBlockContext* block);
void wideLevelKernel(const MusaBlockContext* block);
void launchesKernel(const MusaBlockContext* block);
void sharedKernel(const MusaBlockContext* block);
extern int launches;  // a __device__ variable
extern int table[4];  // a __constant__ one

// fault_kernels.cpp
void faultKernel(const MusaBlockContext* block);
void faultFibersKernel(const MusaBlockContext* block);
void fail(int kind);  // FaultKind

// barrier_kernels.cpp
void reduceKernel(const MusaBlockContext* block);
void earlyExitKernel(const MusaBlockContext* block);
void deadlockKernel(const MusaBlockContext* block);

// warp_kernels.cpp
void warpKernel(const MusaBlockContext* block);
void divergentKernel(const MusaBlockContext* block);
void chainKernel(const MusaBlockContext* block);
void activeMaskKernel(const MusaBlockContext* block);

// grid_kernels.cpp
void gridKernel(const MusaBlockContext* block);
void gridUntoldKernel(const MusaBlockContext* block);
void gridFibersKernel(const MusaBlockContext* block);

// service_kernels.cpp
void printKernel(const MusaBlockContext* block);
void printManyKernel(const MusaBlockContext* block);
void heapKernel(const MusaBlockContext* block);
void timeKernel(const MusaBlockContext* block);
void sleepKernel(const MusaBlockContext* block);

// turn_kernels.cpp
void lookBackKernel(const MusaBlockContext* block);
void turnsKernel(const MusaBlockContext* block);
void turnsForCountKernel(const MusaBlockContext* block);
void lookBackInTurnsKernel(const MusaBlockContext* block);
void lookAheadInTurnsKernel(const MusaBlockContext* block);

}  // namespace test_image
