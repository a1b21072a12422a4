// Versions, driver entry points, profiler marks.
#include "crt/cuda_driver_answers.h"
#include "crt/cuda_runtime_answers.h"
#include "musart/api/runtime.h"

using namespace musashim::musart;

namespace {

musaError_t entryPoint(const char* symbol, void** funcPtr, int version, unsigned long long flags,
                       enum musaDriverEntryPointQueryResult* driverStatus) {
  MUSART_REQUIRE(symbol && funcPtr, musaErrorInvalidValue);
  MUdriverProcAddressQueryResult status = MU_GET_PROC_ADDRESS_SUCCESS;
  MUSART_TRY(muGetProcAddress(symbol, funcPtr, version, flags, &status));
  // An unknown name is told by the status alone.
  if (driverStatus) *driverStatus = static_cast<enum musaDriverEntryPointQueryResult>(status);
  return musaSuccess;
}

// By MUSA's name or by CUDA's, whose versions count otherwise.
musaError_t driverVersionBy(MUresult (*ask)(int*), int* driverVersion) {
  return apiCall<Needs::kNothing>(
      "musaDriverGetVersion", [&] { return fromDriver(ask(driverVersion)); }, driverVersion);
}

musaError_t giveVersion(int version, int* runtimeVersion) {
  return apiCall<Needs::kNothing>(
      "musaRuntimeGetVersion",
      [&]() -> musaError_t {
        MUSART_REQUIRE(runtimeVersion, musaErrorInvalidValue);
        *runtimeVersion = version;
        return musaSuccess;
      },
      runtimeVersion);
}

}  // namespace

extern "C" {

musaError_t musaDriverGetVersion(int* driverVersion) {
  return driverVersionBy(muDriverGetVersion, driverVersion);
}

musaError_t cudaDriverGetVersion(int* driverVersion) {
  return driverVersionBy(cuDriverGetVersion, driverVersion);
}

musaError_t musaRuntimeGetVersion(int* runtimeVersion) { return giveVersion(MUSART_VERSION, runtimeVersion); }

musaError_t cudaRuntimeGetVersion(int* runtimeVersion) { return giveVersion(CUDART_VERSION, runtimeVersion); }

musaError_t musaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    enum musaDriverEntryPointQueryResult* driverStatus) {
  return apiCall<Needs::kDriver>(
      "musaGetDriverEntryPoint",
      [&] { return entryPoint(symbol, funcPtr, MUSA_VERSION, flags, driverStatus); }, symbol, funcPtr, flags,
      driverStatus);
}

musaError_t musaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int musaVersion,
                                             unsigned long long flags,
                                             enum musaDriverEntryPointQueryResult* driverStatus) {
  return apiCall<Needs::kDriver>(
      "musaGetDriverEntryPointByVersion",
      [&] { return entryPoint(symbol, funcPtr, static_cast<int>(musaVersion), flags, driverStatus); }, symbol,
      funcPtr, musaVersion, flags, driverStatus);
}

musaError_t musaProfilerStart(void) {
  return apiCall("musaProfilerStart", [] { return fromDriver(muProfilerStart()); });
}

musaError_t musaProfilerStop(void) {
  return apiCall("musaProfilerStop", [] { return fromDriver(muProfilerStop()); });
}

}  // extern "C"
