// Every kind of copy, right and wrong.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.copy_kinds");

int main() {
  const std::vector<int> source = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int> target(8, 0);
  const size_t bytes = sizeof(int) * 8;
  DeviceArray<int> a(8);
  DeviceArray<int> b(8);

  OBSERVE("host_to_device", cudaMemcpy(a.data(), source.data(), bytes, cudaMemcpyHostToDevice));
  OBSERVE("device_to_device", cudaMemcpy(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice));
  OBSERVE("device_to_host", cudaMemcpy(target.data(), b.data(), bytes, cudaMemcpyDeviceToHost));
  OBSERVE("values", joined(target));
  OBSERVE("host_to_host", cudaMemcpy(target.data() + 4, source.data(), bytes / 2, cudaMemcpyHostToHost));
  OBSERVE("values_host", joined(target));
  OBSERVE("default_down", cudaMemcpy(target.data(), a.data(), bytes, cudaMemcpyDefault));
  OBSERVE("default_up", cudaMemcpy(b.data(), source.data() + 2, bytes / 2, cudaMemcpyDefault));
  OBSERVE("values_default", joined(b.read()));

  OBSERVE("kind_unknown", cudaMemcpy(a.data(), source.data(), bytes, static_cast<cudaMemcpyKind>(77)));
  OBSERVE("kind_negative", cudaMemcpy(a.data(), source.data(), bytes, static_cast<cudaMemcpyKind>(-1)));
  OBSERVE("null_destination", cudaMemcpy(nullptr, source.data(), bytes, cudaMemcpyHostToDevice));
  OBSERVE("null_source", cudaMemcpy(a.data(), nullptr, bytes, cudaMemcpyHostToDevice));
  OBSERVE("zero_bytes", cudaMemcpy(a.data(), source.data(), 0, cudaMemcpyHostToDevice));
  OBSERVE("zero_bytes_null", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  OBSERVE("zero_bytes_kind_unknown", cudaMemcpy(a.data(), source.data(), 0, static_cast<cudaMemcpyKind>(77)));
  OBSERVE("device_pointers_as_host_to_device", cudaMemcpy(a.data(), b.data(), bytes, cudaMemcpyHostToDevice));
  OBSERVE("host_pointers_as_device_to_device",
          cudaMemcpy(target.data(), source.data(), bytes, cudaMemcpyDeviceToDevice));
  cudaGetLastError();
  OBSERVE("still_works", cudaMemcpy(a.data(), source.data(), bytes, cudaMemcpyHostToDevice));
  OBSERVE("async", cudaMemcpyAsync(target.data(), a.data(), bytes, cudaMemcpyDeviceToHost, nullptr));
  OBSERVE("synchronise", cudaDeviceSynchronize());
  OBSERVE("values_async", joined(target));
}
