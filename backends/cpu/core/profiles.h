// The table generated from backends/cpu/profiles/*.yaml.
#pragma once

#include <span>

#include "interface/profile.h"

namespace musashim::backend::cpu {

struct ProfileEntry {
  DeviceProfile profile;
  bool defaultForArch = false;  // what "mp_NN" alone means
};

std::span<const ProfileEntry> profiles();

}  // namespace musashim::backend::cpu
