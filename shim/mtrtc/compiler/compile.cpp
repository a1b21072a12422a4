// The compiler's one entry: a request to an offload bundle, by mcc's own steps.
#include <span>

#include "abi/offload_bundle.h"
#include "device_pass.h"
#include "image_link.h"
#include "mcc/driver/options/architectures.h"
#include "mcc/driver/options/options.h"

namespace musashim::mtrtc {
namespace {

struct ImageOf {
  uint32_t arch;
  size_t image;
};

std::string bundleOf(const std::vector<std::string>& images, const std::vector<ImageOf>& archs) {
  std::vector<abi::BundleEntry> entries;
  for (const auto& [arch, image] : archs)
    entries.push_back({abi::bundleId(arch), std::as_bytes(std::span(images[image]))});
  const std::vector<std::byte> bundle = abi::writeBundle(entries);
  return {reinterpret_cast<const char*>(bundle.data()), bundle.size()};
}

void compile(const CompileRequest& request, CompileResult& result) {
  mcc::Toolchain toolchain;
  std::string error;
  if (!mcc::findToolchain(request.sdk + "/bin/mcc", {}, toolchain, error)) {
    result.log = "mtrtc: error: " + error + "\n";
    return;
  }
  const std::vector<uint32_t>& archs = request.archs.empty() ? mcc::knownArchs() : request.archs;
  std::vector<std::string> images;
  std::vector<ImageOf> served;
  bool archUsed = false;
  for (const uint32_t arch : archs) {
    // Source that never asks for __MUSA_ARCH__ gives the same code for every one.
    if (!images.empty() && !archUsed) {
      served.push_back({arch, 0});
      continue;
    }
    const bool first = images.empty();
    const Dialect* dialect = findDialect(toolchain, request, arch, error);
    if (dialect == nullptr) {
      result.log += "mtrtc: error: " + error + "\n";
      return;
    }
    PassResult pass;
    std::string log;
    runDevicePass(toolchain, request, *dialect, arch, first ? archs : std::vector<uint32_t>(), log, pass);
    if (first || pass.outcome != Outcome::kDone) result.log += log;
    result.outcome = pass.outcome;
    if (pass.outcome != Outcome::kDone) return;
    archUsed |= pass.archUsed;
    std::string image;
    if (!linkObject(toolchain, pass.object, image, result.log)) {
      // What is undefined is a mistake of the source's.
      result.outcome = Outcome::kMistakes;
      return;
    }
    if (first) result.lowered = std::move(pass.lowered);
    if (first) result.files = std::move(pass.files);
    served.push_back({arch, images.size()});
    images.push_back(std::move(image));
  }
  result.image = bundleOf(images, served);
}

}  // namespace
}  // namespace musashim::mtrtc

extern "C" __attribute__((visibility("default"))) void musashim_mtrtc_compile(
    const musashim::mtrtc::CompileRequest& request, musashim::mtrtc::CompileResult& result) {
  musashim::mtrtc::compile(request, result);
}
