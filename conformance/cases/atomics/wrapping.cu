// atomicInc and atomicDec wrap at a limit.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("atomics.wrapping");

__global__ void one(unsigned* cells, unsigned* old) {
  old[0] = atomicInc(&cells[0], 5u);  // 5 -> 0
  old[1] = atomicInc(&cells[1], 5u);  // 4 -> 5
  old[2] = atomicInc(&cells[2], 5u);  // 9 -> 0
  old[3] = atomicDec(&cells[3], 5u);  // 0 -> 5
  old[4] = atomicDec(&cells[4], 5u);  // 9 -> 5
  old[5] = atomicDec(&cells[5], 5u);  // 3 -> 2
  old[6] = atomicInc(&cells[6], 0u);  // 0 -> 0
}

__global__ void many(unsigned* cell) { atomicInc(cell, 9u); }
__global__ void manyDown(unsigned* cell) { atomicDec(cell, 9u); }

int main() {
  DeviceArray<unsigned> cells(std::vector<unsigned>{5, 4, 9, 0, 9, 3, 0});
  DeviceArray<unsigned> old(7);
  one<<<1, 1>>>(cells.data(), old.data());
  OBSERVE("cells", joined(cells.read()));
  OBSERVE("old", joined(old.read()));
  DeviceArray<unsigned> cell(1);
  many<<<11, 73>>>(cell.data());
  OBSERVE("many", cell.read()[0]);
  SETUP(cudaMemset(cell.data(), 0, sizeof(unsigned)));
  manyDown<<<11, 73>>>(cell.data());
  OBSERVE("many_down", cell.read()[0]);
}
