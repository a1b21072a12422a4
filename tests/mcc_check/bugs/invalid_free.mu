// free() of memory that malloc() did not give.
// expect: Malloc/Free error encountered: Invalid pointer to free
// expect: at drop(int*) in @BUG
// expect: by thread (0,0,0) in block (0,0,0)
// expect: errors: 1
#include "../bug.h"

__global__ void drop(int* data) {
#ifndef FIXED
  free(data);  // BUG
#endif
  data[0] = 1;
}

int main() {
  DeviceArray<int> data(2);
  drop<<<1, 1>>>(data);
  finish();
}
