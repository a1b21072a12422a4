// A plain mistake in device code.
__global__ void kernel(int* out) { *out = undeclared; }
