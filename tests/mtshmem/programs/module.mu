// A module that is loaded at run time: its kernel puts to the next PE.
#include <mtshmem.h>
#include <mtshmemx.h>

extern "C" __global__ void put_to_next(int* to) {
  mtshmem_int_p(to, 100 + mtshmem_my_pe(), (mtshmem_my_pe() + 1) % mtshmem_n_pes());
}
