struct Later;
template <int N>
__device__ int of(Later* p) {
  return p->value;
}
#ifdef PLAIN
int plain(Later* p) { return p->value; }
__global__ void kernel(int* out) {}
#else
#ifdef COMPLETE
struct Later {
  int other;
};
#endif
__global__ void kernel(int* out) { *out = of<3>(nullptr); }
#endif
