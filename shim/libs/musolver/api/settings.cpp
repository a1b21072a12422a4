// Entries about handles and versions.
#include <musa_runtime_api.h>

#include "libs/musolver/api/entry.h"

using namespace musashim::musolver;

#define MUSOLVER_ENTRY __attribute__((visibility("default"))) musolverStatus_t

extern "C" {

MUSOLVER_ENTRY musolverDnCreate(musolverDnHandle_t* handle) {
  return tracedCall(
      "musolverDnCreate",
      [&] {
        MUSOLVER_REQUIRE(handle);
        if (musaFree(nullptr) != musaSuccess) {
          (void)musaGetLastError();
          return MUSOLVER_STATUS_NOT_INITIALIZED;
        }
        *handle = makeHandle();
        return MUSOLVER_STATUS_SUCCESS;
      },
      handle);
}

MUSOLVER_ENTRY musolverDnDestroy(musolverDnHandle_t handle) {
  return tracedCall(
      "musolverDnDestroy",
      [&] { return dropHandle(handle) ? MUSOLVER_STATUS_SUCCESS : MUSOLVER_STATUS_NOT_INITIALIZED; }, handle);
}

MUSOLVER_ENTRY musolverDnSetStream(musolverDnHandle_t handle, musaStream_t streamId) {
  return entry(
      "musolverDnSetStream", handle,
      [&](Settings& settings) {
        settings.stream = streamId;
        return MUSOLVER_STATUS_SUCCESS;
      },
      streamId);
}

MUSOLVER_ENTRY musolverDnGetStream(musolverDnHandle_t handle, musaStream_t* streamId) {
  return entry(
      "musolverDnGetStream", handle,
      [&](Settings& settings) {
        MUSOLVER_REQUIRE(streamId);
        *streamId = settings.stream;
        return MUSOLVER_STATUS_SUCCESS;
      },
      streamId);
}

MUSOLVER_ENTRY musolverGetVersion(int* version) {
  return tracedCall(
      "musolverGetVersion",
      [&] {
        MUSOLVER_REQUIRE(version);
        *version = MUSOLVER_VERSION;
        return MUSOLVER_STATUS_SUCCESS;
      },
      version);
}

MUSOLVER_ENTRY musolverGetProperty(libraryPropertyType type, int* value) {
  return tracedCall(
      "musolverGetProperty",
      [&] {
        constexpr int kParts[] = {MUSOLVER_VER_MAJOR, MUSOLVER_VER_MINOR, MUSOLVER_VER_PATCH};
        MUSOLVER_REQUIRE(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
        *value = kParts[type];
        return MUSOLVER_STATUS_SUCCESS;
      },
      type, value);
}

}  // extern "C"
