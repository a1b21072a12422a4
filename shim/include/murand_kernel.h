/* Random numbers that kernels make themselves: cuRAND's device API under muRAND's names. */
#ifndef MURAND_KERNEL_H
#define MURAND_KERNEL_H

#include "murand.h"

#include "crt/random_discrete.h"
#include "crt/random_distributions.h"
#include "crt/random_poisson.h"
#include "crt/random_sobol.h"
#include "murand_mtgp32_kernel.h"

typedef struct murandStateXORWOW murandState;
typedef struct murandStateXORWOW murandState_t;

#endif
