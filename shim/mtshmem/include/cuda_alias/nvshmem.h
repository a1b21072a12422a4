/* CUDA's names for MTSHMEM, for sources that were not ported. */
#ifndef MUSASHIM_ALIAS_NVSHMEM_H
#define MUSASHIM_ALIAS_NVSHMEM_H

#include "cuda_runtime.h"
#include "mtshmem.h"
#include "mtshmem_detail/nvshmem_names.h"

#endif
