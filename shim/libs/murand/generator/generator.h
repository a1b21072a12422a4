// A generator as its handle sees it: settings, and the engine that they make when numbers are asked for.
#pragma once

#include <murand.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "libs/murand/engine/engine.h"

// The type behind the public handle.
struct murandGenerator_st {
 public:
  murandGenerator_st(murandRngType_t type, bool onHost);

  // Each gives the status of CUDA's library for the same call.
  murandStatus_t setStream(musaStream_t stream);
  murandStatus_t setSeed(unsigned long long seed);
  murandStatus_t setOffset(unsigned long long offset);
  murandStatus_t setOrdering(murandOrdering_t ordering);
  murandStatus_t setDimensions(unsigned int dimensions);
  void begin();
  void beginMtgp32();
  murandStatus_t prepare();
  murandStatus_t generate(const musashim::rand::Request& request, void* out, std::size_t count);

 private:
  bool quasi() const { return type_ >= MURAND_RNG_QUASI_DEFAULT; }
  bool longWords() const {
    return type_ == MURAND_RNG_QUASI_SOBOL64 || type_ == MURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
  bool pairs() const { return type_ == MURAND_RNG_PSEUDO_XORWOW || type_ == MURAND_RNG_PSEUDO_MRG32K3A; }
  murandStatus_t check(const musashim::rand::Request& request, std::size_t count) const;

  const murandRngType_t type_;
  const bool onHost_;
  musaStream_t stream_ = nullptr;
  std::uint64_t seed_ = 0;
  std::uint64_t position_ = 0;  // of the next number
  std::uint64_t start_ = 0;     // of the first number since the last seed, offset or ordering
  // MTGP32: what gives the numbers up to `start_`, the rest of a row.
  std::shared_ptr<musashim::rand::Engine> old_;
  murandOrdering_t ordering_;
  unsigned int dimensions_ = 1;
  // Work that is queued keeps the engine that it was called with.
  std::shared_ptr<musashim::rand::Engine> engine_;
};

namespace musashim::rand {

inline std::size_t mtgp32Lanes(murandOrdering_t ordering) {
  return ordering == MURAND_ORDERING_PSEUDO_LEGACY ? 64 : 192;
}

// What makes a sequence's numbers from `position` on.
std::shared_ptr<Engine> makeEngine(murandRngType_t type, std::uint64_t seed, std::uint64_t position,
                                   murandOrdering_t ordering, unsigned int dimensions);

}  // namespace musashim::rand
