// Reads and writes clang's offload bundle, the container of device images.
//
// Layout (clang documentation, "ClangOffloadBundler", binary files), little endian:
//   "__CLANG_OFFLOAD_BUNDLE__"  u64 entry count
//   per entry: u64 offset from the start, u64 size, u64 id length, id
// An entry's id is "<kind>-<triple>-<arch>", here "musa-mtgpu-mt-musa-mp_31"; ":x86-64-v4" follows where one
// of several images for the architecture is for such processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::abi {

inline constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
inline constexpr std::string_view kBundleIdPrefix = "musa-mtgpu-mt-musa-mp_";

// Device code of one source that is to be linked with others' (mcc/driver/link/device_unit.h); no image.
inline constexpr std::string_view kUnitBundleId = "musa-relocatable-unit";

struct BundleEntry {
  std::string id;
  std::span<const std::byte> image;
};

// The id of an image for `arch` (a __MUSA_ARCH__ value: 310 -> "...mp_31") and `processor`, which may be
// empty.
std::string bundleId(uint32_t arch, std::string_view processor = {});

// The __MUSA_ARCH__ value an id stands for, or 0 when it is no MUSA device image.
uint32_t bundleArch(std::string_view id);

// The processor that an id names; empty when it names none.
std::string_view bundleProcessor(std::string_view id);

std::vector<std::byte> writeBundle(std::span<const BundleEntry> entries);

// True when `data` starts with the bundle's magic; reads kBundleMagic.size() bytes.
bool isBundle(const void* data);

// Entries of the bundle at `data`. Sizes come from the bundle itself, as
// muModuleLoadData gives no length; pass `limit` when it is known.
// Returns false, with `error` set, for a malformed bundle.
bool readBundle(const void* data, size_t limit, std::vector<BundleEntry>& entries, std::string& error);

}  // namespace musashim::abi
