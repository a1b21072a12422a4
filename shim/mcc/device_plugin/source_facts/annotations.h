// How facts travel from the clang half of the plugin to the LLVM half.
//
// The clang half sees source types; the LLVM half sees IR only. It leaves:
//   - on each kernel, an annotation "musa.kernel:<launch bounds, __CUDA_ARCH__>;<parameters>"
//   - on each shared variable, the annotation "musa.shared" (the __shared__ macro's)
//   - on each texture and surface reference, the annotation "musa.reference"
//   - on functions whose loads look at memory anew (__ldcg), "musa.reread", which becomes metadata of the
//   loads
//   - on each host function that a function for both sides calls, "musa.host:<line>:<file>"
//   - on each open `extern __shared__` array, an assembler name with kDynamicSharedPrefix
//   - on each `extern __shared__` variable that has a size, one with kSizedSharedPrefix
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

inline constexpr llvm::StringRef kKernelAnnotation = "musa.kernel:";
inline constexpr llvm::StringRef kSharedAnnotation = "musa.shared";
inline constexpr llvm::StringRef kReferenceAnnotation = "musa.reference";
inline constexpr llvm::StringRef kRereadAnnotation = "musa.reread";
inline constexpr llvm::StringRef kHostAnnotation = "musa.host:";
inline constexpr llvm::StringRef kDynamicSharedPrefix = "__musa_dynamic_shared.";
inline constexpr llvm::StringRef kSizedSharedPrefix = "__musa_sized_shared.";

// One source parameter of a kernel. `indirect`: the IR parameter is a pointer to it.
struct KernelParam {
  uint32_t size = 0;
  uint32_t align = 1;
  bool indirect = false;
};

struct KernelAnnotation {
  uint32_t maxThreads = 0;  // __launch_bounds__; 0: not given
  uint32_t minBlocks = 0;
  uint32_t cudaArch = 0;  // __CUDA_ARCH__ of its source; 0: not a CUDA source
  std::vector<KernelParam> params;
};

std::string encodeKernel(const KernelAnnotation& kernel);
// False when `text` is not an annotation that encodeKernel() wrote.
bool decodeKernel(std::string_view text, KernelAnnotation& kernel);

}  // namespace musashim::mcc
