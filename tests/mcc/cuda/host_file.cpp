#include <cstdio>

#include "plain_cuda.h"

// Nothing was included that defines it, and this is no device code.
typedef struct {
  unsigned char x, y, z, w;
} uchar4;

#ifdef __CUDACC__
#error "nvcc does not define it for the host's files"
#endif

int main() {
  uchar4 value{};
  static_assert(!usesCuda);
  const int release = __CUDACC_VER_MAJOR__;
  printf("%s\n", value.x == 0 && release >= 12 ? "passed" : "failed");
}
