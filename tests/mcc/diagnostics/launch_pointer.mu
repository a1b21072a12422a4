// A kernel's address in device code is no kernel that could be launched.
__global__ void start(void (*kernel)(int*), int* out) { kernel<<<1, 1>>>(out); }
