// What the last error is, who sets it and who clears it.
#include <thread>

#include "../../framework/observe.h"

CONFORMANCE_CASE("execution.last_error");

__global__ void nothing() {}

int main() {
  OBSERVE("at_start", cudaGetLastError());
  void* pointer = nullptr;
  OBSERVE("failing_call", cudaMalloc(static_cast<void**>(nullptr), 1));
  OBSERVE("peek", cudaPeekAtLastError());
  OBSERVE("peek_keeps", cudaPeekAtLastError());
  SETUP(cudaMalloc(&pointer, 16));
  OBSERVE("success_keeps", cudaPeekAtLastError());
  OBSERVE("later_failure", cudaSetDevice(-1));
  OBSERVE("replaces", cudaPeekAtLastError());

  cudaError_t inThread = cudaErrorUnknown;
  std::thread([&] { inThread = cudaGetLastError(); }).join();
  OBSERVE("other_thread", inThread);
  OBSERVE("this_thread_keeps", cudaPeekAtLastError());
  OBSERVE("get", cudaGetLastError());
  OBSERVE("get_clears", cudaGetLastError());

  nothing<<<1, 2000>>>();
  OBSERVE("synchronise_after_bad_launch", cudaDeviceSynchronize());
  OBSERVE("bad_launch_kept", cudaGetLastError());
  nothing<<<1, 2000>>>();
  nothing<<<1, 1>>>();
  OBSERVE("good_launch_after_bad", cudaGetLastError());
  SETUP(cudaDeviceSynchronize());
}
