kernel void stencil(int n, global const float* restrict in, global float* restrict out) {
  local float tile[8 + 2][32 + 2];
  const int tx = get_local_id(0), ty = get_local_id(1);
  const int x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 8 + ty;
  tile[ty + 1][tx + 1] = in[y * n + x];
  if (ty == 0) tile[0][tx + 1] = y > 0 ? in[(y - 1) * n + x] : 0.0f;
  if (ty == 7) tile[9][tx + 1] = y + 1 < n ? in[(y + 1) * n + x] : 0.0f;
  if (tx == 0) tile[ty + 1][0] = x > 0 ? in[y * n + x - 1] : 0.0f;
  if (tx == 31) tile[ty + 1][33] = x + 1 < n ? in[y * n + x + 1] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * n + x] = 0.5f * tile[ty + 1][tx + 1] +
                   0.125f * (tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2]);
}
