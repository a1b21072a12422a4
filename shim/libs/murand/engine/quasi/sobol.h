// Sobol's sequences in the order of Gray's code (Bratley and Fox, "Algorithm 659", 1988): one dimension's
// numbers of a call behind each other, then the next dimension's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "libs/murand/engine/engine.h"

namespace musashim::rand {

std::shared_ptr<Engine> sobol32(std::uint64_t offset, unsigned dimensions);
std::shared_ptr<Engine> sobol64(std::uint64_t offset, unsigned dimensions);
std::shared_ptr<Engine> scrambledSobol32(std::uint64_t offset, unsigned dimensions);
std::shared_ptr<Engine> scrambledSobol64(std::uint64_t offset, unsigned dimensions);

}  // namespace musashim::rand
