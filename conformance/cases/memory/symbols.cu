// Copies to and from variables of the device.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.symbols");

__device__ int table[8] = {10, 11, 12, 13, 14, 15, 16, 17};
__constant__ float factors[4] = {1.5f, 2.5f, 3.5f, 4.5f};
__device__ int counter = 41;

__global__ void useSymbols(float* out) {
  counter += 1;
  out[0] = table[3] * factors[1];
  table[7] = 99;
}

int main() {
  int values[8] = {};
  OBSERVE("read_initial", cudaMemcpyFromSymbol(values, table, sizeof values));
  OBSERVE("initial_sum", values[0] + values[7]);
  const int four[4] = {4, 3, 2, 1};
  OBSERVE("write_at_offset", cudaMemcpyToSymbol(table, four, sizeof four, 2 * sizeof(int)));
  const float newFactors[4] = {0.25f, 0.5f, 0.75f, 1.0f};
  OBSERVE("write_constant", cudaMemcpyToSymbol(factors, newFactors, sizeof newFactors));

  DeviceArray<float> out(1);
  useSymbols<<<1, 1>>>(out.data());
  OBSERVE("kernel_sees_both", out.read()[0]);
  int count = 0;
  SETUP(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  OBSERVE("kernel_wrote_scalar", count);
  SETUP(cudaMemcpyFromSymbol(values, table, sizeof values));
  OBSERVE("kernel_wrote_array", joined(std::vector<int>(values, values + 8)));

  size_t size = 0;
  void* address = nullptr;
  OBSERVE("size", cudaGetSymbolSize(&size, table));
  OBSERVE("size_value", size);
  OBSERVE("address", cudaGetSymbolAddress(&address, table));
  OBSERVE("copy_by_address", cudaMemcpy(values, address, sizeof(int), cudaMemcpyDeviceToHost));
  OBSERVE("past_end", cudaMemcpyToSymbol(table, four, sizeof four, 6 * sizeof(int)));
  OBSERVE("wrong_kind", cudaMemcpyToSymbol(table, four, sizeof four, 0, cudaMemcpyDeviceToHost));
  int notASymbol = 0;
  OBSERVE("not_a_symbol", cudaMemcpyToSymbol(&notASymbol, four, sizeof four));
  OBSERVE("not_a_symbol_size", cudaGetSymbolSize(&size, &notASymbol));
  OBSERVE("null_symbol", cudaGetSymbolAddress(&address, static_cast<const void*>(nullptr)));
}
