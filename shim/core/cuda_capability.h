// The compute capability with which the CUDA face of the SDK answers (shim/cuda/README.md): one for the
// compiler, for libraries and for tools.
#pragma once

#include <span>
#include <string>

namespace musashim::core {

struct CudaCapability {
  int major = 8, minor = 0;

  int number() const { return 10 * major + minor; }  // 80, as in sm_80
  int macro() const { return 10 * number(); }        // 800, __CUDA_ARCH__
};

struct CudaCapabilitySetting {
  CudaCapability capability;
  std::string error;  // what is wrong with the setting, and what would be right; empty: nothing
};

// What MUSASHIM_CUDA_CAPABILITY says, 8.0 where it says nothing; `text`: its value, or null.
CudaCapabilitySetting readCudaCapability(const char* text);

// That of the process, by the environment of its first call.
const CudaCapabilitySetting& cudaCapability();

// Those that may be set, oldest first, as numbers. NVRTC 12.4 lists the same, and 9.0, whose instructions
// (wgmma, TMA, clusters of blocks) no emulated device has.
std::span<const int> cudaCapabilities();

}  // namespace musashim::core
