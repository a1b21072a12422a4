// What the library says of itself.
#include <musa.h>

#include <algorithm>

#include "entry.h"
#include "mtrtc/options/options.h"

using namespace musashim::mtrtc;

namespace {

const char* resultName(mtrtcResult result) {
  const auto number = static_cast<size_t>(result);
  return number < std::size(kResultNames) ? kResultNames[number] : "MTRTC_ERROR unknown";
}

mtrtcResult versionIs(int* major, int* minor, int ourMajor, int ourMinor) {
  if (major == nullptr || minor == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  *major = ourMajor;
  *minor = ourMinor;
  return MTRTC_SUCCESS;
}

mtrtcResult tellNumber(const std::vector<int>& archs, int* number) {
  if (number == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  *number = static_cast<int>(archs.size());
  return MTRTC_SUCCESS;
}

mtrtcResult tell(const std::vector<int>& archs, int* to) {
  if (to == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  std::ranges::copy(archs, to);
  return MTRTC_SUCCESS;
}

}  // namespace

extern "C" {

const char* mtrtcGetErrorString(mtrtcResult result) { return resultName(result); }

const char* nvrtcGetErrorString(mtrtcResult result) {
  static auto& names = *[] {
    auto* made = new std::vector<std::string>;
    for (const std::string_view name : kResultNames) made->push_back("NVRTC" + std::string(name.substr(5)));
    return made;
  }();
  const auto number = static_cast<size_t>(result);
  return number < names.size() ? names[number].c_str() : "NVRTC_ERROR unknown";
}

mtrtcResult mtrtcVersion(int* major, int* minor) {
  return entry(
      "mtrtcVersion", [&] { return versionIs(major, minor, MUSA_VERSION / 10000, MUSA_VERSION / 100 % 100); },
      major, minor);
}

mtrtcResult nvrtcVersion(int* major, int* minor) {
  return entry(
      "nvrtcVersion", [&] { return versionIs(major, minor, MTRTC_NVRTC_MAJOR, MTRTC_NVRTC_MINOR); }, major,
      minor);
}

mtrtcResult mtrtcGetNumSupportedArchs(int* numArchs) {
  return entry("mtrtcGetNumSupportedArchs", [&] { return tellNumber(supportedArchs(), numArchs); }, numArchs);
}

mtrtcResult nvrtcGetNumSupportedArchs(int* numArchs) {
  return entry("nvrtcGetNumSupportedArchs", [&] { return tellNumber(cudaArchs(), numArchs); }, numArchs);
}

mtrtcResult mtrtcGetSupportedArchs(int* supportedArchs) {
  return entry(
      "mtrtcGetSupportedArchs", [&] { return tell(musashim::mtrtc::supportedArchs(), supportedArchs); },
      supportedArchs);
}

mtrtcResult nvrtcGetSupportedArchs(int* supportedArchs) {
  return entry("nvrtcGetSupportedArchs", [&] { return tell(cudaArchs(), supportedArchs); }, supportedArchs);
}

}  // extern "C"
