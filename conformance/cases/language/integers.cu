// Integer corner cases that must not stop a device as they stop a processor.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.integers");

// The quotients go to a place nobody looks at: only that the thread gets to its
// end counts here. Their values are language.division_values' business.
__global__ void divide(int* out, int* unseen, int zero, int minusOne, int least) {
  unseen[0] = 7 / zero;
  unseen[1] = 7 % zero;
  out[0] = 3;
  unseen[2] = least / minusOne;
  unseen[3] = least % minusOne;
  out[1] = 4;
  unseen[4] = static_cast<int>(7u / static_cast<unsigned>(zero));
  unseen[5] = static_cast<int>(7ull % static_cast<unsigned long long>(zero));
  out[2] = 6;
}

__global__ void shifts(unsigned* out, unsigned value, int by) {
  out[0] = value << (by - 1);
  out[1] = value >> (by - 1);
  out[2] = static_cast<unsigned>(static_cast<int>(value) >> (by - 1));
}

__global__ void wraps(unsigned* out, unsigned most, long long big) {
  out[0] = most + 1u;
  out[1] = most * most;
  out[2] = 0u - 1u;
  out[3] = static_cast<unsigned>(big);
  out[4] = static_cast<unsigned>(static_cast<short>(big));
  out[5] = static_cast<unsigned>(-17 / 5) + 100u;
  out[6] = static_cast<unsigned>(-17 % 5) + 100u;
}

int main() {
  DeviceArray<int> divided(3);
  DeviceArray<int> unseen(6);
  divide<<<1, 1>>>(divided.data(), unseen.data(), 0, -1, -2147483647 - 1);
  OBSERVE("division_goes_on", joined(divided.read()));
  OBSERVE("device_works", cudaDeviceSynchronize());
  DeviceArray<unsigned> out(7);
  shifts<<<1, 1>>>(out.data(), 0x80000001u, 32);
  OBSERVE("shift_31", joined(out.read()));
  wraps<<<1, 1>>>(out.data(), 0xffffffffu, 0x123456789abcdefll);
  OBSERVE("wraps", joined(out.read()));
}
