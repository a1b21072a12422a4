/* MTSHMEM in kernels: the names of the host's functions, for kernels of this source. */
#ifndef MTSHMEM_DETAIL_DEVICE_H
#define MTSHMEM_DETAIL_DEVICE_H

#include "together.h"

namespace {
/* The library writes what it knows into each source's copy. */
struct mtshmemi_registration {
  mtshmemi_registration() { mtshmemi_register_device_state(&mtshmemi::gDeviceState); }
} const mtshmemi_registered;
}  // namespace

__device__ inline int mtshmem_my_pe() { return mtshmemi::state().me; }
__device__ inline int mtshmem_n_pes() { return mtshmemi::state().size; }
__device__ inline void* mtshmem_ptr(const void* dest, int pe) {
  return mtshmemi::isFar(pe) ? nullptr : const_cast<char*>(mtshmemi::at(static_cast<const char*>(dest), pe));
}
__device__ inline int mtshmem_team_my_pe(mtshmem_team_t team) {
  const bool known = team >= 0 && team < MTSHMEMI_MAX_TEAMS && mtshmemi::state().teams[team].valid;
  return known ? mtshmemi::state().teams[team].me : -1;
}
__device__ inline int mtshmem_team_n_pes(mtshmem_team_t team) {
  const bool known = team >= 0 && team < MTSHMEMI_MAX_TEAMS && mtshmemi::state().teams[team].valid;
  return known ? mtshmemi::state().teams[team].size : -1;
}
__device__ inline int mtshmem_team_translate_pe(mtshmem_team_t from, int pe, mtshmem_team_t to) {
  if (pe < 0 || pe >= mtshmem_team_n_pes(from) || mtshmem_team_n_pes(to) < 0) return -1;
  const mtshmemi_team_t& target = mtshmemi::state().teams[to];
  const int distance = mtshmemi::worldPe(mtshmemi::state().teams[from], pe) - target.start;
  if (distance < 0 || distance % target.stride != 0 || distance / target.stride >= target.size) return -1;
  return distance / target.stride;
}

#include "device_functions.h"

#endif
