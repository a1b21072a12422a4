// Entries about handles and versions.
#include <musa_runtime_api.h>

#include "libs/musolver/api/entry.h"

using namespace musashim::musolver;

#define MUSOLVER_ENTRY __attribute__((visibility("default"))) musolverStatus_t

extern "C" {

#define MUSOLVER_HANDLE(Part, make)                                                                       \
  MUSOLVER_ENTRY musolver##Part##Create(musolver##Part##Handle_t* handle) {                               \
    return tracedCall(                                                                                    \
        "musolver" #Part "Create",                                                                        \
        [&] {                                                                                             \
          MUSOLVER_REQUIRE(handle);                                                                       \
          const auto made = make();                                                                       \
          if (!made) return MUSOLVER_STATUS_NOT_INITIALIZED;                                              \
          *handle = made;                                                                                 \
          return MUSOLVER_STATUS_SUCCESS;                                                                 \
        },                                                                                                \
        handle);                                                                                          \
  }                                                                                                       \
  MUSOLVER_ENTRY musolver##Part##Destroy(musolver##Part##Handle_t handle) {                               \
    return tracedCall(                                                                                    \
        "musolver" #Part "Destroy",                                                                       \
        [&] { return dropHandle(handle) ? MUSOLVER_STATUS_SUCCESS : MUSOLVER_STATUS_NOT_INITIALIZED; },   \
        handle);                                                                                          \
  }                                                                                                       \
  MUSOLVER_ENTRY musolver##Part##SetStream(musolver##Part##Handle_t handle, musaStream_t streamId) {      \
    return tracedCall(                                                                                    \
        "musolver" #Part "SetStream",                                                                     \
        [&] {                                                                                             \
          return setStream(handle, streamId) ? MUSOLVER_STATUS_SUCCESS : MUSOLVER_STATUS_NOT_INITIALIZED; \
        },                                                                                                \
        handle, streamId);                                                                                \
  }                                                                                                       \
  MUSOLVER_ENTRY musolver##Part##GetStream(musolver##Part##Handle_t handle, musaStream_t* streamId) {     \
    return entry(                                                                                         \
        "musolver" #Part "GetStream", handle,                                                             \
        [&](Settings& settings) {                                                                         \
          MUSOLVER_REQUIRE(streamId);                                                                     \
          *streamId = settings.stream;                                                                    \
          return MUSOLVER_STATUS_SUCCESS;                                                                 \
        },                                                                                                \
        streamId);                                                                                        \
  }
MUSOLVER_HANDLE(Dn, makeHandle)
MUSOLVER_HANDLE(Sp, makeSparseHandle)
#undef MUSOLVER_HANDLE

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
