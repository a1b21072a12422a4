// A kernel's name is a function of the host: called without <<<>>> it does nothing, in all spellings, and the
// launches around such calls are as ever.
#include <musa_runtime.h>

#include <cstdio>
#include <utility>

__global__ void store(int* place, int value) { *place = value; }
extern "C" __global__ void store_c(int* place, int value) { *place = value; }
static __global__ void store_static(int* place, int value) { *place = value; }
namespace some_9 {
__global__ void store_named(int* place, int value) { *place = value; }
}  // namespace some_9
template <class T>
__global__ void store_any(T* place, T value) {
  *place = value;
}
struct Pair {
  int first, second;
};
__global__ void store_sum(int* place, Pair pair) { *place = pair.first + pair.second; }

using Kernel = void (*)(int*, int);
Kernel chosen = store;

template <class F, class... Args>
void call(F function, Args... args) {
  function(args...);
}
template <class F, class... Args>
void launch(F function, Args... args) {
  function<<<1, 1>>>(args...);
}
template <void (*kKernel)(int*, int)>
void launchConstant(int* place, int value) {
  kKernel<<<1, 1>>>(place, value);
}

int failures = 0;
int* place = nullptr;

int take(int expected) {
  if (musaDeviceSynchronize() != musaSuccess) ++failures;
  return *place == expected ? std::exchange(*place, 0) : ++failures;
}
int three() { return 3; }
struct Temporary {
  int value;
  explicit Temporary(int v) : value(v) {}
  ~Temporary() { value = -1; }
};
Kernel pick(int which) { return which ? store : store_static; }

void callAll() {
  call(store, place, 3);
  call(store_c, place, 3);
  call(store_static, place, 3);
  call(some_9::store_named, place, 3);
  call(store_any<int>, place, 3);
  call(store_sum, place, Pair{1, 2});
  chosen(place, 3);
  (*chosen)(place, 3);
  Kernel kernels[] = {store, store_any<int>, &store_static};
  for (Kernel kernel : kernels) kernel(place, 3);
  pick(1)(place, three());
}

void launchAll() {
  launch(store, place, 4), take(4);
  launch(store_c, place, 5), take(5);
  launch(store_static, place, 6), take(6);
  launch(some_9::store_named, place, 7), take(7);
  launch(store_any<int>, place, 8), take(8);
  launch(store_sum, place, Pair{4, 5}), take(9);
  launchConstant<store>(place, 10), take(10);
  launchConstant<store_any<int>>(place, 11), take(11);
  launchConstant<store_static>(place, 12), take(12);
  chosen<<<1, 1>>>(place, three()), take(3);
  (*chosen)<<<1, 1>>>(place, Temporary(13).value), take(13);
  (&store)<<<1, 1>>>(place, 14), take(14);
  pick(0)<<<1, 1>>>(place, *place == 0 ? three() : 2), take(3);
  int (*function)() = three;
  pick(1)<<<1, 1>>>(place, function()), take(3);
  Kernel* pointer = &chosen;
  (*pointer)<<<1, 1>>>(place, 15), take(15);
  auto within = [] { chosen<<<1, 1>>>(place, 16); };
  within(), take(16);
  void* args[] = {&place, new int(18)};
  if (musaLaunchKernel(reinterpret_cast<void*>(store), 1, 1, args, 0, nullptr) != musaSuccess) ++failures;
  take(18);
}

int main() {
  if (musaMallocManaged(&place, sizeof *place) != musaSuccess) return 1;
  *place = 0;
  callAll();
  if (musaDeviceSynchronize() != musaSuccess || *place != 0) ++failures;
  (void)musaGetLastError();  // a missing configuration
  launchAll();
  callAll();
  if (musaDeviceSynchronize() != musaSuccess || *place != 0) ++failures;
  if (store_any<int> != Kernel(store_any<int>) || Kernel(store) == Kernel(store_c)) ++failures;
  if (failures != 0) std::printf("%d failures\n", failures);
  return failures;
}
