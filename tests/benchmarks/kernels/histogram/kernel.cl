kernel void histogram(int n, global const uint* restrict in, global uint* restrict counts) {
  local uint part[256];
  part[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    const uint word = in[i];
    atomic_inc(&part[word & 255]);
    atomic_inc(&part[(word >> 8) & 255]);
    atomic_inc(&part[(word >> 16) & 255]);
    atomic_inc(&part[word >> 24]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[get_local_id(0)], part[get_local_id(0)]);
}
