// Which of the backend's devices the process sees, and how devices are told apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "interface/device.h"
#include "musa.h"

namespace musashim::musa {

// Stable over runs: made from the profile and the device's place.
MUuuid deviceUuid(const backend::Device& device, size_t index);
std::string uuidText(const MUuuid& uuid);  // "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

// What MUSA_VISIBLE_DEVICES leaves, in its order: numbers or (the beginning of) UUIDs.
// As with CUDA, the list ends at its first bad or repeated entry; unset means all.
std::vector<size_t> visibleDevices(const std::vector<std::string>& uuids);
std::vector<size_t> parseVisibleDevices(std::string_view list, const std::vector<std::string>& uuids);

}  // namespace musashim::musa
