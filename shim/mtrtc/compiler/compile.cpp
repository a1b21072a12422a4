// The compiler's one entry: a request to an offload bundle, by mcc's own steps.
#include <span>

#include "abi/offload_bundle.h"
#include "device_pass.h"
#include "image_link.h"
#include "mcc/driver/link/device_unit.h"
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

std::string unitBundle(const std::string& unit) {
  const abi::BundleEntry entry = {std::string(abi::kUnitBundleId), std::as_bytes(std::span(unit))};
  const std::vector<std::byte> bundle = abi::writeBundle({&entry, 1});
  return {reinterpret_cast<const char*>(bundle.data()), bundle.size()};
}

// What a program was compiled to for some architectures: an object, or bitcode.
struct DeviceCode {
  std::vector<uint32_t> archs;
  std::string code;
  const Dialect* dialect;
};

bool compileCodes(const mcc::Toolchain& toolchain, const CompileRequest& request,
                  std::vector<DeviceCode>& codes, CompileResult& result) {
  const std::vector<uint32_t>& archs = request.archs.empty() ? mcc::knownArchs() : request.archs;
  bool archUsed = false;
  for (const uint32_t arch : archs) {
    // Source that never asks for __MUSA_ARCH__ gives the same code for every one.
    if (!codes.empty() && !archUsed) {
      codes.front().archs.push_back(arch);
      continue;
    }
    const bool first = codes.empty();
    std::string error;
    const Dialect* dialect = findDialect(toolchain, request, arch, error);
    if (dialect == nullptr) {
      result.log += "mtrtc: error: " + error + "\n";
      return false;
    }
    PassResult pass;
    std::string log;
    runDevicePass(toolchain, request, *dialect, arch, first ? archs : std::vector<uint32_t>(), log, pass);
    if (first || pass.outcome != Outcome::kDone) result.log += log;
    result.outcome = pass.outcome;
    if (pass.outcome != Outcome::kDone) return false;
    archUsed |= pass.archUsed;
    if (first) result.lowered = std::move(pass.lowered);
    if (first) result.files = std::move(pass.files);
    codes.push_back({{arch}, std::move(pass.object), dialect});
  }
  return true;
}

void linkImages(const mcc::Toolchain& toolchain, const std::vector<DeviceCode>& codes,
                CompileResult& result) {
  std::vector<std::string> images;
  std::vector<ImageOf> served;
  for (const DeviceCode& code : codes) {
    std::string image;
    if (!linkObject(toolchain, code.code, image, result.log)) {
      // What is undefined is a mistake of the source's.
      result.outcome = Outcome::kMistakes;
      return;
    }
    for (const uint32_t arch : code.archs) served.push_back({arch, images.size()});
    images.push_back(std::move(image));
  }
  result.image = bundleOf(images, served);
}

void packUnit(const std::vector<DeviceCode>& codes, const std::string& name, CompileResult& result) {
  std::string unit;
  for (const DeviceCode& code : codes) {
    const std::string packed = mcc::packUnitCode(llvm::MemoryBufferRef(code.code, name), "", code.archs,
                                                 code.dialect->codeGeneration);
    if (packed.empty()) {
      result.outcome = Outcome::kInternalError;
      return;
    }
    unit += packed;
  }
  result.image = unitBundle(unit);
}

void compile(const CompileRequest& request, CompileResult& result) {
  mcc::Toolchain toolchain;
  std::string error;
  if (!mcc::findToolchain(request.sdk + "/bin/mcc", {}, toolchain, error)) {
    result.log = "mtrtc: error: " + error + "\n";
    return;
  }
  std::vector<DeviceCode> codes;
  if (!compileCodes(toolchain, request, codes, result)) return;
  if (request.relocatable) {
    packUnit(codes, request.source.name, result);
  } else {
    linkImages(toolchain, codes, result);
  }
}

}  // namespace
}  // namespace musashim::mtrtc

extern "C" __attribute__((visibility("default"))) void musashim_mtrtc_compile(
    const musashim::mtrtc::CompileRequest& request, musashim::mtrtc::CompileResult& result) {
  musashim::mtrtc::compile(request, result);
}
