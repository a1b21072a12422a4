kernel void scanBlocks(int n, global const uint* restrict in, global uint* restrict out, global uint* restrict sums) {
  local uint part[2][256];
  const uint t = get_local_id(0);
  const int i = get_global_id(0);
  uint from = 0;
  part[0][t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 256; step *= 2) {
    part[1 - from][t] = t >= step ? part[from][t] + part[from][t - step] : part[from][t];
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = part[from][t];
  if (t == 255) sums[get_group_id(0)] = part[from][t];
}

kernel void addSums(int n, global const uint* restrict scanned, global uint* restrict out) {
  const int i = get_global_id(0);
  if (i < n && get_group_id(0) > 0) out[i] += scanned[get_group_id(0) - 1];
}
