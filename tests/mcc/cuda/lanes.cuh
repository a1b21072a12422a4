// A header beside the source.
#pragma once

__device__ inline unsigned lane() {
  unsigned result;
  asm("mov.u32 %0, %%laneid;" : "=r"(result));
  return result;
}

// As cp.async asks for it: the shared address in 32 bits.
__device__ inline void copyToShared(void* shared, const void* global) {
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
}
