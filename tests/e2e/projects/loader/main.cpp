#include <dlfcn.h>

#include <cstdio>

int main() {
  void* runtime = dlopen("libcudart.so", RTLD_NOW);
  if (!runtime) return std::printf("%s\n", dlerror()), 1;
  auto count = reinterpret_cast<int (*)(int*)>(dlsym(runtime, "cudaGetDeviceCount"));
  int devices = 0;
  if (!count || count(&devices) != 0) return 1;
  std::printf("%d wrong\n", devices != 2);
}
