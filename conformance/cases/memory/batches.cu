// Many copies in one call.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.batches");

int main() {
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i * 11;
  DeviceArray<int> first(64), second(64);
  int* pinned = nullptr;
  SETUP(cudaMallocHost(reinterpret_cast<void**>(&pinned), 64 * sizeof(int)));

  void* targets[3] = {first.data(), second.data() + 8, second.data() + 32};
  const void* sources[3] = {host.data(), host.data() + 16, host.data() + 40};
  size_t sizes[3] = {64 * sizeof(int), 8 * sizeof(int), 4 * sizeof(int)};
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  size_t begins[2] = {0, 2};
  OBSERVE("batch", cudaMemcpyBatchAsync(targets, sources, sizes, 3, attributes, begins, 2, stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("batch.first", joined(first.read()));
  const std::vector<int> seen = second.read();
  OBSERVE("batch.second", joined(std::vector<int>(seen.begin() + 8, seen.begin() + 36)));
  const void* device[1] = {first.data()};
  void* back[1] = {pinned};
  size_t all[1] = {64 * sizeof(int)};
  OBSERVE("down", cudaMemcpyBatchAsync(back, device, all, 1, attributes, begins, 1, stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("down.same", std::vector<int>(pinned, pinned + 64) == host);

  OBSERVE("null_stream", cudaMemcpyBatchAsync(back, device, all, 1, attributes, begins, 1, nullptr));
  (void)cudaGetLastError();
  OBSERVE("count_zero", cudaMemcpyBatchAsync(back, device, all, 0, attributes, begins, 1, stream));
  OBSERVE("null_targets", cudaMemcpyBatchAsync(nullptr, device, all, 1, attributes, begins, 1, stream));
  OBSERVE("null_sources", cudaMemcpyBatchAsync(back, nullptr, all, 1, attributes, begins, 1, stream));
  OBSERVE("null_sizes", cudaMemcpyBatchAsync(back, device, nullptr, 1, attributes, begins, 1, stream));
  OBSERVE("no_attributes", cudaMemcpyBatchAsync(back, device, all, 1, attributes, begins, 0, stream));
  size_t late[1] = {1};
  OBSERVE("first_begin_not_0", cudaMemcpyBatchAsync(back, device, all, 1, attributes, late, 1, stream));
  OBSERVE("more_attributes_than_copies",
          cudaMemcpyBatchAsync(back, device, all, 1, attributes, begins, 2, stream));
  cudaMemcpyAttributes invalid[1] = {};
  OBSERVE("order_invalid", cudaMemcpyBatchAsync(back, device, all, 1, invalid, begins, 1, stream));
  size_t nothing[1] = {0};
  OBSERVE("size_zero", cudaMemcpyBatchAsync(back, device, nothing, 1, attributes, begins, 1, stream));
  size_t tooMuch[1] = {size_t{1} << 40};
  OBSERVE("size_past", cudaMemcpyBatchAsync(back, device, tooMuch, 1, attributes, begins, 1, stream));
  (void)cudaGetLastError();
  OBSERVE("last", cudaDeviceSynchronize());
}
