// Uses the other files' device code; says "passed" when all is right.
#include "shared.h"

static __device__ int hidden = 1000;  // state.mu has one, too
int fromHost();

// What each thread sees of the other files.
struct Seen {
  int blockSum, warpSum, recursive, step, factor, area, library;
};

__global__ void look(Seen* seen) {
  const int i = static_cast<int>(threadIdx.x);
  Seen& mine = seen[i];
  mine.blockSum = blockSum(i);
  mine.warpSum = warpSum(i % 32);
  mine.recursive = recursiveSum(2, 1);
  mine.step = steps[i % 2](i);
  mine.factor = factors[i % 4];
  const Box box(i, 3);
  const Shape* shape = &box;
  mine.area = shape->area();
  mine.library = libraryValue(i);
  if (i == 0) {
    counter += 1;
    managedTotal += factors[3];
    hidden += 1;
  }
}

__global__ void launchOther() { addToCounter<<<2, 2>>>(5); }

int main() {
  constexpr int threads = 64;
  Seen* seen = nullptr;
  CHECK(musaMallocManaged(&seen, threads * sizeof(Seen)));
  const int factorValues[4] = {10, 20, 30, 40};
  setFactors(factorValues);
  look<<<1, threads>>>(seen);
  CHECK(musaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    EXPECT(seen[i].blockSum, threads * (threads - 1) / 2);
    EXPECT(seen[i].warpSum, 31 * 16);
    EXPECT(seen[i].recursive, threads * (1 + 2 + 3));
    EXPECT(seen[i].step, i % 2 == 0 ? 2 * i : i + 1);
    EXPECT(seen[i].factor, factorValues[i % 4]);
    EXPECT(seen[i].area, 3 * i);
    EXPECT(seen[i].library, 3 * i);
  }
  EXPECT(managedTotal, 47);

  // A kernel and a variable of another file, from this one's host code.
  addToCounter<<<2, 8>>>(2);
  int value = 0;
  CHECK(musaMemcpyFromSymbol(&value, counter, sizeof(value)));
  EXPECT(value, 100 + 1 + 32);
  value = 500;
  CHECK(musaMemcpyToSymbol(counter, &value, sizeof(value)));
  EXPECT(readCounter(), 500);
  launchOther<<<1, 1>>>();
  EXPECT(readCounter(), 520);

  // Variables of the same name that are each file's own.
  EXPECT(readHidden(), 15);
  CHECK(musaMemcpyFromSymbol(&value, hidden, sizeof(value)));
  EXPECT(value, 1001);

  double halves[2] = {0.5, 1.5};
  double* device = nullptr;
  CHECK(musaMalloc(&device, sizeof(halves)));
  CHECK(musaMemcpy(device, halves, sizeof(halves), musaMemcpyDefault));
  squareAll<<<1, 64>>>(device, 2);
  CHECK(musaMemcpy(halves, device, sizeof(halves), musaMemcpyDefault));
  EXPECT(halves[0] * 100, 225);
  EXPECT(squaresOfState(), 941);

  int ints[2] = {2, 3};  // an instance that state.mu has as well
  CHECK(musaMemcpy(device, ints, sizeof(ints), musaMemcpyDefault));
  squareAll<<<1, 64>>>(reinterpret_cast<int*>(device), 2);
  CHECK(musaMemcpy(ints, device, sizeof(ints), musaMemcpyDefault));
  EXPECT(ints[0] * 10 + ints[1], 94);

  EXPECT(libraryHost(), 42);
  EXPECT(plainCounter(), 2);
  EXPECT(fromHost(), 42);
  void (*pointer)(int) = addToCounter;
  pointer(1);
  EXPECT(readCounter(), 520);
  pointer<<<1, 1>>>(1);
  EXPECT(readCounter(), 521);
  std::puts("passed");
  return 0;
}
