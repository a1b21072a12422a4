/* Loads and stores with cache hints. A processor's caches take no hints from code
 * like this; what remains is the access itself, to memory that others may change for
 * the volatile kinds (__ldcv, __stwt).
 */
#ifndef MUSASHIM_CRT_LOAD_STORE_H
#define MUSASHIM_CRT_LOAD_STORE_H

#include "../vector_types.h"

/* Words that one access moves whole. */
template <unsigned Bytes>
struct __musa_word;
template <>
struct __musa_word<1> {
  typedef unsigned char type;
};
template <>
struct __musa_word<2> {
  typedef unsigned short type;
};
template <>
struct __musa_word<4> {
  typedef unsigned int type;
};
template <>
struct __musa_word<8> {
  typedef unsigned long long type;
};
template <>
struct __musa_word<16> {
  typedef unsigned int type __attribute__((vector_size(16)));
};

template <typename T>
MUSASHIM_D T __musa_volatile_load(const T* address) {
  typedef typename __musa_word<sizeof(T)>::type Word;
  const Word word = *(const volatile Word*)address; /* a cast of the place itself would not be volatile */
  return __builtin_bit_cast(T, word);
}
template <typename T>
MUSASHIM_D void __musa_volatile_store(T* address, T value) {
  typedef typename __musa_word<sizeof(T)>::type Word;
  *(volatile Word*)address = __builtin_bit_cast(Word, value);
}

/* Loads anew what others may have written, where a loop waits for it. Elsewhere mcc makes plain loads of
 * these (musa.reread), by elements, as of any vector type. */
template <typename T>
__attribute__((annotate("musa.reread"))) MUSASHIM_D T __musa_reread_element(const T* address) {
  return *(const volatile T*)address;
}
template <typename T>
MUSASHIM_D auto __musa_reread(const T* address, int) -> decltype((void)address->w, T()) {
  T value;
  value.x = __musa_reread_element(&address->x), value.y = __musa_reread_element(&address->y);
  value.z = __musa_reread_element(&address->z), value.w = __musa_reread_element(&address->w);
  return value;
}
template <typename T>
MUSASHIM_D auto __musa_reread(const T* address, long) -> decltype((void)address->y, T()) {
  T value;
  value.x = __musa_reread_element(&address->x), value.y = __musa_reread_element(&address->y);
  return value;
}
template <typename T>
MUSASHIM_D T __musa_reread(const T* address, ...) {
  return __musa_reread_element(address);
}

#define MUSASHIM_LOADS_AND_STORES(T)                                                     \
  MUSASHIM_D T __ldg(const T* address) { return *address; }                              \
  MUSASHIM_D T __ldca(const T* address) { return *address; }                             \
  MUSASHIM_D T __ldcg(const T* address) { return __musa_reread(address, 0); }            \
  MUSASHIM_D T __ldcs(const T* address) { return *address; }                             \
  MUSASHIM_D T __ldlu(const T* address) { return *address; }                             \
  MUSASHIM_D T __ldcv(const T* address) { return __musa_volatile_load(address); }        \
  MUSASHIM_D void __stwb(T* address, T value) { *address = value; }                      \
  MUSASHIM_D void __stcg(T* address, T value) { *address = value; }                      \
  MUSASHIM_D void __stcs(T* address, T value) { *address = value; }                      \
  MUSASHIM_D void __stwt(T* address, T value) { __musa_volatile_store(address, value); } \
  static_assert(true, "takes the semicolon")

