// Memory, atomics, barriers, votes and special registers of inline PTX.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_memory");

__global__ void loads(const unsigned* in, unsigned* out) {
  const unsigned me = threadIdx.x;
  unsigned a, b, c, d, e;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(a) : "l"(in + me));
  asm volatile("ld.global.cg.u32 %0, [%1+4];" : "=r"(b) : "l"(in + me));
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(c) : "l"(in + me + 2));
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(d) : "l"(in + me + 3) : "memory");
  asm volatile("ld.global.u8 %0, [%1+1];" : "=r"(e) : "l"(in + me));
  out[me] = a ^ b * 3 ^ c * 5 ^ d * 7 ^ e << 24;
}

__global__ void vectors(const uint4* in, uint4* out, unsigned long long* pairs) {
  const unsigned me = threadIdx.x;
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(in + me));
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out + me), "r"(v.w), "r"(v.z), "r"(v.y),
               "r"(v.x)
               : "memory");
  unsigned long long x, y;
  asm volatile("ld.global.v2.u64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(in + me));
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(pairs + me), "l"(x + y) : "memory");
}

__global__ void atomics(unsigned* words, unsigned long long* longs, float* real, unsigned* seen) {
  const unsigned me = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(words), "r"(3u) : "memory");
  if (old % 3 == 0 && old < 3 * gridDim.x * blockDim.x) atomicAdd(seen, 1u);
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(words + 1), "r"(me * 7) : "memory");
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(words + 2), "r"(1u << (me % 32)) : "memory");
  asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(old) : "l"(words + 3), "r"(9u) : "memory");
  asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(longs), "l"((unsigned long long)me << 20)
               : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(real), "f"(0.5f) : "memory");
  unsigned long long was;
  asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;"
               : "=l"(was)
               : "l"(longs + 1), "l"(0ull), "l"(77ull)
               : "memory");
  if (was != 0 && was != 77) atomicAdd(seen, 1000u);
}

__global__ void fences(unsigned* data, unsigned* out) {
  if (threadIdx.x == 0) {
    data[0] = 41;
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    data[1] = 1;
  }
  asm volatile("bar.sync 0;" ::: "memory");
  unsigned value;
  asm volatile(
      "{\n\t"
      ".reg .u32 t;\n\t"
      "ld.relaxed.gpu.u32 t, [%1];\n\t"
      "ld.relaxed.gpu.u32 %0, [%1+4];\n\t"
      "add.u32 %0, %0, t;\n\t"
      "}"
      : "=r"(value)
      : "l"(data)
      : "memory");
  out[threadIdx.x] = value;
}

__global__ void registers(unsigned* out) {
  unsigned x, y, n, block, blocks, lane;
  asm("mov.u32 %0, %%tid.x;" : "=r"(x));
  asm("mov.u32 %0, %%tid.y;" : "=r"(y));
  asm("mov.u32 %0, %%ntid.x;" : "=r"(n));
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  asm("mov.u32 %0, %%nctaid.x;" : "=r"(blocks));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[(block * blockDim.y + y) * n + x] = x + 100 * y + 1000 * block + 10000 * blocks + 100000 * lane;
}

__global__ void votes(unsigned* out) {
  const unsigned me = threadIdx.x;
  unsigned ballot, mask, sum, count;
  int all;
  asm volatile("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, 20;\n\tvote.sync.ballot.b32 %0, p, 0xffffffff;\n\t}"
               : "=r"(ballot)
               : "r"(me));
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, 32;\n\tvote.sync.all.pred p, p, -1;\n\tselp.s32 %0, 1, 0, "
      "p;\n\t}"
      : "=r"(all)
      : "r"(me));
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(sum) : "r"(me), "r"(0xffffffffu));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(count) : "r"(me * 2));
  unsigned up;
  asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, %2;" : "=r"(up) : "r"(me), "r"(0xffffffffu));
  asm volatile("bar.warp.sync %0;" ::"r"(0xffffffffu));
  out[me] = ballot ^ mask ^ (sum << 8) ^ (count << 20) ^ (up << 3) ^ (unsigned)all;
}

int main() {
  std::vector<unsigned> numbers(256);
  for (unsigned i = 0; i < 256; ++i) numbers[i] = i * 2654435761u;
  DeviceArray<unsigned> in(numbers), out(256);
  loads<<<1, 32>>>(in.data(), out.data());
  OBSERVE("loads", joined(out.read()));
  DeviceArray<unsigned long long> pairs(16);
  vectors<<<1, 16>>>(reinterpret_cast<const uint4*>(in.data()), reinterpret_cast<uint4*>(out.data()),
                     pairs.data());
  OBSERVE("vectors", joined(out.read()));
  OBSERVE("pairs", joined(pairs.read()));
  DeviceArray<unsigned> words(std::vector<unsigned>(4)), seen(std::vector<unsigned>(1));
  DeviceArray<unsigned long long> longs(std::vector<unsigned long long>(2));
  DeviceArray<float> real(std::vector<float>(1));
  atomics<<<4, 96>>>(words.data(), longs.data(), real.data(), seen.data());
  OBSERVE("words", joined(words.read()));
  OBSERVE("longs", joined(longs.read()));
  OBSERVE("real", real.read()[0]);
  OBSERVE("seen", seen.read()[0]);
  fences<<<1, 64>>>(words.data(), out.data());
  OBSERVE("fences", joined(out.read()));
  registers<<<3, dim3(16, 2)>>>(out.data());
  OBSERVE("registers", joined(out.read()));
  votes<<<1, 32>>>(out.data());
  OBSERVE("votes", joined(out.read()));
}
