// CUDA's atomic functions have no size_t (unsigned long): a program may have functions of its own by their
// names, and they come first.
#include <cstddef>
#include <cstdio>

namespace {

constexpr size_t kMark = 1000;  // what tells the program's own from the SDK's

__device__ static inline unsigned long atomicAdd(unsigned long* address, unsigned long value) {
  return ::atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)) +
         kMark;
}

}  // namespace

__device__ unsigned long atomicMin(unsigned long* address, unsigned long value) {
  return atomicMin(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)) +
         kMark;
}

template <typename T>
__device__ T atomicMax(T* address, T value) {
  const T old = *address;
  *address = value > old ? value : old;
  return old + static_cast<T>(kMark);
}

// No function of the program's: the SDK's own.
__global__ void sdk(size_t* cells, size_t* old) {
  old[0] = atomicOr(&cells[0], 6), old[1] = atomicAnd(&cells[1], size_t{3}),
  old[2] = atomicXor(&cells[2], 1ul);
  old[3] = atomicExch(&cells[3], 9), old[4] = atomicCAS(&cells[4], 5, 77),
  old[5] = atomicExch_block(&cells[5], 8u);
  old[6] = atomicCAS_system(&cells[6], 0, 1);
}

__global__ void own(size_t* cells, size_t* old) {
  old[0] = (atomicMin)(&cells[0], 2ul);
  old[1] = atomicMax(&cells[1], 50ul);
  old[2] = atomicMin(&cells[2], size_t{3});
}

namespace {
__global__ void inNamespace(size_t* cells, size_t* old) { old[0] = atomicAdd(&cells[0], size_t{4}); }
}  // namespace

int main() {
  size_t *cells = nullptr, *old = nullptr;
  if (musaMallocManaged(&cells, 16 * sizeof *cells) != musaSuccess) return 1;
  if (musaMallocManaged(&old, 16 * sizeof *old) != musaSuccess) return 1;
  for (size_t i = 0; i < 16; ++i) cells[i] = i + 1, old[i] = 0;
  int wrong = 0;
  const auto expect = [&](int place, size_t is, size_t was) {
    wrong += cells[place] != is || old[place] != was;
  };
  sdk<<<1, 1>>>(cells, old);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  expect(0, 7, 1), expect(1, 2, 2), expect(2, 2, 3), expect(3, 9, 4), expect(4, 77, 5), expect(5, 8, 6),
      expect(6, 7, 7);
  own<<<1, 1>>>(cells, old);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  expect(0, 2, 7 + kMark), expect(1, 50, 2 + kMark), expect(2, 2, 2 + kMark);
  inNamespace<<<1, 1>>>(cells, old);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  expect(0, 6, 2 + kMark);
  std::printf("%d wrong\n", wrong);
  return wrong;
}
