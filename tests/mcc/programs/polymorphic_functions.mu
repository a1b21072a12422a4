// mtfunctional: wrappers on the device and on the host.
#include <musa_runtime.h>

#include <cstdio>
#include <memory>
#include <mtfunctional>
#include <string>

__device__ int twice(int x) { return 2 * x; }

struct Scale {
  int factor;
  __host__ __device__ int operator()(int x) const { return factor * x; }
};

struct Large {
  int values[32];
  __host__ __device__ int operator()(int x) const { return values[x & 31]; }
};

struct Counter {
  int* copies;
  __host__ __device__ explicit Counter(int* where) : copies(where) { ++*copies; }
  __host__ __device__ Counter(const Counter& other) : copies(other.copies) { ++*copies; }
  __host__ __device__ ~Counter() { --*copies; }
  __host__ __device__ int operator()(int x) { return x + *copies; }
};

struct Shape {
  int side;
  __host__ __device__ int area(int scale) const { return side * side * scale; }
};

__device__ int applied(const mtstd::function<int(int)>& f, int x) { return f(x); }

__global__ void wrappers(int* out, int* copies) {
  mtstd::function<int(int)> f;
  out[0] = f == nullptr && !f;
  f = twice;
  out[1] = f(21);
  const int captured = static_cast<int>(threadIdx.x) + 5;
  f = [=](int x) { return x + captured; };
  out[2] = applied(f, 10);
  Large large = {};
  for (int i = 0; i < 32; ++i) large.values[i] = 3 * i;
  mtstd::function<int(int)> g = large, h = g;
  large.values[4] = 0;
  out[3] = h(4) + g(5);
  mtstd::swap(f, g);
  out[4] = f(6) + g(1);
  g = nullptr;
  out[5] = static_cast<bool>(g);
  {
    mtstd::function<int(int)> counting = Counter(copies);
    mtstd::function<int(int)> second = counting;
    out[6] = second(0);
    mtstd::function<int(int)> third = std::move(counting);
    out[7] = static_cast<bool>(counting) + 10 * third(0);
    second = third;
  }
  out[8] = *copies;
  mtstd::function<int(const Shape&, int)> member = &Shape::area;
  out[9] = member(Shape{3}, 2);
  mtstd::function<void(int&)> changes = [](int& x) { x += 100; };
  out[10] = 1;
  changes(out[10]);
  mtstd::function<int(int)> empty = static_cast<int (*)(int)>(nullptr);
  out[11] = empty != nullptr;
  mtstd::function<int(int)>& same = h;
  h = same;
  out[12] = h(1);
}

int main() {
  int* out = nullptr;
  musaMallocManaged(&out, 16 * sizeof(int));
  wrappers<<<1, 1>>>(out, out + 15);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  const int want[] = {1, 42, 15, 27, 24, 0, 2, 20, 0, 18, 101, 0, 3};
  int failures = 0;
  for (int i = 0; i < 13; ++i) {
    if (out[i] == want[i]) continue;
    std::printf("wrong: %d is %d, not %d\n", i, out[i], want[i]);
    ++failures;
  }

  // On the host, with what needs more than copies of bytes.
  auto text = std::make_shared<std::string>("abc");
  mtstd::function<size_t(const std::string&)> onHost = [text](const std::string& more) {
    return text->size() + more.size();
  };
  mtstd::function<size_t(const std::string&)> copy = onHost;
  onHost = nullptr;
  if (text.use_count() != 2 || copy("defg") != 7) ++failures;
  copy = nullptr;
  if (text.use_count() != 1) ++failures;
  mtstd::function<int(int)> scale = Scale{7};
  if (scale(6) != 42) ++failures;
  if (failures == 0) std::puts("passed");
  return failures;
}
