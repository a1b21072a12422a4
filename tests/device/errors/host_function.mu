// error: no matching function for call to 'getenv'
__global__ void kernel(char** out) { *out = getenv("HOME"); }
