kernel void matmul(int n, global const float* restrict a, global const float* restrict b, global float* restrict c) {
  local float as[TILE][TILE];
  local float bs[TILE][TILE];
  const int tx = get_local_id(0), ty = get_local_id(1);
  const int row = get_group_id(1) * TILE + ty, column = get_group_id(0) * TILE + tx;
  float sum = 0;
  for (int tile = 0; tile < n / TILE; ++tile) {
    as[ty][tx] = a[row * n + tile * TILE + tx];
    bs[ty][tx] = b[(tile * TILE + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
