// Entries about handles, versions and texts.
#include <dlfcn.h>
#include <musa_runtime_api.h>

#include <atomic>

#include "libs/core/handles.h"
#include "libs/mublasLt/api/entry.h"

struct mublasLtContext {};

namespace musashim::mublasLt {
namespace {

using Handles = libs::Handles<mublasLtContext>;

// Programs give muBLAS's handles to muBLASLt, which is allowed. Whoever has one has loaded libmublas.
bool isHandleOfMublas(mublasLtHandle_t handle) {
  using GetStream = mublasStatus_t (*)(mublasHandle_t, musaStream_t*);
  static std::atomic<GetStream> known{nullptr};
  GetStream ask = known;
  if (!ask) {
    void* const library = dlopen("libmublas.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return false;
    known = ask = reinterpret_cast<GetStream>(dlsym(library, "mublasGetStream"));
  }
  musaStream_t stream = nullptr;
  return ask && ask(reinterpret_cast<mublasHandle_t>(handle), &stream) == MUBLAS_STATUS_SUCCESS;
}

std::atomic<size_t> cacheCapacity{8192};  // cuBLASLt's number at first

}  // namespace

bool isHandle(mublasLtHandle_t handle) {
  return Handles::instance().find(handle) || (handle && isHandleOfMublas(handle));
}

}  // namespace musashim::mublasLt

using namespace musashim::mublasLt;

extern "C" {

MUBLASLT_ENTRY mublasLtCreate(mublasLtHandle_t* lightHandle) {
  return tracedCall(
      "mublasLtCreate",
      [&] {
        MUBLASLT_REQUIRE(lightHandle, MUBLAS_STATUS_INVALID_VALUE);
        int device = 0;
        if (musaGetDevice(&device) != musaSuccess || musaFree(nullptr) != musaSuccess) {
          (void)musaGetLastError();
          return MUBLAS_STATUS_NOT_INITIALIZED;
        }
        *lightHandle = Handles::instance().make();
        return MUBLAS_STATUS_SUCCESS;
      },
      lightHandle);
}

MUBLASLT_ENTRY mublasLtDestroy(mublasLtHandle_t lightHandle) {
  return tracedCall(
      "mublasLtDestroy",
      [&] {
        MUBLASLT_REQUIRE(lightHandle, musashim::mublas::kBadHandle);
        return Handles::instance().drop(lightHandle) ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_NOT_INITIALIZED;
      },
      lightHandle);
}

__attribute__((visibility("default"))) size_t mublasLtGetVersion(void) { return MUBLAS_VERSION; }

__attribute__((visibility("default"))) size_t mublasLtGetMusartVersion(void) {
  int version = 0;
  return musaRuntimeGetVersion(&version) == musaSuccess ? static_cast<size_t>(version) : 0;
}

MUBLASLT_ENTRY mublasLtGetProperty(libraryPropertyType type, int* value) {
  return tracedCall(
      "mublasLtGetProperty",
      [&] {
        constexpr int kParts[] = {MUBLAS_VER_MAJOR, MUBLAS_VER_MINOR, MUBLAS_VER_PATCH};
        MUBLASLT_REQUIRE(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL, MUBLAS_STATUS_INVALID_VALUE);
        *value = kParts[type];
        return MUBLAS_STATUS_SUCCESS;
      },
      type, value);
}

// Answers need no search here, so none are kept. The number is.
MUBLASLT_ENTRY mublasLtHeuristicsCacheGetCapacity(size_t* capacity) {
  return tracedCall(
      "mublasLtHeuristicsCacheGetCapacity",
      [&] {
        MUBLASLT_REQUIRE(capacity, MUBLAS_STATUS_INVALID_VALUE);
        *capacity = cacheCapacity;
        return MUBLAS_STATUS_SUCCESS;
      },
      capacity);
}

MUBLASLT_ENTRY mublasLtHeuristicsCacheSetCapacity(size_t capacity) {
  return tracedCall(
      "mublasLtHeuristicsCacheSetCapacity",
      [&] {
        cacheCapacity = capacity;
        return MUBLAS_STATUS_SUCCESS;
      },
      capacity);
}

const char* mublasLtGetStatusName(mublasStatus_t status) {
  const char* const name = musashim::mublas::nameOfTold(status);
  return name ? name : "unrecognized status";
}

const char* mublasLtGetStatusString(mublasStatus_t status) {
  const char* const text = musashim::mublas::textOfTold(status);
  return text ? text : "unrecognized status";
}

}  // extern "C"
