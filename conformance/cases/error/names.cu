// Names, words and numbers of errors.
#include <string.h>

#include "../../framework/observe.h"

CONFORMANCE_CASE("error.names");

static void observeCode(cudaError_t error) {
  const std::string name = observedText(error);
  OBSERVE("number_of." + name, static_cast<int>(error));
  OBSERVE("words_for." + name, cudaGetErrorString(error));
}

int main() {
  const cudaError_t errors[] = {cudaSuccess,
                                cudaErrorInvalidValue,
                                cudaErrorMemoryAllocation,
                                cudaErrorInitializationError,
                                cudaErrorInvalidConfiguration,
                                cudaErrorInvalidPitchValue,
                                cudaErrorInvalidSymbol,
                                cudaErrorInvalidMemcpyDirection,
                                cudaErrorInsufficientDriver,
                                cudaErrorInvalidDeviceFunction,
                                cudaErrorNoDevice,
                                cudaErrorInvalidDevice,
                                cudaErrorNoKernelImageForDevice,
                                cudaErrorInvalidResourceHandle,
                                cudaErrorNotReady,
                                cudaErrorIllegalAddress,
                                cudaErrorLaunchOutOfResources,
                                cudaErrorLaunchTimeout,
                                cudaErrorPeerAccessAlreadyEnabled,
                                cudaErrorPeerAccessNotEnabled,
                                cudaErrorAssert,
                                cudaErrorHostMemoryAlreadyRegistered,
                                cudaErrorHostMemoryNotRegistered,
                                cudaErrorMisalignedAddress,
                                cudaErrorLaunchFailure,
                                cudaErrorCooperativeLaunchTooLarge,
                                cudaErrorNotPermitted,
                                cudaErrorNotSupported,
                                cudaErrorUnknown};
  for (const cudaError_t error : errors) observeCode(error);
  OBSERVE("unknown_name", cudaGetErrorName(static_cast<cudaError_t>(12345)));
  OBSERVE("unknown_words", cudaGetErrorString(static_cast<cudaError_t>(12345)));
}
