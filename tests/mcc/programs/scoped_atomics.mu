// musa::atomic in C++14, as libcu++ has it.
#include <cstdio>
#include <musa/atomic>
#include <musa/barrier>
#include <musa/std/atomic>
#include <musa/std/type_traits>

template <class T>
using Device = musa::atomic<T, musa::thread_scope_device>;

struct Sums {
  Device<int> integer{0};
  Device<unsigned long long> wide{0};
  Device<float> floating{0};
  Device<int*> pointer{nullptr};
  musa::atomic<bool, musa::thread_scope_system> flag{false};
};

__global__ void kernel(Sums* sums, int* plain) {
  const int i = static_cast<int>(threadIdx.x);
  sums->integer.fetch_add(i, musa::memory_order_relaxed);
  sums->wide.fetch_sub(1);
  sums->floating.fetch_add(0.5f);
  sums->floating += 0.5;
  musa::atomic_ref<int, musa::thread_scope_block>(*plain).fetch_max(i);
  if (i == 0) sums->pointer.store(plain);
  sums->flag.exchange(true);
  ++sums->integer;
}

int main() {
  void* memory = nullptr;
  int* plain = nullptr;
  if (musaMallocManaged(&memory, sizeof(Sums)) != musaSuccess) return 1;
  if (musaMallocManaged(&plain, sizeof(int)) != musaSuccess) return 1;
  Sums* sums = new (memory) Sums;
  *plain = 0;
  kernel<<<1, 64>>>(sums, plain);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  const bool right = sums->integer == 63 * 32 + 64 && sums->wide == 0ull - 64 && sums->floating == 64.0f &&
                     sums->pointer == plain && sums->flag && *plain == 63;
  std::puts(right ? "passed" : "wrong");
  return !right;
}
