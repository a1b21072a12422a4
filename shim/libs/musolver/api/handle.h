// What a handle of muSOLVER's dense part holds, and which handles there are.
#pragma once

#include <musolverDn.h>

namespace musashim::musolver {

struct Settings {
  musaStream_t stream = nullptr;
};

// Null when there is no such handle (any more).
Settings* findSettings(musolverDnHandle_t handle);

musolverDnHandle_t makeHandle();
bool dropHandle(musolverDnHandle_t handle);

}  // namespace musashim::musolver
