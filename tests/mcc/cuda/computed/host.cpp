// The same in a file of the host's.
#include <cuda_runtime.h>
#include <own/names.h>

#include OWN_HEADER(more.cuh)

int main() {
  int* value;
  return own_allocate(&value) == cudaSuccess ? 0 : 1;
}
