// A device image, loaded as a shared object of its own.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interface/kernel.h"
#include "interface/status.h"

namespace musashim::backend::cpu {

class CpuImage final : public Image {
 public:
  // Every call gives a copy with variables of its own. kInvalidImage with the loader's
  // words, or kNoBinaryForArch when the image is for another architecture.
  static Status load(std::span<const std::byte> bytes, uint32_t arch, std::unique_ptr<Image>& loaded);
  ~CpuImage() override;

  std::span<const Kernel> kernels() const override { return kernels_; }
  std::span<const MusaVariableInfo> variables() const override {
    return {info_->variables, info_->variable_count};
  }
  Status findKernel(std::string_view name, const Kernel*& kernel) const override;
  Status findVariable(std::string_view name, Variable& variable) const override;

 private:
  CpuImage(int fd, void* handle) : fd_(fd), handle_(handle) {}
  Status readInfo(uint32_t arch);

  const int fd_;
  void* const handle_;
  const MusaImageInfo* info_ = nullptr;
  std::vector<Kernel> kernels_;
  std::unordered_map<std::string_view, const Kernel*> kernelsByName_;
  std::unordered_map<std::string_view, const MusaVariableInfo*> variablesByName_;
};

}  // namespace musashim::backend::cpu
