#include <stdexcept>

#include "generator.h"
#include "libs/murand/engine/mrg_lanes.h"
#include "libs/murand/engine/philox.h"
#include "libs/murand/engine/quasi/sobol.h"
#include "libs/murand/engine/rows.h"
#include "libs/murand/engine/twisters/mtgp32.h"
#include "libs/murand/engine/twisters/twister.h"
#include "libs/murand/engine/xorwow_lanes.h"

namespace musashim::rand {

std::shared_ptr<Engine> makeEngine(murandRngType_t type, std::uint64_t seed, std::uint64_t position,
                                   murandOrdering_t ordering, unsigned int dimensions) {
  constexpr std::size_t kMrgLanes = 81920, kLegacyMrgLanes = 4096;
  switch (type) {
    case MURAND_RNG_PSEUDO_XORWOW:
      return std::make_shared<EngineOf<Rows<XorwowLanes>, true>>(
          Rows<XorwowLanes>(XorwowLanes(seed, ordering == MURAND_ORDERING_PSEUDO_SEEDED), position));
    case MURAND_RNG_PSEUDO_MRG32K3A: {
      const std::size_t lanes = ordering == MURAND_ORDERING_PSEUDO_LEGACY ? kLegacyMrgLanes : kMrgLanes;
      return std::make_shared<EngineOf<Rows<MrgLanes>, true>>(
          Rows<MrgLanes>(MrgLanes(seed, lanes), position));
    }
    case MURAND_RNG_PSEUDO_PHILOX4_32_10:
      return std::make_shared<EngineOf<Philox, false>>(Philox(seed, position));
    case MURAND_RNG_PSEUDO_MTGP32:
      return mtgp32(seed, mtgp32Lanes(ordering));
    case MURAND_RNG_PSEUDO_MT19937:
      return twister(seed);
    case MURAND_RNG_QUASI_SOBOL32:
      return sobol32(position, dimensions);
    case MURAND_RNG_QUASI_SOBOL64:
      return sobol64(position, dimensions);
    case MURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
      return scrambledSobol32(position, dimensions);
    case MURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      return scrambledSobol64(position, dimensions);
    default:
      throw std::logic_error("no such generator");  // none is created
  }
}

}  // namespace musashim::rand
