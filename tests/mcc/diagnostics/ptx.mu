// Inline PTX: each statement is an error at its own line, with what to write.
__device__ void add(unsigned long long* to, unsigned long long value) {
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(to), "l"(value));
}

__device__ unsigned lane() {
  unsigned result;
  asm("mov.u32 %0, %laneid;" : "=r"(result));
  return result;
}

#define TWICE(result, x) asm("{\n\t.reg .f32 t;\n\tadd.f32 t, %1, %1;\n\tmov.f32 %0, t;\n}" : "=f"(result) : "f"(x))

__device__ float twice(float x) {
  float result;
  TWICE(result, x);
  return result;
}

__device__ void wait(unsigned barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;" : : "r"(barrier) : "memory");
}

__device__ unsigned grid() {
  unsigned result;
  asm("add.u32 %0, %%gridid, 1;" : "=r"(result));
  return result;
}

#ifdef HOST_ONLY
void host() { asm volatile("mfence" ::: "memory"); }
#endif

__global__ void use(unsigned long long* out) {
  add(out, lane() + grid());
  wait(static_cast<unsigned>(twice(1)));
}

#ifdef DEFERRED
// Of functions that become code alone: where a kernel gets to them.
__device__ inline void never(int* p) { asm volatile("st.volatile.global.u32 [%0], 1;" ::"l"(p)); }
template <class T>
__device__ void instance(T* p) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}
__device__ inline void called(int* p) { asm volatile("discard.global.L2 [%0], 128;" ::"l"(p)); }
__global__ void first(int* p) {
  instance(p);
  called(p);
}
__global__ void second(int* p) { called(p); }
#endif
