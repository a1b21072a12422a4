// Prints the kernels of an image, each with the flags that its table gives it.
#include <dlfcn.h>

#include <cstdio>

#include "abi/musa_device_abi.h"

int main(int, char** arguments) {
  void* image = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  const void* table = image != nullptr ? dlsym(image, MUSASHIM_IMAGE_SYMBOL) : nullptr;
  if (table == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const auto& info = *static_cast<const MusaImageInfo*>(table);
  for (uint32_t i = 0; i < info.kernel_count; ++i)
    std::printf("%s%s\n", info.kernels[i].name,
                (info.kernels[i].flags & MUSA_KERNEL_LOOKS_BACK) != 0 ? " looks-back" : "");
}
