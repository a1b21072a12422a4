/* CUDA's names for MTSHMEM's extensions, for sources that were not ported. */
#ifndef MUSASHIM_ALIAS_NVSHMEMX_H
#define MUSASHIM_ALIAS_NVSHMEMX_H

#include "mtshmemx.h"
#include "nvshmem.h"

#endif
