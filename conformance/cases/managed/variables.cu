// __managed__ variables: one object for host and devices.
#include "../../framework/observe.h"

CONFORMANCE_CASE("managed.variables");

__managed__ int number = 5;
__managed__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ __managed__ long long untouched = 1ll << 40;

__global__ void change() {
  number *= 3;
  table[threadIdx.x] += 0.5f;
}

int main() {
  OBSERVE("initial", number);
  OBSERVE("initial_table", table[2]);
  OBSERVE("initial_long", untouched);
  number = 14;
  change<<<1, 1>>>();
  SETUP(cudaDeviceSynchronize());
  OBSERVE("after_kernel", number);
  OBSERVE("table_first", table[0]);
  OBSERVE("table_second", table[1]);
  int copy = 0;
  OBSERVE("copy_from_symbol", cudaMemcpyFromSymbol(&copy, number, sizeof copy));
  OBSERVE("copied", copy);
  void* address = nullptr;
  OBSERVE("address", cudaGetSymbolAddress(&address, number));
  OBSERVE("address_is_hosts", address == &number);
}
