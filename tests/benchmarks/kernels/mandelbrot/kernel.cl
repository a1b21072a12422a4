kernel void mandelbrot(int n, float left, float top, float step, global uint* restrict out) {
  const int px = get_global_id(0), py = get_global_id(1);
  const float cx = left + px * step, cy = top + py * step;
  float x = 0, y = 0;
  uint count = 0;
  while (count < 256 && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++count;
  }
  out[py * n + px] = count;
}
