#include "core/cuda_capability.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace musashim::core {
namespace {

constexpr int kCapabilities[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89};

std::string dotted(int number) { return std::to_string(number / 10) + "." + std::to_string(number % 10); }

bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace

std::span<const int> cudaCapabilities() { return kCapabilities; }

CudaCapabilitySetting readCudaCapability(const char* text) {
  CudaCapabilitySetting setting;
  const std::string_view value = text == nullptr ? "" : text;
  if (value.empty()) return setting;
  const bool isCapability = value.size() == 3 && isDigit(value[0]) && value[1] == '.' && isDigit(value[2]);
  const int number = isCapability ? 10 * (value[0] - '0') + (value[2] - '0') : 0;
  if (std::ranges::find(kCapabilities, number) != std::end(kCapabilities)) {
    setting.capability = {number / 10, number % 10};
    return setting;
  }
  std::string accepted;
  for (const int known : kCapabilities) accepted += (accepted.empty() ? "" : ", ") + dotted(known);
  setting.error =
      "MUSASHIM_CUDA_CAPABILITY=" + std::string(value) + " is not usable: accepted are " + accepted;
  if (number >= 90) setting.error += "; emulated devices lack the instructions of 9.0 and later";
  return setting;
}

const CudaCapabilitySetting& cudaCapability() {
  // Never destroyed: calls may come while the process ends.
  static const auto* const setting =
      new CudaCapabilitySetting(readCudaCapability(std::getenv("MUSASHIM_CUDA_CAPABILITY")));
  return *setting;
}

}  // namespace musashim::core
