// Bytes other than 0 and 1 that device code reads as bool: true unless 0, copied as they are, signed where
// they become numbers (conformance/cases/language/bool_bytes.cu has recorded more uses).
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kBytes = 256;

struct Flags {
  int before;
  bool one, two;
  __device__ bool get() const { return one; }
};
struct Bits {
  bool first : 1;
  bool rest : 7;
};
union Overlaid {
  unsigned char byte;
  bool flag;
};
enum Answer : bool { no, yes };
struct Shape {
  __device__ virtual int of(bool flag) const { return flag ? 4 : 6; }
};
struct Other : Shape {
  __device__ int of(bool flag) const override { return flag; }
};

__constant__ bool constantFlags[kBytes];

__device__ __noinline__ bool loaded(const bool* flag) { return *flag; }
__device__ __noinline__ int taken(bool flag) { return flag; }
__device__ __noinline__ int chosen(bool flag) { return flag ? 3 : 5; }
__device__ __noinline__ bool several(const bool* flag, int which) {
  if (which == 1) return *flag;
  if (which == 2) return true;
  return !*flag;
}

struct Place {
  int i;
  const bool* flags;
  bool* room;
  int one;
};

// What a use gives, and what it must: `b` is the thread's byte, `n` its neighbour's, both signed.
#define USE(name, expectation, ...)                                                                    \
  struct name {                                                                                        \
    static constexpr const char* text = #name;                                                         \
    static int expected(int i) {                                                                       \
      [[maybe_unused]] const int b = static_cast<signed char>(i), n = static_cast<signed char>(i + 1); \
      return expectation;                                                                              \
    }                                                                                                  \
    static __device__ int of(const Place& p) {                                                         \
      [[maybe_unused]] const int i = p.i, other = (i + 1) % kBytes, one = p.one;                       \
      [[maybe_unused]] const bool* flags = p.flags;                                                    \
      [[maybe_unused]] bool* room = p.room;                                                            \
      __VA_ARGS__                                                                                      \
    }                                                                                                  \
  }

/* clang-format off */
USE(Branch, b ? 7 : 9, if (flags[i]) return 7; else return 9;);
USE(Conditional, b != 0, return flags[i] ? 1 : 0;);
USE(Negated, b == 0, return !flags[i];);
USE(Number, b, return flags[i];);
USE(Float, b * 4, return static_cast<int>(static_cast<float>(flags[i]) * 4););
USE(Count, i, int count = 0; for (int k = 0; k <= i; ++k) if (flags[k]) ++count; return count;);
USE(Both, b && n, return flags[i] && flags[other];);
USE(BitsAnd, (b & n) != 0, bool a = flags[i]; a &= flags[other]; return a;);
USE(Equal, b == n, return flags[i] == flags[other];);
USE(EqualTrue, b == 1, return flags[i] == true;);
USE(Less, b < n, return flags[i] < flags[other];);
USE(Stored, i, room[i] = flags[i]; return reinterpret_cast<unsigned char*>(room)[i];);
USE(StoredNegated, b == 0, room[i] = !flags[i]; return reinterpret_cast<unsigned char*>(room)[i];);
USE(Volatile, b ? 1 : 2, const volatile bool* v = flags; return v[i] ? 1 : 2;);
USE(Atomic, b ? 1 : 2, return __atomic_load_n(flags + i, __ATOMIC_RELAXED) ? 1 : 2;);
USE(Reference, b ? 1 : 2, const bool& r = flags[i]; return r ? 1 : 2;);
USE(Member, b ? 2 : n ? 4 : 5, const Flags f{2, flags[i], flags[other]}; return f.get() ? f.before : f.two ? 4 : 5;);
USE(MemberNumber, b, const Flags f{2, flags[i], flags[other]}; return f.get(););
USE(Union, b ? 1 : 2, Overlaid o; o.byte = static_cast<unsigned char>(i); return o.flag ? 1 : 2;);
USE(Enum, b ? 11 : 12, Answer a = reinterpret_cast<const Answer*>(flags)[i]; return a ? 11 : 12;);
USE(Constant, b ? 1 : 2, return constantFlags[i] ? 1 : 2;);
USE(BitFields, (i & 1) + (i > 1 ? 2 : 0), const Bits* f = reinterpret_cast<const Bits*>(flags);
    return (f[i].first ? 1 : 0) + (f[i].rest ? 2 : 0););
