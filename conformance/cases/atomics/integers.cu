// Atomic operations on integers: final values and what each call returned.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("atomics.integers");

template <class T>
__global__ void operate(T* cells, unsigned* returned) {
  const T me = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  const T old = atomicAdd(&cells[0], T{1});
  atomicAdd(&returned[static_cast<size_t>(old)], 1u);
  atomicMin(&cells[1], me + T{5});
  atomicMax(&cells[2], me);
  atomicAnd(&cells[3], ~(T{1} << (me % 16)));
  atomicOr(&cells[4], T{1} << (me % 16));
  atomicXor(&cells[5], me);
  atomicExch(&cells[6], T{77});
  T seen = cells[7];
  for (;;) {
    const T before = atomicCAS(&cells[7], seen, seen + T{2});
    if (before == seen) break;
    seen = before;
  }
}

template <class T>
static void observeType(const std::string& name) {
  std::vector<T> initial(8, T{0});
  initial[1] = T{1000};
  initial[3] = T{0x1ffff};
  DeviceArray<T> cells(initial);
  DeviceArray<unsigned> returned(1024);
  operate<T><<<8, 128>>>(cells.data(), returned.data());
  OBSERVE(name + ".cells", joined(cells.read()));
  bool once = true;
  for (const unsigned count : returned.read()) once = once && count == 1;
  OBSERVE(name + ".each_old_value_once", once);
}

__global__ void subtract(int* value, unsigned* other) {
  atomicSub(value, 3);
  atomicSub(other, 1u);
}

int main() {
  observeType<int>("int");
  observeType<unsigned>("unsigned");
  observeType<unsigned long long>("unsigned_long_long");
  DeviceArray<int> value(1);
  DeviceArray<unsigned> other(1);
  subtract<<<4, 32>>>(value.data(), other.data());
  OBSERVE("subtract_int", value.read()[0]);
  OBSERVE("subtract_unsigned", other.read()[0]);
}
