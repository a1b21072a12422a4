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
  struct Flag {
    uint32_t bit;
    const char* name;
  };
  constexpr Flag kFlags[] = {{MUSA_KERNEL_LOOKS_BACK, " looks-back"},
                             {MUSA_KERNEL_TAKES_TURNS, " takes-turns"},
                             {MUSA_KERNEL_WAITS_FOR_COUNT, " waits-for-count"}};
  for (uint32_t i = 0; i < info.kernel_count; ++i) {
    std::printf("%s", info.kernels[i].name);
    for (const Flag& flag : kFlags)
      std::printf("%s", (info.kernels[i].flags & flag.bit) != 0 ? flag.name : "");
    std::printf("\n");
  }
}
