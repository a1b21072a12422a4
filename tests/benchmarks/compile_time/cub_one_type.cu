// Device-wide algorithms of CUB, of one type: tests/e2e/compile_verdicts.py compiles them by nvcc and by mcc.
#include <cub/cub.cuh>
cudaError_t all(void* t, size_t& bytes, const int* in, int* out, int* count, int n) {
  cub::DeviceReduce::Sum(t, bytes, in, out, n);
  cub::DeviceReduce::Max(t, bytes, in, out, n);
  cub::DeviceScan::InclusiveSum(t, bytes, in, out, n);
  cub::DeviceScan::ExclusiveSum(t, bytes, in, out, n);
  cub::DeviceRadixSort::SortKeys(t, bytes, in, out, n);
  cub::DeviceSelect::Unique(t, bytes, in, out, count, n);
  cub::DeviceRunLengthEncode::Encode(t, bytes, in, out, out, count, n);
  return cub::DeviceHistogram::HistogramEven(t, bytes, in, out, 257, 0, 256, n);
}
