// Which of OpenBLAS's kernels run: it knows processors by their models, and takes kernels of 2004 for one
// that is newer than itself. Its question for OPENBLAS_CORETYPE comes here (the linker's --wrap): where the
// user has not set it, a processor with AVX-512 or AVX2 and FMA gets kernels for these.
#include <cstdlib>
#include <cstring>

extern "C" char* __real_getenv(const char* name);

extern "C" char* __wrap_getenv(const char* name) {
  char* const value = __real_getenv(name);
  if (value || std::strcmp(name, "OPENBLAS_CORETYPE") != 0) return value;
#if defined(__x86_64__)
  static char avx512[] = "SkylakeX", avx2[] = "Haswell";
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd"))
    return avx512;
  // AMD's have kernels of their own, which OpenBLAS finds.
  if (__builtin_cpu_is("intel") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return avx2;
#endif
  return value;
}
