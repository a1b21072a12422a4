#include <murand.h>
#include <murand_kernel.h>
__global__ void draw(float* out) {
  murandState state;
  murand_init(1, 0, 0, &state);
  *out = murand_uniform(&state);
}
murandStatus_t good() { return MURAND_STATUS_SUCCESS; }
#ifdef USES_THE_LIBRARY
murandStatus_t make(murandGenerator_t* generator) { return murandCreateGenerator(generator, MURAND_RNG_PSEUDO_DEFAULT); }
#endif
