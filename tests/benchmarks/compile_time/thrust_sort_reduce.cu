// A small file of Thrust: tests/e2e/compile_verdicts.py compiles it by nvcc and by mcc.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
int sortAndSum(thrust::device_vector<int>& v) {
  thrust::sort(v.begin(), v.end());
  return thrust::reduce(v.begin(), v.end());
}
