// MT19937 as cuRAND makes it: 8192 parts of the seed's own sequence, 2^2048 steps apart, which take turns by
// eight words.
#pragma once

#include <cstdint>
#include <memory>

#include "libs/murand/engine/engine.h"

namespace musashim::rand {

std::shared_ptr<Engine> twister(std::uint64_t seed);

}  // namespace musashim::rand