USE(Result, b ? 1 : 2, return loaded(flags + i) ? 1 : 2;);
USE(ResultNumber, b, return loaded(flags + i););
USE(Argument, b ? 3 : 5, return chosen(flags[i]););
USE(ArgumentNumber, b, return taken(flags[i]););
USE(Several, b ? 1 : 2, return several(flags + i, one) ? 1 : 2;);
USE(SeveralNumber, b, return several(flags + i, one););
USE(Lambda, b ? i + 1 : -i - 1, const bool c = flags[i]; auto ask = [c](int x) { return c ? x : -x; }; return ask(i + 1););
USE(Pointer, b, bool (*ask)(const bool*) = one == 1 ? loaded : nullptr; return ask(flags + i););
USE(Virtual, b ? 4 : 6, const Shape s; const Other o; const Shape* a = one == 1 ? &s : &o; return a->of(flags[i]););
USE(VirtualNumber, b, const Shape s; const Other o; const Shape* a = one == 1 ? &o : &s; return a->of(flags[i]););
USE(Shared, i != 255 ? 1 : 2, __shared__ bool s[kBytes]; s[i] = flags[i]; __syncthreads();
    return s[kBytes - 1 - i] ? 1 : 2;);
USE(Shuffled, static_cast<signed char>(i ^ 1), return __shfl_xor_sync(~0u, flags[i], 1););
USE(Ballot, i < 32 ? -2 : -1, return static_cast<int>(__ballot_sync(~0u, flags[i])););
USE(Counted, kBytes - 1, return __syncthreads_count(flags[i]););
/* clang-format on */

template <class Use>
__global__ void ask(int* out, const bool* flags, bool* room, int one) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = Use::of(Place{i, flags, room, one});
}

__global__ void parameters(int* out, bool flag, Flags flags) {
  out[0] = flag ? 1 : 2;
  out[1] = flag;
  out[2] = flags.one ? 3 : 4;
}

__global__ void launched(int* out, bool flag) { *out = flag ? 1 : 2; }
__global__ void launches(int* out, const bool* flag) { launched<<<1, 1>>>(out, *flag); }

static int* out;
static bool *flags, *room;
static int failures = 0;

static void expect(const char* what, int byte, int have, int want) {
  if (have == want) return;
  if (++failures < 40) std::printf("%s of %#x: %d, not %d\n", what, static_cast<unsigned>(byte), have, want);
}

template <class Use>
void check() {
  ask<Use><<<1, kBytes>>>(out, flags, room, 1);
  expect(Use::text, -1, musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < kBytes; ++i) expect(Use::text, i, out[i], Use::expected(i));
}

template <class... Uses>
void checkAll() {
  (check<Uses>(), ...);
}

static void checkParameters() {
  for (const int byte : {0, 1, 2, 128, 255}) {
    unsigned char flag = static_cast<unsigned char>(byte);
    Flags inside{};
    std::memcpy(&inside.one, &flag, 1);
    void* arguments[] = {&out, &flag, &inside};
    musaLaunchKernel(reinterpret_cast<const void*>(parameters), dim3(1), dim3(1), arguments, 0, nullptr);
    musaDeviceSynchronize();
    expect("a parameter", byte, out[0], byte ? 1 : 2);
    expect("a parameter as a number", byte, out[1], static_cast<signed char>(byte));
    expect("a parameter's member", byte, out[2], byte ? 3 : 4);
    launches<<<1, 1>>>(out, flags + byte);
    musaDeviceSynchronize();
    expect("a kernel that a kernel starts", byte, *out, byte ? 1 : 2);
  }
}

int main() {
  unsigned char bytes[kBytes];
  for (int i = 0; i < kBytes; ++i) bytes[i] = static_cast<unsigned char>(i);
  if (musaMallocManaged(&out, kBytes * sizeof *out) != musaSuccess) return 1;
  musaMallocManaged(&flags, kBytes);
  musaMallocManaged(&room, kBytes);
  musaMemcpy(flags, bytes, kBytes, musaMemcpyHostToDevice);
  if (musaMemcpyToSymbol(constantFlags, bytes, kBytes) != musaSuccess) return 1;
  checkAll<Branch, Conditional, Negated, Number, Float, Count, Both, BitsAnd, Equal, EqualTrue, Less>();
  checkAll<Stored, StoredNegated, Volatile, Atomic, Reference, Member, MemberNumber, Union, Enum, Constant>();
  checkAll<BitFields, Result, ResultNumber, Argument, ArgumentNumber, Several, SeveralNumber, Lambda>();
  checkAll<Pointer, Virtual, VirtualNumber, Shared, Shuffled, Ballot, Counted>();
  checkParameters();
  std::printf(failures == 0 ? "passed\n" : "%d failures\n", failures);
  return failures != 0;
}
