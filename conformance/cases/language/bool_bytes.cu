// Bytes other than 0 and 1 that are read as bool, as cudaMemset leaves them: C++ says nothing of them. Each
// use is made of all 256 bytes, one a thread; `other` is the byte of the neighbour, whose thread is the next.
#include <cstring>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.bool_bytes");

constexpr int kBytes = 256;

struct Flags {
  int before;
  bool one, two;
  __device__ bool get() const { return one; }
};

union Overlaid {
  unsigned char byte;
  bool flag;
};

enum Answer : bool { no, yes };

struct Bits {
  bool first : 1;
  bool rest : 7;
};

__constant__ bool constantFlags[kBytes];

__device__ __noinline__ bool loaded(const bool* flag) { return *flag; }
__device__ __noinline__ int taken(bool flag) { return flag; }
__device__ __noinline__ int chosen(bool flag) { return flag ? 3 : 5; }
__device__ bool several(const bool* flag, int which) {
  if (which == 1) return *flag;
  if (which == 2) return true;
  return !*flag;
}

// What a thread has: its place in the table, all flags, and room of its own.
struct Place {
  int i;
  const bool* flags;
  bool* room;
  int one;  // the compiler does not know that
};

#define USE(name, ...)                                 \
  struct name {                                        \
    static constexpr const char* key = #name;          \
    static __device__ int of(const Place& p) {         \
      const int i = p.i;                               \
      const bool* flags = p.flags;                     \
      bool* room = p.room;                             \
      const int other = (i + 1) % kBytes, one = p.one; \
      (void)flags, (void)room, (void)other, (void)one; \
      __VA_ARGS__                                      \
    }                                                  \
  }

/* clang-format off */
USE(branch, if (flags[i]) return 7; else return 9;);
USE(conditional, return flags[i] ? 1 : 0;);
USE(negated, return !flags[i];);
USE(twice_negated, return !!flags[i];);
USE(to_int, return flags[i];);
USE(to_float, return static_cast<int>(static_cast<float>(flags[i]) * 4););
USE(to_char, char c = flags[i]; return c;);
USE(to_long, long long wide = flags[i]; return static_cast<int>(wide >> one););
USE(sum, int sum = 0; for (int k = 0; k <= i; ++k) sum += flags[k]; return sum;);
USE(count, int count = 0; for (int k = 0; k <= i; ++k) if (flags[k]) ++count; return count;);
USE(both, return flags[i] && flags[other];);
USE(either, return flags[i] || flags[other] || one == 2;);
USE(bits_and, return flags[i] & flags[other];);
USE(bits_or, return flags[i] | flags[other];);
USE(bits_xor, return flags[i] ^ flags[other];);
USE(assigned_and, bool b = flags[i]; b &= flags[other]; return b;);
USE(assigned_or, bool b = flags[i]; b |= flags[other]; return b;);
USE(equal, return flags[i] == flags[other];);
USE(equal_true, return flags[i] == true;);
USE(equal_false, return flags[i] == false;);
USE(less, return flags[i] < flags[other];);
USE(switched, switch (flags[i]) { case false: return 3; case true: return 4; } return 5;);
USE(stored, room[i] = flags[i]; return reinterpret_cast<unsigned char*>(room)[i];);
USE(stored_negated, room[i] = !flags[i]; return reinterpret_cast<unsigned char*>(room)[i];);
USE(by_variable, bool b = flags[i]; int sum = b; if (b) sum += 1000; return sum;);
USE(by_volatile, const volatile bool* v = flags; return v[i] ? 1 : 2;);
USE(by_volatile_int, const volatile bool* v = flags; return v[i];);
USE(by_reference, const bool& b = flags[i]; return b ? 1 : 2;);
USE(by_member, const Flags f{2, flags[i], flags[other]}; return f.get() ? f.before : f.two ? 4 : 5;);
USE(by_union, Overlaid o; o.byte = static_cast<unsigned char>(i); return o.flag ? 1 : 2;);
USE(by_enum, Answer a = reinterpret_cast<const Answer*>(flags)[i]; return a ? 11 : 12;);
USE(by_enum_equal, Answer a = reinterpret_cast<const Answer*>(flags)[i]; return a == yes;);
USE(by_constant, return constantFlags[i] ? 1 : 2;);
USE(by_constant_int, return constantFlags[i];);
USE(by_bit, const Bits* b = reinterpret_cast<const Bits*>(flags);
    return (b[i].first ? 1 : 0) + (b[i].rest ? 2 : 0););
USE(by_result, return loaded(flags + i) ? 1 : 2;);
USE(by_result_int, return loaded(flags + i););
USE(by_argument, return chosen(flags[i]););
USE(by_argument_int, return taken(flags[i]););
USE(by_several, return several(flags + i, one) ? 1 : 2;);
USE(by_getter_int, Flags f{1, flags[i], true}; return f.get(););
USE(by_lambda, const bool b = flags[i]; auto ask = [b](int x) { return b ? x : -x; }; return ask(i + 1););
USE(by_pointer, bool (*ask)(const bool*) = one == 1 ? loaded : nullptr; return ask(flags + i) ? 1 : 2;);
USE(by_copy, Flags f{1, flags[i], flags[other]}; Flags g = f; f.one = one == 2;
    return g.one ? 1 : f.one ? 2 : 3;);
