kernel void softmax(int columns, global const float* restrict in, global float* restrict out) {
  local float part[256];
  const uint t = get_local_id(0);
  global const float* row = in + get_group_id(0) * columns;
  float largest = row[t];
  for (int i = t + 256; i < columns; i += 256) largest = fmax(largest, row[i]);
  part[t] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step > 0; step /= 2) {
    if (t < step) part[t] = fmax(part[t], part[t + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  largest = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = t; i < columns; i += 256) sum += exp(row[i] - largest);
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = 1.0f / part[0];
  for (int i = t; i < columns; i += 256) out[get_group_id(0) * columns + i] = exp(row[i] - largest) * scale;
}
