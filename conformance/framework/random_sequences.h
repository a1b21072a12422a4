// What a generator of the library makes: seeds, offsets, orderings, all by checksums of its bits.
#pragma once

#include <curand.h>

#include "device_values.h"

static int code(curandStatus_t status) { return static_cast<int>(status); }

struct Kind {
  const char* name;
  curandRngType_t type;
  bool quasi, wide;
};
static const size_t kCount = 30000;

template <typename T>
static void observeBits(const std::string& key, curandStatus_t status, const DeviceValues<T>& values) {
  OBSERVE(key, code(status));
  const std::vector<T> all = values.get();
  OBSERVE(key + ".bits", checksum(all.data(), all.size() * sizeof(T)));
}

static void sequences(const Kind& kind, const std::string& key, curandGenerator_t generator) {
  DeviceValues<unsigned> words(kCount);
  DeviceValues<unsigned long long> wide(kCount);
  DeviceValues<float> real(kCount);
  DeviceValues<double> precise(kCount);
  if (kind.wide) {
    observeBits(key + "long", curandGenerateLongLong(generator, wide, kCount), wide);
    observeBits(key + "long.next", curandGenerateLongLong(generator, wide, 5000), wide);
  } else {
    observeBits(key + "ints", curandGenerate(generator, words, kCount), words);
    observeBits(key + "ints.next", curandGenerate(generator, words, 5000), words);
  }
  observeBits(key + "uniform", curandGenerateUniform(generator, real, kCount), real);
  observeBits(key + "uniform_double", curandGenerateUniformDouble(generator, precise, kCount), precise);
  observeBits(key + "normal", curandGenerateNormal(generator, real, kCount, 1.f, 2.f), real);
  observeBits(key + "normal_double", curandGenerateNormalDouble(generator, precise, kCount, 1., 2.), precise);
  observeBits(key + "log_normal", curandGenerateLogNormal(generator, real, kCount, 0.f, 1.f), real);
  observeBits(key + "poisson.small", curandGeneratePoisson(generator, words, kCount, 3.5), words);
  observeBits(key + "poisson.large", curandGeneratePoisson(generator, words, kCount, 5000.), words);
}

static void observeGenerator(const Kind& kind) {
  const std::string name = std::string(kind.name) + ".";
  curandGenerator_t generator;
  const curandStatus_t created = curandCreateGenerator(&generator, kind.type);
  OBSERVE(name + "create", code(created));
  if (created != CURAND_STATUS_SUCCESS) exit(3);
  DeviceValues<unsigned> words(kCount);
  DeviceValues<unsigned long long> wide(kCount);
  DeviceValues<float> real(kCount);
  if (!kind.quasi) OBSERVE(name + "seed", code(curandSetPseudoRandomGeneratorSeed(generator, 1234567ull)));
  sequences(kind, name, generator);
  OBSERVE(name + "offset", code(curandSetGeneratorOffset(generator, 1001)));
  if (kind.wide) {
    observeBits(name + "offset.long", curandGenerateLongLong(generator, wide, kCount), wide);
  } else {
    observeBits(name + "offset.ints", curandGenerate(generator, words, kCount), words);
  }
  if (kind.quasi) {
    OBSERVE(name + "dimensions", code(curandSetQuasiRandomGeneratorDimensions(generator, 5)));
    OBSERVE(name + "dimensions.offset", code(curandSetGeneratorOffset(generator, 0)));
    observeBits(name + "dimensions.uniform", curandGenerateUniform(generator, real, kCount), real);
    OBSERVE(name + "dimensions.odd", code(curandGenerateUniform(generator, real, 7)));
    OBSERVE(name + "dimensions.none", code(curandSetQuasiRandomGeneratorDimensions(generator, 0)));
    OBSERVE(name + "dimensions.many", code(curandSetQuasiRandomGeneratorDimensions(generator, 20001)));
    OBSERVE(name + "seed", code(curandSetPseudoRandomGeneratorSeed(generator, 1)));
  } else {
    OBSERVE(name + "dimensions", code(curandSetQuasiRandomGeneratorDimensions(generator, 2)));
    OBSERVE(name + "normal.odd", code(curandGenerateNormal(generator, real, 7, 0, 1)));
  }
  OBSERVE(name + "other_width",
          code(kind.wide ? curandGenerate(generator, words, 8) : curandGenerateLongLong(generator, wide, 8)));
  OBSERVE(name + "none", code(curandGenerateUniform(generator, real, 0)));
  OBSERVE(name + "poisson.zero", code(curandGeneratePoisson(generator, words, 8, 0.)));
  OBSERVE(name + "poisson.negative", code(curandGeneratePoisson(generator, words, 8, -1.)));
  OBSERVE(name + "order.none", code(curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(7))));
  OBSERVE(name + "order.quasi", code(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT)));
  if (!kind.quasi) {
    for (const auto order : {CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_BEST,
                             CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_SEEDED}) {
      const std::string key = name + "order." + std::to_string(static_cast<int>(order));
      const curandStatus_t status = curandSetGeneratorOrdering(generator, order);
      OBSERVE(key, code(status));
      if (status != CURAND_STATUS_SUCCESS) continue;
      OBSERVE(key + ".seed", code(curandSetPseudoRandomGeneratorSeed(generator, 99)));
      observeBits(key + ".ints", curandGenerate(generator, words, kCount), words);
    }
  }
  OBSERVE(name + "destroy", code(curandDestroyGenerator(generator)));
}
