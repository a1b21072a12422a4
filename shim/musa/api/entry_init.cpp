// Start-up, versions, errors, entry points by name, profiler marks.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "crt/cuda_driver_answers.h"
#include "musa/api/api_call.h"
#include "musa_per_thread.h"

using namespace musashim::musa;

namespace {

struct EntryPoint {
  const char* name;
  int version;  // of CUDA, that brought it; 0: not known
  void* entry;
  void* perThread;  // the same where the default stream is the thread's own
};

const EntryPoint kEntryPoints[] = {
#include "musa_entry_points.inc"
};

// By MUSA's name or by CUDA's, whose versions count otherwise.
MUresult giveVersion(int version, int* driverVersion) {
  return apiCall<Needs::kNothing>(
      "muDriverGetVersion",
      [&]() -> Result {
        MUSA_REQUIRE(driverVersion, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *driverVersion = version;
        return {};
      },
      driverVersion);
}

}  // namespace

extern "C" {

MUresult muInit(unsigned int Flags) {
  return apiCall<Needs::kNothing>(
      "muInit",
      [&]() -> Result {
        MUSA_REQUIRE(Flags == 0, MUSA_ERROR_INVALID_VALUE, "flags must be 0");
        return Driver::initialize();
      },
      Flags);
}

MUresult muDriverGetVersion(int* driverVersion) { return giveVersion(MUSA_VERSION, driverVersion); }

MUresult cuDriverGetVersion(int* driverVersion) { return giveVersion(CUDA_VERSION, driverVersion); }

MUresult muGetErrorString(MUresult error, const char** pStr) {
  return apiCall<Needs::kNothing>(
      "muGetErrorString",
      [&]() -> Result {
        MUSA_REQUIRE(pStr, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *pStr = errorText(error);
        MUSA_REQUIRE(*pStr, MUSA_ERROR_INVALID_VALUE, "unknown error code");
        return {};
      },
      error, pStr);
}

MUresult muGetErrorName(MUresult error, const char** pStr) {
  return apiCall<Needs::kNothing>(
      "muGetErrorName",
      [&]() -> Result {
        MUSA_REQUIRE(pStr, MUSA_ERROR_INVALID_VALUE, "null pointer");
        *pStr = errorName(error);
        MUSA_REQUIRE(*pStr, MUSA_ERROR_INVALID_VALUE, "unknown error code");
        return {};
      },
      error, pStr);
}

MUresult muGetProcAddress(const char* symbol, void** pfn, int musaVersion, muuint64_t flags,
                          MUdriverProcAddressQueryResult* symbolStatus) {
  return apiCall<Needs::kNothing>(
      "muGetProcAddress",
      [&]() -> Result {
        MUSA_REQUIRE(symbol && pfn, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(flags <= MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("unknown flags {:#x}", flags));
        auto found = std::find_if(std::begin(kEntryPoints), std::end(kEntryPoints),
                                  [&](const EntryPoint& e) { return std::strcmp(e.name, symbol) == 0; });
        const bool known = found != std::end(kEntryPoints);
        const bool tooNew = known && musaVersion < found->version;
        const bool perThread = (flags & MU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
        *pfn = !known || tooNew ? nullptr : perThread ? found->perThread : found->entry;
        if (symbolStatus) {
          *symbolStatus = tooNew  ? MU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                          : known ? MU_GET_PROC_ADDRESS_SUCCESS
                                  : MU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        }
        // Who asks for the status is told there alone.
        MUSA_REQUIRE(*pfn || symbolStatus, MUSA_ERROR_NOT_FOUND, symbol);
        return {};
      },
      symbol, pfn, musaVersion, flags, symbolStatus);
}

MUresult muProfilerStart(void) {
  return apiCall("muProfilerStart", []() -> Result {
    Context* context = nullptr;
    return currentContext(context);
  });
}

MUresult muProfilerStop(void) {
  return apiCall("muProfilerStop", []() -> Result {
    Context* context = nullptr;
    return currentContext(context);
  });
}

}  // extern "C"
