// Thrust on a device, against the host's standard library: sort, reduce, transform, scan, by int and float.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct Twice {
  __host__ __device__ int operator()(int x) const { return 2 * x + 1; }
};

static int failures = 0;
static void check(bool right, const char* what, int n) {
  if (!right) {
    std::printf("%s of %d is wrong\n", what, n);
    ++failures;
  }
}

int main() {
  for (int n : {1, 31, 1000, 100003}) {
    std::vector<int> host(n);
    unsigned state = n;
    for (int& x : host) x = int((state = state * 1664525u + 1013904223u) >> 8) - (1 << 23);
    thrust::device_vector<int> device(host.begin(), host.end());
    std::vector<int> result(n);

    check(thrust::reduce(device.begin(), device.end()) == int(std::accumulate(host.begin(), host.end(), 0u)),
          "reduce", n);

    thrust::device_vector<int> out(n);
    thrust::transform(thrust::cuda::par, device.begin(), device.end(), out.begin(), Twice());
    thrust::copy(out.begin(), out.end(), result.begin());
    bool same = true;
    for (int i = 0; i < n; ++i) same = same && result[i] == 2 * host[i] + 1;
    check(same, "transform", n);

    thrust::exclusive_scan(device.begin(), device.end(), out.begin());
    thrust::copy(out.begin(), out.end(), result.begin());
    unsigned sum = 0;
    same = true;
    for (int i = 0; i < n; ++i) {
      same = same && result[i] == int(sum);
      sum += unsigned(host[i]);
    }
    check(same, "exclusive_scan", n);

    thrust::sort(device.begin(), device.end());
    std::sort(host.begin(), host.end());
    thrust::copy(device.begin(), device.end(), result.begin());
    check(result == host, "sort", n);
  }
  if (failures == 0) std::printf("passed\n");
  return failures != 0;
}
