// What users include after (and as if before) the runtime, and the host functions that
// have device twins.
#include <algorithm>
#include <complex>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <string>
#include <thread>
#include <vector>
#include <random>
#include <chrono>
#include <cassert>
#include <cstdio>
#include <numeric>
#include <tuple>
#include <array>
#include <stdexcept>
#include <atomic>
#include <unordered_map>
#include <fstream>
#include <sstream>
#include <future>
#include <climits>
#include <float.h>
struct P { int v; __device__ P(int x): v(x) {} __device__ virtual ~P() {} __device__ virtual int g() { return v; } };
__global__ void k(float* x, int n, double* d) {
  float f = x[0];
  x[0] = sinf(f) + std::sin(f) + sin(f) + powf(f, 2.f) + std::pow(f, 2) + pow(f, 2.0f) + fabs(f) + std::abs(f) + std::min(f, 3.f) + std::max(n, 3) + abs(n) + std::abs(n) + labs(7l*n) + std::abs(5ll*n) + fmaf(f,f,f);
  d[0] = exp10(d[1]) + std::numeric_limits<double>::max() + isnan(f) + std::isinf(d[0]) + erfc(d[0]);
  memcpy(x + 4, x, 8); memset(x, 0, 4); std::swap(x[1], x[2]);
  printf("%d %f\n", n, f); std::printf("hi\n");
  int* p = (int*)malloc(16); p[0] = 1; x[9] = p[0]; free(p);
  P* q = new P(n); x[8] = q->g(); delete q;
  int* a = new int[n]; x[7] = a[1]; delete[] a;
  new (x) float(3);
  assert(n > 3);
  std::array<int, 4> arr{1,2,3,4}; x[3] = arr[n];
  auto t = std::make_tuple(1, 2.f); x[2] = std::get<1>(t);
  d[4] = clock() + clock64();

  x[5] = std::plus<float>()(f, f);
  double s, c; sincos(d[0], &s, &c); d[5] = s + c;
}
int main() {
  std::vector<int> v{3,1,2}; std::sort(v.begin(), v.end());
  printf("%d\n", abs(v[0])); std::cout << std::abs(-3.0) << clock() << std::endl;
  std::thread t([]{}); t.join(); assert(v.size());
  std::mt19937 g; std::shuffle(v.begin(), v.end(), g);
  auto sp = std::make_shared<int>(4);
  std::string s = "a" + std::to_string(4); std::complex<float> z(1,2); z *= z;
  int* p = new int; delete p; free(malloc(4));
  std::function<int()> f = [&]{ return *sp; };
  try { throw std::runtime_error("x"); } catch (...) {}
  k<<<1,1>>>(0, 1, 0);
  return f();
}
