// Qualifiers that only one pass sees. Code of a kernel is the device pass's, so what the host pass knows of
// the functions that it calls says nothing.
#include <musa_runtime.h>

#include <cstdio>
#include <utility>

#ifdef __MUSA_ARCH__
#define HD __host__ __device__
#define D __device__
#else
#define HD
#define D
#endif

struct Point {
  int x;
  HD Point(int v) : x(v) {}
  HD Point operator+(const Point& other) const { return Point(x + other.x); }
  HD Point& operator+=(const Point& other) {
    x = twice(x) - x + other.x;
    return *this;
  }
  HD operator int() const { return x; }
  template <class T>
  HD static T twice(T v) {
    return v + v;
  }
};
template <class T>
HD T twice(T v) {
  return v + v;
}
HD int f(int x) { return x; }
HD int f(int x, int y) { return x + y; }
D int deviceOnly(int x) { return 3 * x; }

template <class Function>
struct Apply {
  Function function;
  template <class... Arguments>
  HD auto operator()(Arguments&&... arguments) const
      -> decltype(function(std::forward<Arguments>(arguments)...)) {
    return function(std::forward<Arguments>(arguments)...);
  }
};
struct Increment {
  HD int operator()(int x) const { return x + 1; }
};

__device__ int inDeviceFunction(int x) {
  Point sum = Point(x) + Point(f(1));
  sum += Point(1);
  return sum;
}
__host__ __device__ int onBothSides(int x) { return f(x, 1) + twice(Point(x)).x; }

template <class T, class Function>
__global__ void kernel(T* out, Function function) {
  const auto local = [](T v) { return twice(f(v)); };
  Point points[2] = {1, Point(2)};
  out[0] = f(1) + twice(2) + (points[0] + points[1]).x;
  out[1] = inDeviceFunction(5);
  out[2] = onBothSides(3);
  out[3] = local(4) + deviceOnly(2);
  out[4] = Apply<Increment>{}(function(6));
}

static int failures = 0;
static void expect(int have, int want) {
  if (have == want) return;
  std::printf("%d, not %d\n", have, want);
  ++failures;
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, 5 * sizeof(int)) != musaSuccess) return 1;
  kernel<<<1, 1>>>(out, [] __device__(int x) { return f(x) + (Point(x) + Point(x)).x; });
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  const int want[5] = {8, 7, 10, 14, 19};
  for (int i = 0; i < 5; ++i) expect(out[i], want[i]);
  expect(onBothSides(3) + Apply<Increment>{}(f(1)), 12);
  if (failures == 0) std::puts("passed");
  return failures;
}
