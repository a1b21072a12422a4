/* C programs use the vector types. */
#include "vector_functions.h"

int main(void) {
  dim3 grid = {1, 2, 3};
  struct float4 v = make_float4(1, 2, 3, 4);
  return (int)(v.w - 4) + (int)(grid.z - 3);
}