USE(by_memcpy, memcpy(room + i, flags + i, one); return room[i] ? 1 : 2;);
USE(by_shared, __shared__ bool s[kBytes]; s[i] = flags[i]; __syncthreads();
    return s[kBytes - 1 - i] ? 1 : 2;);
USE(by_shared_int, __shared__ bool s[kBytes]; s[i] = flags[i]; __syncthreads(); return s[kBytes - 1 - i];);
USE(by_shuffle, return __shfl_sync(~0u, flags[i], 31 - i % 32) ? 1 : 2;);
USE(by_shuffle_int, return __shfl_xor_sync(~0u, flags[i], 1););
USE(by_ballot, return static_cast<int>(__ballot_sync(~0u, flags[i])););
USE(by_any, return __any_sync(~0u, flags[i] && i != 0) + 2 * __all_sync(~0u, flags[i]););
USE(by_barrier, return __syncthreads_count(flags[i]););
USE(as_index, const int table[2] = {6, 8}; return table[flags[i] ? 1 : 0] + one;);
USE(as_bound, int sum = 0; for (int k = 0; k < 3 && flags[i]; ++k) sum += k + one; return sum;);
/* clang-format on */

template <class Use>
__global__ void ask(int* out, const bool* flags, bool* room, int one) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = Use::of(Place{i, flags, room, one});
}

__global__ void parameter(int* out, bool flag) {
  out[0] = flag ? 1 : 2;
  out[1] = flag;
}

__global__ void parameterInside(int* out, Flags flags) {
  out[0] = flags.one ? 1 : 2;
  out[1] = flags.two ? 3 : 4;
}

std::vector<unsigned char> allBytes() {
  std::vector<unsigned char> bytes;
  for (int i = 0; i < kBytes; ++i) bytes.push_back(static_cast<unsigned char>(i));
  return bytes;
}

template <class Use>
void observe() {
  static DeviceArray<unsigned char> flags(allBytes()), room(kBytes);
  DeviceArray<int> out(kBytes);
  ask<Use><<<1, kBytes>>>(out.data(), reinterpret_cast<const bool*>(flags.data()),
                          reinterpret_cast<bool*>(room.data()), 1);
  const std::vector<int> values = out.read();
  std::vector<int> some;
  for (const int byte : {0, 1, 2, 3, 4, 127, 128, 254, 255}) some.push_back(values[byte]);
  OBSERVE(Use::key, joined(some) + " " + joined(values));
}

template <class... Uses>
void observeAll() {
  (observe<Uses>(), ...);
}

// Arguments are bytes of the launch, which nobody looks at on the way.
void observeParameters() {
  std::vector<int> values;
  DeviceArray<int> out(2);
  for (const int byte : {0, 1, 2, 128, 254, 255}) {
    bool flag;
    Flags flags{0, false, true};
    memset(&flag, byte, 1);
    memcpy(&flags.one, &flag, 1);
    int* pointer = out.data();
    void* own[] = {&pointer, &flag};
    SETUP(cudaLaunchKernel(reinterpret_cast<const void*>(parameter), dim3(1), dim3(1), own, 0, nullptr));
    for (const int value : out.read()) values.push_back(value);
    void* inside[] = {&pointer, &flags};
    SETUP(cudaLaunchKernel(reinterpret_cast<const void*>(parameterInside), dim3(1), dim3(1), inside, 0,
                           nullptr));
    for (const int value : out.read()) values.push_back(value);
  }
  OBSERVE("parameters", joined(values));
}

int main() {
  const std::vector<unsigned char> bytes = allBytes();
  SETUP(cudaMemcpyToSymbol(constantFlags, bytes.data(), kBytes));
  observeAll<branch, conditional, negated, twice_negated, to_int, to_float, to_char, to_long, sum, count,
             both, either>();
  observeAll<bits_and, bits_or, bits_xor, assigned_and, assigned_or, equal, equal_true, equal_false, less,
             switched>();
  observeAll<stored, stored_negated, by_variable, by_volatile, by_volatile_int, by_reference, by_member,
             by_union>();
  observeAll<by_enum, by_enum_equal, by_constant, by_constant_int, by_bit, by_result, by_result_int,
             by_argument>();
  observeAll<by_argument_int, by_several, by_getter_int, by_lambda, by_pointer, by_copy, by_memcpy,
             by_shared>();
  observeAll<by_shared_int, by_shuffle, by_shuffle_int, by_ballot, by_any, by_barrier, as_index, as_bound>();
  observeParameters();
}
