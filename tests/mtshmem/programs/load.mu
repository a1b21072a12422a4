// Loads module.mu's module: load MODULE.
#include <musa.h>

#include "check.h"

int main(int argc, char** argv) {
  mtshmem_init();
  chooseDevice();
  MUmodule module = nullptr;
  MUfunction kernel = nullptr;
  auto* box = static_cast<int*>(mtshmem_calloc(1, sizeof(int)));
  CHECK(muModuleLoad(&module, argv[argc - 1]) == MUSA_SUCCESS);
  CHECK(muModuleGetFunction(&kernel, module, "put_to_next") == MUSA_SUCCESS);
  CHECK(mtshmemx_cumodule_init(module) == MTSHMEMX_SUCCESS);
  void* arguments[] = {&box};
  CHECK(muLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == MUSA_SUCCESS);
  MUSA(musaDeviceSynchronize());
  mtshmem_barrier_all();
  const int n = mtshmem_n_pes(), before = (mtshmem_my_pe() + n - 1) % n;
  CHECK(fetch(box) == 100 + before);
  CHECK(mtshmemx_cumodule_finalize(module) == MTSHMEMX_SUCCESS);
  CHECK(mtshmemx_buffer_register_symmetric(box, 4, 0) == nullptr);
  mtshmem_free(box);
  return finish();
}
