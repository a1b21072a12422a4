// Copies and fills that leave the allocation.
#include <vector>

#include "../../framework/observe.h"

CONFORMANCE_CASE("memory.copy_ranges");

int main() {
  const size_t small = size_t{1} << 20;
  const size_t large = size_t{64} << 20;
  std::vector<char> host(large, 'x');
  char* device = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&device), small));

  OBSERVE("up_past_end", cudaMemcpy(device, host.data(), large, cudaMemcpyHostToDevice));
  OBSERVE("down_past_end", cudaMemcpy(host.data(), device, large, cudaMemcpyDeviceToHost));
  OBSERVE("fill_past_end", cudaMemset(device, 0, large));
  OBSERVE("last_error", cudaGetLastError());
  OBSERVE("up_from_middle", cudaMemcpy(device + small / 2, host.data(), small / 2, cudaMemcpyHostToDevice));
  OBSERVE("whole", cudaMemcpy(host.data(), device, small, cudaMemcpyDeviceToHost));
  OBSERVE("middle_value", host[small / 2] == 'x');
  SETUP(cudaFree(device));
  OBSERVE("after_free", cudaMemcpy(device, host.data(), 16, cudaMemcpyHostToDevice));
}
