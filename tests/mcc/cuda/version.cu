// nvcc's version as a value, and in arithmetic of the preprocessor's, which musaport leaves as they are.
#include <cstdio>

#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1200 || __CUDACC_VER_MAJOR__ > 12
#error "not CUDA 12"
#endif
#ifndef __CUDACC_VER_BUILD__
#error "no build number"
#endif

int main() {
  const int version[] = {__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__};
  std::puts(version[0] == 12 && version[1] >= 0 && version[2] > 0 ? "passed" : "wrong");
  return 0;
}
