// links: curand
// Sequences of Mersenne twisters and of scrambled Sobol generators.
#include "../../framework/observe.h"

CONFORMANCE_CASE("rand.twisters");

#include "../../framework/random_sequences.h"

int main() {
  observeGenerator({"mt19937", CURAND_RNG_PSEUDO_MT19937, false, false});
  observeGenerator({"mtgp32", CURAND_RNG_PSEUDO_MTGP32, false, false});
  observeGenerator({"scrambled32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, true, false});
  observeGenerator({"scrambled64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, true, true});
}
