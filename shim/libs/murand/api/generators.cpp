// Entries that make generators and set them up.
#include <musa_runtime_api.h>

#include "entry.h"

using namespace musashim::rand;

namespace {

constexpr int kMajor = 10, kMinor = 4, kPatch = 0;

murandStatus_t create(murandGenerator_t* generator, murandRngType_t type, bool onHost) {
  if (generator == nullptr) return MURAND_STATUS_NOT_INITIALIZED;
  switch (type) {
    case MURAND_RNG_TEST:
    case MURAND_RNG_PSEUDO_DEFAULT:
    case MURAND_RNG_PSEUDO_XORWOW:
    case MURAND_RNG_PSEUDO_MRG32K3A:
    case MURAND_RNG_PSEUDO_MTGP32:
    case MURAND_RNG_PSEUDO_MT19937:
    case MURAND_RNG_PSEUDO_PHILOX4_32_10:
    case MURAND_RNG_QUASI_DEFAULT:
    case MURAND_RNG_QUASI_SOBOL32:
    case MURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case MURAND_RNG_QUASI_SOBOL64:
    case MURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      break;
    default:
      return MURAND_STATUS_TYPE_ERROR;
  }
  int device = 0;
  if (!onHost && musaGetDevice(&device) != musaSuccess) return MURAND_STATUS_INITIALIZATION_FAILED;
  *generator = generators().create(type, onHost);
  return MURAND_STATUS_SUCCESS;
}

}  // namespace

namespace musashim::rand {

musashim::core::HandleArena<murandGenerator_st>& generators() {
  static auto& arena = *new musashim::core::HandleArena<murandGenerator_st>(1 << 16);
  return arena;
}

}  // namespace musashim::rand

MURAND_ENTRY murandCreateGenerator(murandGenerator_t* generator, murandRngType_t rng_type) {
  return entry(
      "murandCreateGenerator", [&] { return create(generator, rng_type, false); }, generator, rng_type);
}

MURAND_ENTRY murandCreateGeneratorHost(murandGenerator_t* generator, murandRngType_t rng_type) {
  return entry(
      "murandCreateGeneratorHost", [&] { return create(generator, rng_type, true); }, generator, rng_type);
}

MURAND_ENTRY murandDestroyGenerator(murandGenerator_t generator) {
  return entryOf("murandDestroyGenerator", generator, [](murandGenerator_st& g) {
    generators().destroy(&g);
    return MURAND_STATUS_SUCCESS;
  });
}

MURAND_ENTRY murandGetVersion(int* version) {
  return entry(
      "murandGetVersion",
      [&] {
        if (version == nullptr) return MURAND_STATUS_OUT_OF_RANGE;
        *version = kMajor * 1000 + kMinor * 100 + kPatch;
        return MURAND_STATUS_SUCCESS;
      },
      version);
}

MURAND_ENTRY murandGetProperty(libraryPropertyType type, int* value) {
  return entry(
      "murandGetProperty",
      [&] {
        if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return MURAND_STATUS_OUT_OF_RANGE;
        *value = type == MAJOR_VERSION ? kMajor : type == MINOR_VERSION ? kMinor : kPatch;
        return MURAND_STATUS_SUCCESS;
      },
      type, value);
}

MURAND_ENTRY murandSetStream(murandGenerator_t generator, musaStream_t stream) {
  return entryOf(
      "murandSetStream", generator, [&](murandGenerator_st& g) { return g.setStream(stream); }, stream);
}

MURAND_ENTRY murandSetPseudoRandomGeneratorSeed(murandGenerator_t generator, unsigned long long seed) {
  return entryOf(
      "murandSetPseudoRandomGeneratorSeed", generator, [&](murandGenerator_st& g) { return g.setSeed(seed); },
      seed);
}

MURAND_ENTRY murandSetGeneratorOffset(murandGenerator_t generator, unsigned long long offset) {
  return entryOf(
      "murandSetGeneratorOffset", generator, [&](murandGenerator_st& g) { return g.setOffset(offset); },
      offset);
}

MURAND_ENTRY murandSetGeneratorOrdering(murandGenerator_t generator, murandOrdering_t order) {
  return entryOf(
      "murandSetGeneratorOrdering", generator, [&](murandGenerator_st& g) { return g.setOrdering(order); },
      order);
}

MURAND_ENTRY murandSetQuasiRandomGeneratorDimensions(murandGenerator_t generator,
                                                     unsigned int num_dimensions) {
  return entryOf(
      "murandSetQuasiRandomGeneratorDimensions", generator,
      [&](murandGenerator_st& g) { return g.setDimensions(num_dimensions); }, num_dimensions);
}

MURAND_ENTRY murandGenerateSeeds(murandGenerator_t generator) {
  return entryOf("murandGenerateSeeds", generator, [](murandGenerator_st& g) { return g.prepare(); });
}
