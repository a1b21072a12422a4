// What cudaHostGetFlags tells of memory that cudaHostAlloc gave, by flags and size.
#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.host_alloc_flags");

int main() {
  SETUP(cudaFree(nullptr));
  for (const size_t bytes : {size_t{64}, size_t{4096}, size_t{100000}, size_t{1} << 20, size_t{1} << 25}) {
    for (unsigned given = 0; given < 8; ++given) {
      void* memory = nullptr;
      unsigned flags = 99;
      SETUP(cudaHostAlloc(&memory, bytes, given));
      SETUP(cudaHostGetFlags(&flags, memory));
      OBSERVE("bytes_" + std::to_string(bytes) + ".given_" + std::to_string(given), flags);
      SETUP(cudaFreeHost(memory));
    }
  }
  void* memory = nullptr;
  unsigned flags = 99;
  SETUP(cudaMallocHost(&memory, 4096));
  SETUP(cudaHostGetFlags(&flags, memory));
  OBSERVE("malloc_host", flags);
}
