struct Lists {
  int x;
  __device__ Lists() : x(1) {}
};
struct Runs {
  int x;
  __device__ Runs() { x = 1; }
};
struct Ends {
  int x;
  __device__ ~Ends() { x = 1; }
};
struct Silent {
  int x = 1;
  __device__ Silent() {}
  __device__ ~Silent() {}
};
extern "C" int printf(const char*, ...);
template <class T>
__device__ int use() {
  __shared__ T object;
  return object.x;
}
__global__ void kernel(int* out) {
  __shared__ Lists lists[2];
  __shared__ Silent silent;
#ifdef INITIALISES
  __shared__ int number = 5;
  __shared__ Lists braces{};
#endif
  *out = lists[1].x + silent.x + use<Runs>() + use<Ends>() + use<Silent>();
}
#ifdef ON_HOST
int host() {
  __shared__ int x;
  return x;
}
__shared__ int (*function)();
struct Record {
  __shared__ int member;
};
#endif
