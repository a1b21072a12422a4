// cudaMemset and its kin: values, truncation, zero and null.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.fill");

int main() {
  DeviceArray<unsigned char> bytes(64);
  OBSERVE("fill", cudaMemset(bytes.data(), 0x5a, 64));
  OBSERVE("fill_value", static_cast<int>(bytes.read()[63]));
  OBSERVE("value_above_a_byte", cudaMemset(bytes.data(), 0x1234, 64));
  OBSERVE("value_is_truncated", static_cast<int>(bytes.read()[0]));
  OBSERVE("negative", cudaMemset(bytes.data(), -1, 64));
  OBSERVE("negative_value", static_cast<int>(bytes.read()[31]));
  OBSERVE("part", cudaMemset(bytes.data() + 3, 7, 5));
  const std::vector<unsigned char> part = bytes.read();
  OBSERVE("part_edges", part[2] == 255 && part[3] == 7 && part[7] == 7 && part[8] == 255);
  OBSERVE("zero_bytes", cudaMemset(bytes.data(), 1, 0));
  OBSERVE("zero_bytes_null", cudaMemset(nullptr, 1, 0));
  OBSERVE("null", cudaMemset(nullptr, 1, 4));
  cudaGetLastError();
  OBSERVE("async", cudaMemsetAsync(bytes.data(), 9, 64, nullptr));
  OBSERVE("async_value", static_cast<int>(bytes.read()[10]));

  // 4 rows of 5 in a pitch of 16.
  SETUP(cudaMemset(bytes.data(), 0, 64));
  OBSERVE("rows", cudaMemset2D(bytes.data(), 16, 3, 5, 4));
  int sum = 0;
  for (const unsigned char value : bytes.read()) sum += value;
  OBSERVE("rows_sum", sum);
  OBSERVE("rows_wider_than_pitch", cudaMemset2D(bytes.data(), 4, 3, 8, 2));
  cudaGetLastError();
  OBSERVE("rows_zero_height", cudaMemset2D(bytes.data(), 16, 3, 5, 0));
}
