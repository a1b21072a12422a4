// Block sizes that the source launches its kernels with, where they are constants: hints which sizes are
// worth a specialized copy. The clang half collects them from `kernel<<<grid, block>>>`, the LLVM half looks
// them up by the kernel's symbol.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
}  // namespace clang

namespace musashim::mcc {

using BlockSize = std::array<uint32_t, 3>;

class LaunchSizes {
 public:
  static LaunchSizes& instance();

  void note(clang::ASTContext& context, const clang::CUDAKernelCallExpr& launch);
  void add(const std::string& kernel, const BlockSize& size);
  // Writes all, a line "x y z kernel" each.
  void write(llvm::raw_ostream& out) const;
  // In the order of the source, each once.
  const std::vector<BlockSize>& of(llvm::StringRef kernel) const;

 private:
  std::map<std::string, std::vector<BlockSize>> sizes_;
};

}  // namespace musashim::mcc
