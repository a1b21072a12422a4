/* Random numbers that kernels make themselves: cuRAND's device API under muRAND's names. Not here: discrete
 * distributions, MTGP32. */
#ifndef MURAND_KERNEL_H
#define MURAND_KERNEL_H

#include "murand.h"

#include "crt/random_distributions.h"
#include "crt/random_poisson.h"
#include "crt/random_sobol.h"

typedef struct murandStateXORWOW murandState;
typedef struct murandStateXORWOW murandState_t;

#endif