MUSASHIM_LOADS_AND_STORES(char);
MUSASHIM_LOADS_AND_STORES(signed char);
MUSASHIM_LOADS_AND_STORES(unsigned char);
MUSASHIM_LOADS_AND_STORES(short);
MUSASHIM_LOADS_AND_STORES(unsigned short);
MUSASHIM_LOADS_AND_STORES(int);
MUSASHIM_LOADS_AND_STORES(unsigned int);
MUSASHIM_LOADS_AND_STORES(long);
MUSASHIM_LOADS_AND_STORES(unsigned long);
MUSASHIM_LOADS_AND_STORES(long long);
MUSASHIM_LOADS_AND_STORES(unsigned long long);
MUSASHIM_LOADS_AND_STORES(float);
MUSASHIM_LOADS_AND_STORES(double);
MUSASHIM_LOADS_AND_STORES(char2);
MUSASHIM_LOADS_AND_STORES(char4);
MUSASHIM_LOADS_AND_STORES(uchar2);
MUSASHIM_LOADS_AND_STORES(uchar4);
MUSASHIM_LOADS_AND_STORES(short2);
MUSASHIM_LOADS_AND_STORES(short4);
MUSASHIM_LOADS_AND_STORES(ushort2);
MUSASHIM_LOADS_AND_STORES(ushort4);
MUSASHIM_LOADS_AND_STORES(int2);
MUSASHIM_LOADS_AND_STORES(int4);
MUSASHIM_LOADS_AND_STORES(uint2);
MUSASHIM_LOADS_AND_STORES(uint4);
MUSASHIM_LOADS_AND_STORES(longlong2);
MUSASHIM_LOADS_AND_STORES(ulonglong2);
MUSASHIM_LOADS_AND_STORES(float2);
MUSASHIM_LOADS_AND_STORES(float4);
MUSASHIM_LOADS_AND_STORES(double2);

/* Generic addresses are plain addresses, but those of shared memory: code keeps them in 32
 * bits (the "r" operands of PTX), so they count from the block's own. */
extern "C" __device__ __attribute__((const)) char* __musa_shared_base(void);
extern "C" __device__ __attribute__((const)) unsigned int __musa_shared_bytes(void);

MUSASHIM_D unsigned int __isShared(const void* pointer) {
  return (size_t)((const char*)pointer - __musa_shared_base()) < __musa_shared_bytes();
}

/* The memory space of an address: private memory is on the thread's stack, constants are known by their
 * image. */
extern "C" __device__ unsigned int __musa_is_local(const void* pointer);
extern "C" __device__ unsigned int __musa_is_constant(const void* pointer);

MUSASHIM_D unsigned int __isLocal(const void* pointer) { return __musa_is_local(pointer); }
MUSASHIM_D unsigned int __isConstant(const void* pointer) { return __musa_is_constant(pointer); }
MUSASHIM_D unsigned int __isGlobal(const void* pointer) {
  return !__isShared(pointer) && !__isLocal(pointer) && !__isConstant(pointer);
}

/* Declared, so that who calls it learns why there is none. */
extern "C" __device__
    __attribute__((unavailable("a kernel's parameters are variables of its threads here, and none is "
                               "__grid_constant__; compare the address with "
                               "that of the parameter"))) unsigned int
    __isGridConstant(const void* pointer);

MUSASHIM_D size_t __cvta_generic_to_global(const void* pointer) { return (size_t)pointer; }
MUSASHIM_D size_t __cvta_generic_to_shared(const void* pointer) {
  return (size_t)((const char*)pointer - __musa_shared_base());
}
MUSASHIM_D size_t __cvta_generic_to_constant(const void* pointer) { return (size_t)pointer; }
MUSASHIM_D size_t __cvta_generic_to_local(const void* pointer) { return (size_t)pointer; }
MUSASHIM_D void* __cvta_constant_to_generic(size_t pointer) { return (void*)pointer; }
MUSASHIM_D void* __cvta_local_to_generic(size_t pointer) { return (void*)pointer; }
MUSASHIM_D void* __cvta_global_to_generic(size_t pointer) { return (void*)pointer; }
MUSASHIM_D void* __cvta_shared_to_generic(size_t pointer) {
  return __musa_shared_base() + (unsigned int)pointer;
}

#endif
