// Loops over neighbouring lanes are compiled for several levels of processors; the loader takes the one that
// fits.
#pragma once

#include "libs/core/clones.h"

#define MUSASHIM_RAND_LEVELS MUSASHIM_CLONES("default", "arch=x86-64-v3", "arch=x86-64-v4")
