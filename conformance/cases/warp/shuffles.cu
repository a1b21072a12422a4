// Shuffles over a whole group of 32 lanes and over parts of it.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.shuffles");

constexpr unsigned kAll = 0xffffffffu;

__global__ void shuffle(int* out, int width) {
  const int lane = static_cast<int>(threadIdx.x);
  const int value = lane * 10;
  int* row = out + lane;
  row[0] = __shfl_sync(kAll, value, 5, width);
  row[32] = __shfl_sync(kAll, value, lane + 3, width);
  row[64] = __shfl_up_sync(kAll, value, 3, width);
  row[96] = __shfl_down_sync(kAll, value, 3, width);
  row[128] = __shfl_xor_sync(kAll, value, 5, width);
  row[160] = __shfl_xor_sync(kAll, value, 16, width);
  row[192] = __shfl_sync(kAll, value, -1, width);
}

int main() {
  const char* const names[7] = {"fixed", "next_3", "up_3", "down_3", "xor_5", "xor_16", "minus_1"};
  DeviceArray<int> out(7 * 32);
  for (const int width : {32, 16, 8, 2, 1}) {
    shuffle<<<1, 32>>>(out.data(), width);
    const std::vector<int> read = out.read();
    for (size_t i = 0; i < 7; ++i) {
      const std::vector<int> row(read.begin() + static_cast<long>(i * 32),
                                 read.begin() + static_cast<long>(i * 32 + 32));
      OBSERVE("width_" + std::to_string(width) + "." + names[i], joined(row));
    }
  }
}
