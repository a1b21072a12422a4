// MTGP32 as cuRAND makes it: a twister of its own parameters for each lane (Saito and Matsumoto, "Variants of
// Mersenne Twister suitable for graphic processors", 2013), which take turns by 256 words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "libs/murand/engine/engine.h"

namespace musashim::rand {

std::shared_ptr<Engine> mtgp32(std::uint64_t seed, std::size_t lanes);

// All lanes' turns make a row. A sequence in whose midst another one is asked for still gives its row's rest:
// `rest` numbers of `old`, then `next`.
constexpr std::size_t mtgp32Row(std::size_t lanes) { return lanes * 256; }
std::shared_ptr<Engine> mtgp32After(std::shared_ptr<Engine> old, std::uint64_t rest,
                                    std::shared_ptr<Engine> next);

}  // namespace musashim::rand
