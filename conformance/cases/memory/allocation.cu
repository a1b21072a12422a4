// Allocating and freeing: misuse and limits.
#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.allocation");

int main() {
  void* first = nullptr;
  void* second = nullptr;
  OBSERVE("null_result_pointer", cudaMalloc(static_cast<void**>(nullptr), 16));
  OBSERVE("zero_bytes", cudaMalloc(&first, 0));
  OBSERVE("zero_bytes_pointer_is_null", first == nullptr);
  OBSERVE("one_byte", cudaMalloc(&first, 1));
  OBSERVE("another", cudaMalloc(&second, 1));
  OBSERVE("distinct", first != second);
  OBSERVE("aligned_256", reinterpret_cast<uintptr_t>(first) % 256 == 0);

  void* huge = first;
  OBSERVE("too_much", cudaMalloc(&huge, size_t{1} << 46));
  OBSERVE("last_error", cudaGetLastError());
  OBSERVE("last_error_is_cleared", cudaGetLastError());
  OBSERVE("negative_as_size", cudaMalloc(&huge, static_cast<size_t>(-1)));
  cudaGetLastError();
  void* after = nullptr;
  OBSERVE("small_after_too_much", cudaMalloc(&after, 4096));

  OBSERVE("free_null", cudaFree(nullptr));
  OBSERVE("free", cudaFree(first));
  OBSERVE("free_twice", cudaFree(first));
  OBSERVE("free_inside", cudaFree(static_cast<char*>(after) + 16));
  int onStack = 0;
  OBSERVE("free_host_pointer", cudaFree(&onStack));
  OBSERVE("free_after_errors", cudaFree(after));
  OBSERVE("free_second", cudaFree(second));
}
