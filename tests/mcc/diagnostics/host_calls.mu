int onHost();
__host__ __device__ int plain(int x) { return x ? onHost() : onHost(); }
struct Object {
  Object();
  __host__ __device__ Object(int);
  __host__ __device__ int get() const;
  ~Object();
};
__host__ __device__ Object::Object(int) { onHost(); }
__host__ __device__ int Object::get() const { return onHost(); }
template <class T>
__host__ __device__ T both(T x) {
  return onHost() + x;
}
template __host__ __device__ int both<int>(int);
template <class T>
__host__ __device__ T nowhere(T x) {
  return onHost() + x;
}
__host__ __device__ void constructs() { Object object; }
#ifdef IN_KERNEL
__global__ void kernel() { Object object(1); }
#endif
