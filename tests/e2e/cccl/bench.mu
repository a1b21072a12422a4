// Thrust and CUB beside the host's standard library and plain loops: medians, in seconds. scripts/benchmark
// runs it.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cub/device/device_scan.cuh>
#include <vector>

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The median of `runs` times of `work`, each behind a `prepare` that is not timed.
template <typename Prepare, typename Work>
static double median(int runs, Prepare prepare, Work work) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    prepare();
    musaDeviceSynchronize();
    const double begin = now();
    work();
    musaDeviceSynchronize();
    times.push_back(now() - begin);
  }
  std::sort(times.begin(), times.end());
  return times[runs / 2];
}

static int failures = 0;
static void report(const char* what, double ours, double theirs, bool right) {
  std::printf("%-28s %8.4f %8.4f  ratio %.2f%s\n", what, ours, theirs, ours / theirs, right ? "" : "  WRONG");
  failures += !right;
}

static std::vector<int> numbers(int n) {
  std::vector<int> host(n);
  unsigned state = 1;
  for (int& x : host) x = int((state = state * 1664525u + 1013904223u) >> 1);
  return host;
}

static void sortInts(int n) {
  const std::vector<int> host = numbers(n);
  std::vector<int> sorted, result(n);
  const thrust::device_vector<int> device(host.begin(), host.end());
  thrust::device_vector<int> work(n);
  const double ours = median(
      5, [&] { work = device; }, [&] { thrust::sort(work.begin(), work.end()); });
  const double theirs = median(
      3, [&] { sorted = host; }, [&] { std::sort(sorted.begin(), sorted.end()); });
  thrust::copy(work.begin(), work.end(), result.begin());
  report("thrust::sort, std::sort", ours, theirs, result == sorted);
}

static void reduceFloats(int n) {
  const std::vector<float> host(n, 1.0f);
  const thrust::device_vector<float> device(host.begin(), host.end());
  volatile float sum = 0, expected = 0;
  const double ours = median(
      7, [] {}, [&] { sum = thrust::reduce(device.begin(), device.end()); });
  const double theirs = median(
      7, [] {},
      [&] {
        double all = 0;
        for (float x : host) all += x;
        expected = float(all);
      });
  report("thrust::reduce, a loop", ours, theirs, sum == expected);
}

static void scanInts(int n) {
  std::vector<int> host = numbers(n), expected(n), result(n);
  for (int& x : host) x >>= 20;
  const thrust::device_vector<int> in(host.begin(), host.end());
  thrust::device_vector<int> out(n);
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, bytes, in.data().get(), out.data().get(), n);
  thrust::device_vector<char> storage(bytes);
  const double ours = median(
      9, [] {},
      [&] {
        cub::DeviceScan::InclusiveSum(storage.data().get(), bytes, in.data().get(), out.data().get(), n);
      });
  const double theirs = median(
      9, [] {},
      [&] {
        int sum = 0;
        for (int i = 0; i < n; ++i) expected[i] = sum += host[i];
      });
  thrust::copy(out.begin(), out.end(), result.begin());
  report("cub::DeviceScan, a loop", ours, theirs, result == expected);
}

int main() {
  sortInts(10000000);
  reduceFloats(100000000);
  scanInts(10000000);
  return failures != 0;
}
