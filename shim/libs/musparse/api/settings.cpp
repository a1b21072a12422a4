// Entries about handles and their settings, versions and texts.
#include <musa_runtime_api.h>

#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"

using namespace musashim::musparse;

#define MUSPARSE_ENTRY __attribute__((visibility("default"))) musparseStatus_t

namespace {

// Stores a setting of the handle where the caller wants it.
template <class T>
musparseStatus_t tell(const char* name, musparseHandle_t handle, T* where, T Settings::*setting) {
  return entry(
      name, handle,
      [&](Settings& settings) {
        MUSPARSE_REQUIRE(where);
        *where = settings.*setting;
        return MUSPARSE_STATUS_SUCCESS;
      },
      where);
}

template <class T>
musparseStatus_t set(const char* name, musparseHandle_t handle, T value, T Settings::*setting, bool valid) {
  return entry(
      name, handle,
      [&](Settings& settings) {
        MUSPARSE_REQUIRE(valid);
        settings.*setting = value;
        return MUSPARSE_STATUS_SUCCESS;
      },
      value);
}

}  // namespace

extern "C" {

MUSPARSE_ENTRY musparseCreate(musparseHandle_t* handle) {
  return tracedCall(
      "musparseCreate",
      [&] {
        MUSPARSE_REQUIRE(handle);
        if (musaFree(nullptr) != musaSuccess) {
          (void)musaGetLastError();
          return MUSPARSE_STATUS_NOT_INITIALIZED;
        }
        *handle = makeHandle();
        return MUSPARSE_STATUS_SUCCESS;
      },
      handle);
}

MUSPARSE_ENTRY musparseDestroy(musparseHandle_t handle) {
  return tracedCall(
      "musparseDestroy",
      [&] {
        if (!handle) return MUSPARSE_STATUS_SUCCESS;
        return dropHandle(handle) ? MUSPARSE_STATUS_SUCCESS : MUSPARSE_STATUS_INVALID_VALUE;
      },
      handle);
}

MUSPARSE_ENTRY musparseGetVersion(musparseHandle_t handle, int* version) {
  return entry(
      "musparseGetVersion", handle,
      [&](Settings&) {
        MUSPARSE_REQUIRE(version);
        *version = MUSPARSE_VERSION;
        return MUSPARSE_STATUS_SUCCESS;
      },
      version);
}

MUSPARSE_ENTRY musparseGetProperty(libraryPropertyType type, int* value) {
  return tracedCall(
      "musparseGetProperty",
      [&] {
        constexpr int kParts[] = {MUSPARSE_VER_MAJOR, MUSPARSE_VER_MINOR, MUSPARSE_VER_PATCH};
        MUSPARSE_REQUIRE(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
        *value = kParts[type];
        return MUSPARSE_STATUS_SUCCESS;
      },
      type, value);
}

MUSPARSE_ENTRY musparseSetStream(musparseHandle_t handle, musaStream_t streamId) {
  return set("musparseSetStream", handle, streamId, &Settings::stream, true);
}
MUSPARSE_ENTRY musparseGetStream(musparseHandle_t handle, musaStream_t* streamId) {
  return tell("musparseGetStream", handle, streamId, &Settings::stream);
}
MUSPARSE_ENTRY musparseSetPointerMode(musparseHandle_t handle, musparsePointerMode_t mode) {
  return set("musparseSetPointerMode", handle, mode, &Settings::pointerMode,
             mode == MUSPARSE_POINTER_MODE_HOST || mode == MUSPARSE_POINTER_MODE_DEVICE);
}
MUSPARSE_ENTRY musparseGetPointerMode(musparseHandle_t handle, musparsePointerMode_t* mode) {
  return tell("musparseGetPointerMode", handle, mode, &Settings::pointerMode);
}

__attribute__((visibility("default"))) const char* musparseGetErrorName(musparseStatus_t status) {
  switch (status) {
#define MUSPARSE_STATUS_ROW(name, text) \
  case name:                            \
    return #name;
#include "libs/musparse/api/status.inc"
#undef MUSPARSE_STATUS_ROW
  }
  return "unrecognized error code";
}

__attribute__((visibility("default"))) const char* musparseGetErrorString(musparseStatus_t status) {
  switch (status) {
#define MUSPARSE_STATUS_ROW(name, text) \
  case name:                            \
    return text;
#include "libs/musparse/api/status.inc"
#undef MUSPARSE_STATUS_ROW
  }
  return "unrecognized error code";
}

// What a descriptor says of its matrix.
__attribute__((visibility("default"))) musparseMatrixType_t musparseGetMatType(
    const musparseMatDescr_t descrA) {
  return descrA ? descrA->type : MUSPARSE_MATRIX_TYPE_GENERAL;
}
__attribute__((visibility("default"))) musparseFillMode_t musparseGetMatFillMode(
    const musparseMatDescr_t descrA) {
  return descrA ? descrA->fill : MUSPARSE_FILL_MODE_LOWER;
}
__attribute__((visibility("default"))) musparseDiagType_t musparseGetMatDiagType(
    const musparseMatDescr_t descrA) {
  return descrA ? descrA->diagonal : MUSPARSE_DIAG_TYPE_NON_UNIT;
}
__attribute__((visibility("default"))) musparseIndexBase_t musparseGetMatIndexBase(
    const musparseMatDescr_t descrA) {
  return descrA ? descrA->base : MUSPARSE_INDEX_BASE_ZERO;
}

}  // extern "C"
