// Writes a row behind the surface's last, which traps; what the surface is made of is not
// the program's memory, and reading it is no mistake.
// expect: Invalid __global__ write of size 1 bytes
// expect: at fill(unsigned long long, int) in @BUG
// expect: errors: some
#include "../bug.h"

__global__ void fill(musaSurfaceObject_t surface, int rows) {
  const int x = threadIdx.x, y = threadIdx.y;
#ifdef FIXED
  if (y >= rows) return;
#endif
  surf2Dwrite(1.0f, surface, x * 4, y);  // BUG
}

int main() {
  musaChannelFormatDesc format = musaCreateChannelDesc<float>();
  musaArray_t array;
  musaMallocArray(&array, &format, 32, 4, musaArraySurfaceLoadStore);
  musaResourceDesc resource{};
  resource.resType = musaResourceTypeArray;
  resource.res.array.array = array;
  musaSurfaceObject_t surface;
  musaCreateSurfaceObject(&surface, &resource);
  fill<<<1, dim3(32, 5)>>>(surface, 4);
  finish();
}
