kernel void nbody(int n, float softening, global const float4* restrict bodies, global float4* restrict out) {
  local float4 tile[256];
  const int t = get_local_id(0), i = get_global_id(0);
  const float4 own = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += 256) {
    tile[t] = bodies[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 256; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
      const float factor = other.w * inverse * inverse * inverse;
      ax += dx * factor;
      ay += dy * factor;
      az += dz * factor;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = (float4)(ax, ay, az, 0.0f);
}
