// What handles of muSOLVER hold, and which handles there are. Those of the dense part are muBLAS's handles,
// which have their stream there.
#pragma once

#include <musolverDn.h>
#include <musolverSp.h>

namespace musashim::musolver {

struct Settings {
  musaStream_t stream = nullptr;
  musolverDeterministicMode_t deterministic = MUSOLVER_DETERMINISTIC_RESULTS;
};

// Null when there is no such handle (any more).
Settings* findSettings(musolverDnHandle_t handle);
Settings* findSettings(musolverSpHandle_t handle);

// Null for want of a device.
musolverDnHandle_t makeHandle();
musolverSpHandle_t makeSparseHandle();
bool dropHandle(musolverDnHandle_t handle);
bool dropHandle(musolverSpHandle_t handle);

// The handle's stream; false when there is no such handle.
bool setStream(musolverDnHandle_t handle, musaStream_t stream);
bool setStream(musolverSpHandle_t handle, musaStream_t stream);

}  // namespace musashim::musolver
