// MTGP32 as cuRAND makes it: a twister of its own parameters for each lane (Saito and Matsumoto, "Variants of
// Mersenne Twister suitable for graphic processors", 2013), which take turns by 256 words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "libs/murand/engine/engine.h"

namespace musashim::rand {

constexpr std::size_t kMtgpLanes = 192, kLegacyMtgpLanes = 64;

std::shared_ptr<Engine> mtgp32(std::uint64_t seed, std::size_t lanes);

}  // namespace musashim::rand
