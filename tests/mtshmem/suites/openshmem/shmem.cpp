// OpenSHMEM by MTSHMEM's host API; shmem.h says what for.
#include "shmem.h"

#include <mtshmem.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

#include "statics.h"

namespace {

using shim::symmetric;

template <typename T>
T* sym(T* place) {
  return static_cast<T*>(symmetric(place));
}

using ActiveSet = std::tuple<int, int, int>;  // start, log2 of the stride, size
std::map<ActiveSet, mtshmem_team_t>& teams() {
  static std::map<ActiveSet, mtshmem_team_t> all;
  return all;
}

// Teams are made by all PEs; active sets are only known to their own.
void makeTeams() {
  const int size = mtshmem_n_pes();
  for (int log = 0; 1 << log <= size; ++log) {
    for (int start = 0; start < size; ++start) {
      for (int count = 1; start + ((count - 1) << log) < size; ++count) {
        mtshmem_team_t team = MTSHMEM_TEAM_WORLD;
        const bool isWorld = count == size;
        if (!isWorld &&
            mtshmem_team_split_strided(MTSHMEM_TEAM_WORLD, start, 1 << log, count, nullptr, 0, &team) != 0) {
          std::fprintf(stderr, "no team for %d PEs from %d on\n", count, start);
          std::exit(1);
        }
        teams()[{start, log, count}] = team;
      }
    }
  }
}

mtshmem_team_t teamOf(int start, int log, int size) {
  const auto found = teams().find({start, size == 1 ? 0 : log, size});
  if (found != teams().end()) return found->second;
  std::fprintf(stderr, "PEs %d, %d, ... (%d of them) are no team\n", start, start + (1 << log), size);
  std::exit(1);
}

// MTSHMEM has no long double: by what all have.
template <typename Combine>
void reduceHere(long double* to, const long double* from, int count, mtshmem_team_t team, Combine combine) {
  const int size = mtshmem_team_n_pes(team);
  const auto elements = static_cast<size_t>(count);
  std::vector<long double> mine(from, from + count), all(elements * static_cast<size_t>(size)), result(mine);
  mtshmem_barrier(team);
  for (int i = 0; i < size; ++i) {
    const int pe = mtshmem_team_translate_pe(team, i, MTSHMEM_TEAM_WORLD);
    mtshmem_getmem(&all[elements * static_cast<size_t>(i)], sym(from), elements * sizeof *from, pe);
  }
  for (size_t e = 0; e < elements; ++e) {
    result[e] = all[e];
    for (int i = 1; i < size; ++i) result[e] = combine(result[e], all[elements * static_cast<size_t>(i) + e]);
  }
  mtshmem_barrier(team);
  std::memcpy(to, result.data(), elements * sizeof *to);
  mtshmem_barrier(team);
}

// The pieces behind each other, which may differ in size: MTSHMEM's are of one size.
void collect(void* to, const void* from, size_t bytes, mtshmem_team_t team) {
  static size_t sizes[256], own;  // symmetric
  own = bytes;
  mtshmem_fcollectmem(team, sym(sizes), sym(&own), sizeof own);
  size_t at = 0;
  for (int pe = 0; pe < mtshmem_team_my_pe(team); ++pe) at += sizes[pe];
  for (int i = 0; i < mtshmem_team_n_pes(team); ++i)
    mtshmem_putmem(static_cast<char*>(sym(to)) + at, from, bytes,
                   mtshmem_team_translate_pe(team, i, MTSHMEM_TEAM_WORLD));
  mtshmem_barrier(team);
}

}  // namespace

