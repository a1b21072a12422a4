// What handles of muSOLVER hold, and which handles there are.
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

musolverDnHandle_t makeHandle();
musolverSpHandle_t makeSparseHandle();
bool dropHandle(musolverDnHandle_t handle);
bool dropHandle(musolverSpHandle_t handle);

}  // namespace musashim::musolver
