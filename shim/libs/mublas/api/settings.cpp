// Entries about handles and their settings, versions and texts.
#include <musa_runtime_api.h>

#include "libs/mublas/api/entry.h"

using namespace musashim::mublas;

namespace {

// Stores a setting of the handle where the caller wants it.
template <class T>
mublasStatus_t tell(const char* name, mublasHandle_t handle, T* where, T Settings::* setting) {
  return entry(
      name, handle,
      [&](Settings& settings) {
        MUBLAS_REQUIRE(where, kBadPointer);
        *where = settings.*setting;
        return MUBLAS_STATUS_SUCCESS;
      },
      where);
}

template <class T>
mublasStatus_t set(const char* name, mublasHandle_t handle, T value, T Settings::* setting, bool valid) {
  return entry(
      name, handle,
      [&](Settings& settings) {
        MUBLAS_REQUIRE(valid, MUBLAS_STATUS_INVALID_VALUE);
        settings.*setting = value;
        return MUBLAS_STATUS_SUCCESS;
      },
      value);
}

constexpr int kKnownMath = MUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION | 3;

}  // namespace

extern "C" {

mublasStatus_t mublasCreate(mublasHandle_t* handle) {
  return tracedCall(
      "mublasCreate",
      [&] {
        MUBLAS_REQUIRE(handle, kBadHandle);
        int device = 0;
        if (musaGetDevice(&device) != musaSuccess || musaFree(nullptr) != musaSuccess) {
          (void)musaGetLastError();
          return MUBLAS_STATUS_NOT_INITIALIZED;
        }
        *handle = makeHandle();
        return MUBLAS_STATUS_SUCCESS;
      },
      handle);
}

mublasStatus_t mublasDestroy(mublasHandle_t handle) {
  return entry("mublasDestroy", handle, [&](Settings& settings) {
    // Its work may use the workspace that the caller frees next.
    if (musaStreamSynchronize(settings.stream) != musaSuccess) (void)musaGetLastError();
    return dropHandle(handle) ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_NOT_INITIALIZED;
  });
}

mublasStatus_t mublasGetVersion(mublasHandle_t handle, int* version) {
  return tracedCall(
      "mublasGetVersion",
      [&] {
        MUBLAS_REQUIRE(version, kBadPointer);
        *version = MUBLAS_VERSION;  // cuBLAS tells it without a handle too
        return MUBLAS_STATUS_SUCCESS;
      },
      handle, version);
}

mublasStatus_t mublasGetProperty(libraryPropertyType type, int* value) {
  return tracedCall(
      "mublasGetProperty",
      [&] {
        constexpr int kParts[] = {MUBLAS_VER_MAJOR, MUBLAS_VER_MINOR, MUBLAS_VER_PATCH};
        MUBLAS_REQUIRE(value, kBadPointer);
        MUBLAS_REQUIRE(type >= MAJOR_VERSION && type <= PATCH_LEVEL, MUBLAS_STATUS_INVALID_VALUE);
        *value = kParts[type];
        return MUBLAS_STATUS_SUCCESS;
      },
      type, value);
}

__attribute__((visibility("default"))) size_t mublasGetMusartVersion(void) {
  int version = 0;
  return musaRuntimeGetVersion(&version) == musaSuccess ? static_cast<size_t>(version) : 0;
}

// Nothing here needs a workspace: memory for packing is the processor library's. The call is checked, and has
// no effect.
mublasStatus_t mublasSetWorkspace(mublasHandle_t handle, void* workspace, size_t workspaceSizeInBytes) {
  return entry(
      "mublasSetWorkspace", handle,
      [&](Settings&) {
        MUBLAS_REQUIRE(workspace || workspaceSizeInBytes == 0, kBadPointer);
        MUBLAS_REQUIRE(reinterpret_cast<size_t>(workspace) % 256 == 0, MUBLAS_STATUS_INVALID_VALUE);
        return MUBLAS_STATUS_SUCCESS;
      },
      workspace, workspaceSizeInBytes);
}

#define MUBLAS_SETTING(Name, Type, setting, valid)                           \
  mublasStatus_t mublasGet##Name(mublasHandle_t handle, Type* value) {       \
    return tell("mublasGet" #Name, handle, value, &Settings::setting);       \
  }                                                                          \
  mublasStatus_t mublasSet##Name(mublasHandle_t handle, Type value) {        \
    return set("mublasSet" #Name, handle, value, &Settings::setting, valid); \
  }
MUBLAS_SETTING(Stream, musaStream_t, stream, true)
MUBLAS_SETTING(PointerMode, mublasPointerMode_t, pointerMode,
               value == MUBLAS_POINTER_MODE_HOST || value == MUBLAS_POINTER_MODE_DEVICE)
MUBLAS_SETTING(AtomicsMode, mublasAtomicsMode_t, atomicsMode,
               value == MUBLAS_ATOMICS_NOT_ALLOWED || value == MUBLAS_ATOMICS_ALLOWED)
MUBLAS_SETTING(MathMode, mublasMath_t, mathMode, (value & ~kKnownMath) == 0)
MUBLAS_SETTING(SmCountTarget, int, smCountTarget, value >= 0)

const char* mublasGetStatusName(mublasStatus_t status) {
  const char* const name = nameOfTold(status);
  return name ? name : "MUBLAS_STATUS_UNKNOWN";
}

const char* mublasGetStatusString(mublasStatus_t status) {
  const char* const text = textOfTold(status);
  return text ? text : "no such status";
}

}  // extern "C"
