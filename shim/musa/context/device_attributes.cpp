#include "musa/context/device_attributes.h"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <iterator>

#include "core/cuda_capability.h"
#include "musa/context/access_policy.h"
#include "musa/memory/array/image_limits.h"

namespace musashim::musa {
namespace {

using backend::DeviceProfile;

struct AttributeRow {
  int id;
  int64_t (*value)(const DeviceProfile& p, const PciPlace& pci);
};

constexpr AttributeRow kAttributes[] = {
#include "device_attributes.inc"
};

}  // namespace

Result deviceAttribute(const DeviceState& device, int id, int& value, Numbering numbering) {
  auto row = std::lower_bound(std::begin(kAttributes), std::end(kAttributes), id,
                              [](const AttributeRow& r, int wanted) { return r.id < wanted; });
  MUSA_REQUIRE(row != std::end(kAttributes) && row->id == id, MUSA_ERROR_INVALID_VALUE,
               fmt::format("unknown attribute {}", id));
  value = static_cast<int>(std::min<int64_t>(row->value(device.profile(), device.pci()), INT_MAX));
  if (numbering == Numbering::kMusa) return {};
  const core::CudaCapability capability = core::cudaCapability().capability;
  if (id == MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) value = capability.major;
  if (id == MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) value = capability.minor;
  // CUDA's sample of it then launches the largest grid there is: 65535 blocks on a GPU, days of work by
  // MUSA's limits.
  if (id == MU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE) value = 0;
  return {};
}

}  // namespace musashim::musa
