kernel void spmv(int rows, global const int* restrict starts, global const int* restrict columns,
                 global const float* restrict values, global const float* restrict x, global float* restrict out) {
  const int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
  out[row] = sum;
}
