// links: curand
// Sequences of the generators that jump: seeds, offsets, orderings, dimensions; handles that there are not.
#include "../../framework/observe.h"

CONFORMANCE_CASE("rand.sequences");

#include "../../framework/random_sequences.h"

int main() {
  observeGenerator({"default", CURAND_RNG_PSEUDO_DEFAULT, false, false});
  observeGenerator({"xorwow", CURAND_RNG_PSEUDO_XORWOW, false, false});
  observeGenerator({"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, false, false});
  observeGenerator({"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, false, false});
  observeGenerator({"sobol32", CURAND_RNG_QUASI_SOBOL32, true, false});
  observeGenerator({"sobol64", CURAND_RNG_QUASI_SOBOL64, true, true});
  curandGenerator_t generator;
  OBSERVE("create.none", code(curandCreateGenerator(&generator, static_cast<curandRngType_t>(7))));
  OBSERVE("destroy.null", code(curandDestroyGenerator(nullptr)));
  DeviceValues<float> real(8);
  OBSERVE("generate.null", code(curandGenerateUniform(nullptr, real, 8)));
}
