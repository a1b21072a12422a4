// Thrust and CUB in C++14 without optimization, where constants of classes have no address: differences of neighbours, sums and
// running sums.
#include <thrust/adjacent_difference.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdio>

int main() {
  int wrong = 0;
  const int n = 1000;
  thrust::device_vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i * i;
  thrust::adjacent_difference(in.begin(), in.end(), out.begin());
  for (int i = 1; i < n; ++i) wrong += out[i] != 2 * i - 1;
  wrong += thrust::reduce(out.begin(), out.end()) != (n - 1) * (n - 1);
  thrust::inclusive_scan(out.begin(), out.end(), out.begin());
  wrong += out != in;
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