extern "C" {

void shmem_init() {
  mtshmem_init();
  shim::shareStatics();
  makeTeams();
}
void shmem_finalize() { mtshmem_finalize(); }
void shmem_global_exit(int status) { mtshmem_global_exit(status); }
int shmem_my_pe() { return mtshmem_my_pe(); }
int shmem_n_pes() { return mtshmem_n_pes(); }
void shmem_info_get_version(int* major, int* minor) { mtshmem_info_get_version(major, minor); }
void shmem_info_get_name(char* name) { mtshmem_info_get_name(name); }
int shmem_pe_accessible(int pe) { return pe >= 0 && pe < mtshmem_n_pes(); }
int shmem_addr_accessible(const void* address, int pe) {
  return mtshmem_ptr(symmetric(address), pe) != nullptr;
}
void* shmem_malloc(size_t bytes) { return mtshmem_malloc(bytes); }
void* shmem_align(size_t alignment, size_t bytes) { return mtshmem_align(alignment, bytes); }
void shmem_free(void* place) { mtshmem_free(place); }
void shmem_quiet() { mtshmem_quiet(); }
void shmem_fence() { mtshmem_fence(); }
void shmem_barrier_all() { mtshmem_barrier_all(); }
void shmem_barrier(int start, int log, int size, long*) { mtshmem_barrier(teamOf(start, log, size)); }

#define SHIM_DEFINE(N, T)                                                                       \
  void shmem_##N##_p(T* to, T value, int pe) { mtshmem_##N##_p(sym(to), value, pe); }           \
  T shmem_##N##_g(const T* from, int pe) { return mtshmem_##N##_g(sym(from), pe); }             \
  void shmem_##N##_put(T* to, const T* from, size_t count, int pe) {                            \
    mtshmem_##N##_put(sym(to), from, count, pe);                                                \
  }                                                                                             \
  void shmem_##N##_put_nbi(T* to, const T* from, size_t count, int pe) {                        \
    mtshmem_##N##_put_nbi(sym(to), from, count, pe);                                            \
  }                                                                                             \
  void shmem_##N##_get(T* to, const T* from, size_t count, int pe) {                            \
    mtshmem_##N##_get(to, sym(from), count, pe);                                                \
  }                                                                                             \
  void shmem_##N##_iput(T* to, const T* from, ptrdiff_t a, ptrdiff_t b, size_t count, int pe) { \
    mtshmem_##N##_iput(sym(to), from, a, b, count, pe);                                         \
  }                                                                                             \
  void shmem_##N##_iget(T* to, const T* from, ptrdiff_t a, ptrdiff_t b, size_t count, int pe) { \
    mtshmem_##N##_iget(to, sym(from), a, b, count, pe);                                         \
  }
SHIM_INTEGERS(SHIM_DEFINE)
SHIM_DEFINE(float, float)
SHIM_DEFINE(double, double)
SHIM_DEFINE(char, char)

// A long double by its bytes.
static_assert(sizeof(long double) == 16, "a word of 128 bits");
void shmem_longdouble_p(long double* to, long double value, int pe) {
  mtshmem_putmem(sym(to), &value, sizeof value, pe);
}
long double shmem_longdouble_g(const long double* from, int pe) {
  long double value;
  mtshmem_getmem(&value, sym(from), sizeof value, pe);
  return value;
}
void shmem_longdouble_put(long double* to, const long double* from, size_t count, int pe) {
  mtshmem_put128(sym(to), from, count, pe);
}
void shmem_longdouble_put_nbi(long double* to, const long double* from, size_t count, int pe) {
  mtshmem_put128_nbi(sym(to), from, count, pe);
}
void shmem_longdouble_get(long double* to, const long double* from, size_t count, int pe) {
  mtshmem_get128(to, sym(from), count, pe);
}
void shmem_longdouble_iput(long double* to, const long double* from, ptrdiff_t a, ptrdiff_t b, size_t count,
                           int pe) {
  mtshmem_iput128(sym(to), from, a, b, count, pe);
}
void shmem_longdouble_iget(long double* to, const long double* from, ptrdiff_t a, ptrdiff_t b, size_t count,
                           int pe) {
  mtshmem_iget128(to, sym(from), a, b, count, pe);
}

#define SHIM_DEFINE_ATOMICS(N, T)                                                                           \
  T shmem_##N##_swap(T* at, T value, int pe) { return mtshmem_##N##_atomic_swap(sym(at), value, pe); }      \
  T shmem_##N##_finc(T* at, int pe) { return mtshmem_##N##_atomic_fetch_inc(sym(at), pe); }                 \
  void shmem_##N##_inc(T* at, int pe) { mtshmem_##N##_atomic_inc(sym(at), pe); }                            \
  T shmem_##N##_fadd(T* at, T value, int pe) { return mtshmem_##N##_atomic_fetch_add(sym(at), value, pe); } \
  void shmem_##N##_add(T* at, T value, int pe) { mtshmem_##N##_atomic_add(sym(at), value, pe); }            \
  T shmem_##N##_cswap(T* at, T expected, T value, int pe) {                                                 \
    return mtshmem_##N##_atomic_compare_swap(sym(at), expected, value, pe);                                 \
  }
SHIM_DEFINE_ATOMICS(int, int)
SHIM_DEFINE_ATOMICS(long, long)
SHIM_DEFINE_ATOMICS(longlong, long long)
float shmem_float_swap(float* at, float value, int pe) {
  return mtshmem_float_atomic_swap(sym(at), value, pe);
}
double shmem_double_swap(double* at, double value, int pe) {
  return mtshmem_double_atomic_swap(sym(at), value, pe);
}

#define SHIM_DEFINE_WAITS(N, T)                                                                       \
  void shmem_##N##_wait(T* at, T value) { mtshmem_##N##_wait_until(sym(at), MTSHMEM_CMP_NE, value); } \
  void shmem_##N##_wait_until(T* at, int comparison, T value) {                                       \
    mtshmem_##N##_wait_until(sym(at), comparison, value);                                             \
  }
SHIM_INTEGERS(SHIM_DEFINE_WAITS)

