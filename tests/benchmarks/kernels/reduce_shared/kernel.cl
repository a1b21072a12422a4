kernel void reduceShared(global const float* restrict in, global float* restrict out) {
  local float part[256];
  const uint t = get_local_id(0);
  part[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}