#define SHIM_DEFINE_REDUCTION(N, T, OP)                                                                      \
  void shmem_##N##_##OP##_to_all(T* to, const T* from, int count, int start, int log, int size, T*, long*) { \
    mtshmem_##N##_##OP##_reduce(teamOf(start, log, size), sym(to), sym(from), static_cast<size_t>(count));   \
  }
#define SHIM_DEFINE_ARITHMETIC(N, T) \
  SHIM_DEFINE_REDUCTION(N, T, sum)   \
  SHIM_DEFINE_REDUCTION(N, T, prod) SHIM_DEFINE_REDUCTION(N, T, min) SHIM_DEFINE_REDUCTION(N, T, max)
#define SHIM_DEFINE_BITS(N, T) \
  SHIM_DEFINE_REDUCTION(N, T, and) SHIM_DEFINE_REDUCTION(N, T, or) SHIM_DEFINE_REDUCTION(N, T, xor)
SHIM_INTEGERS(SHIM_DEFINE_ARITHMETIC)
SHIM_DEFINE_ARITHMETIC(float, float)
SHIM_DEFINE_ARITHMETIC(double, double)
SHIM_INTEGERS(SHIM_DEFINE_BITS)
#define SHIM_DEFINE_LONG_DOUBLE(OP, EXPRESSION)                                                       \
  void shmem_longdouble_##OP##_to_all(long double* to, const long double* from, int count, int start, \
                                      int log, int size, long double*, long*) {                       \
    reduceHere(to, from, count, teamOf(start, log, size),                                             \
               [](long double a, long double b) { return EXPRESSION; });                              \
  }
SHIM_DEFINE_LONG_DOUBLE(sum, a + b)
SHIM_DEFINE_LONG_DOUBLE(prod, a* b)
SHIM_DEFINE_LONG_DOUBLE(min, b < a ? b : a)
SHIM_DEFINE_LONG_DOUBLE(max, a < b ? b : a)

#define SHIM_DEFINE_WIDTH(W, B)                                                                    \
  void shmem_put##W(void* to, const void* from, size_t count, int pe) {                            \
    mtshmem_put##W(sym(to), from, count, pe);                                                      \
  }                                                                                                \
  void shmem_put##W##_nbi(void* to, const void* from, size_t count, int pe) {                      \
    mtshmem_put##W##_nbi(sym(to), from, count, pe);                                                \
  }                                                                                                \
  void shmem_get##W(void* to, const void* from, size_t count, int pe) {                            \
    mtshmem_get##W(to, sym(from), count, pe);                                                      \
  }                                                                                                \
  void shmem_iput##W(void* to, const void* from, ptrdiff_t a, ptrdiff_t b, size_t count, int pe) { \
    mtshmem_iput##W(sym(to), from, a, b, count, pe);                                               \
  }                                                                                                \
  void shmem_iget##W(void* to, const void* from, ptrdiff_t a, ptrdiff_t b, size_t count, int pe) { \
    mtshmem_iget##W(to, sym(from), a, b, count, pe);                                               \
  }
SHIM_WIDTHS(SHIM_DEFINE_WIDTH)
void shmem_putmem(void* to, const void* from, size_t bytes, int pe) {
  mtshmem_putmem(sym(to), from, bytes, pe);
}
void shmem_putmem_nbi(void* to, const void* from, size_t bytes, int pe) {
  mtshmem_putmem_nbi(sym(to), from, bytes, pe);
}
void shmem_getmem(void* to, const void* from, size_t bytes, int pe) {
  mtshmem_getmem(to, sym(from), bytes, pe);
}

// OpenSHMEM's broadcast leaves the root's own target as it is; MTSHMEM's writes it, too.
#define SHIM_DEFINE_COLLECTIVES(W)                                                                          \
  void shmem_broadcast##W(void* to, const void* from, size_t count, int root, int start, int log, int size, \
                          long*) {                                                                          \
    const mtshmem_team_t team = teamOf(start, log, size);                                                   \
    const size_t bytes = count * W / 8;                                                                     \
    std::vector<char> before(static_cast<char*>(to), static_cast<char*>(to) + bytes);                       \
    mtshmem_broadcastmem(team, sym(to), sym(from), bytes, root);                                            \
    if (mtshmem_team_my_pe(team) == root && to != from) std::memcpy(to, before.data(), bytes);              \
  }                                                                                                         \
  void shmem_fcollect##W(void* to, const void* from, size_t count, int start, int log, int size, long*) {   \
    mtshmem_fcollectmem(teamOf(start, log, size), sym(to), sym(from), count* W / 8);                        \
  }                                                                                                         \
  void shmem_collect##W(void* to, const void* from, size_t count, int start, int log, int size, long*) {    \
    collect(to, from, count* W / 8, teamOf(start, log, size));                                              \
  }
SHIM_DEFINE_COLLECTIVES(32)
SHIM_DEFINE_COLLECTIVES(64)
}
